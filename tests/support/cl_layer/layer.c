// SPDX-License-Identifier: Apache-2.0
// The layer: refuses what passes the profile's limits.
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/cl_layer/objects.h"
#include "tests/support/cl_layer/profile.h"

#define MIB ((cl_ulong)1 << 20)
static const Profile profiles[] = {
#include "tests/support/cl_layer/profiles.def"
};
const Profile* profile;
static cl_icd_dispatch target, table;
const cl_icd_dispatch* below = &target;

static void write_log(const char* text) {
    const char* path = getenv("OCLITE_TEST_LAYER_LOG");
    const int file = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (write(file, text, strlen(text)) < 0) perror(path);
    close(file);
}

cl_int refuse(const char* function, cl_int error, const char* format, ...) {
    char detail[256], line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    snprintf(line, sizeof line, "refused %s %d: %s\n", function, error, detail);
    write_log(line);
    return error;
}

__attribute__((destructor)) static void tell_copies(void) {
    char line[256];
    if (profile == NULL) return;
    profile_tell_copies(line, sizeof line);
    write_log(line);
    if (profile->unified) write_log("shares memory\n");
}

// Buffers.

static cl_int check_buffer(cl_mem_flags flags, size_t size, const void* host) {
    const cl_mem_flags later = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    if (profile->version < 120 && (flags & later) != 0)
        return refuse("clCreateBuffer", CL_INVALID_VALUE, "flags %#lx", (unsigned long)flags);
    if (size > profile->allocation)
        return refuse("clCreateBuffer", CL_INVALID_BUFFER_SIZE, "%zu bytes of %lu", size,
                      (unsigned long)profile->allocation);
    const size_t held = (flags & CL_MEM_USE_HOST_PTR) != 0 && host != NULL ? 0 : objects_bytes();
    if (held + size > profile->memory)
        return refuse("clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE, "%zu bytes beside %zu of %lu", size,
                      held, (unsigned long)profile->memory);
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                                        cl_int* error) {
    cl_int found;
    cl_mem memory = NULL;
    objects_lock();
    found = check_buffer(flags, size, host);
    if (found == CL_SUCCESS) memory = below->clCreateBuffer(context, flags, size, host, &found);
    Object* object = memory != NULL ? objects_add(memory) : NULL;
    if (object != NULL && (flags & CL_MEM_USE_HOST_PTR) == 0) object->bytes = size;
    objects_unlock();
    if (error != NULL) *error = found;
    return memory;
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void* info, cl_int* error) {
    const cl_buffer_region* region = info;
    if (type == CL_BUFFER_CREATE_TYPE_REGION && region->origin % (profile->align_bits / 8) != 0) {
        const cl_int found = refuse("clCreateSubBuffer", CL_MISALIGNED_SUB_BUFFER_OFFSET,
                                    "offset %zu, %u bits", region->origin, profile->align_bits);
        if (error != NULL) *error = found;
        return NULL;
    }
    cl_mem memory = below->clCreateSubBuffer(parent, flags, type, info, error);
    objects_lock();
    if (memory != NULL) (void)objects_add(memory);
    objects_unlock();
    return memory;
}

static cl_int CL_API_CALL release_buffer(cl_mem memory) {
    cl_uint references = 0;
    objects_lock();
    (void)below->clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL);
    if (references == 1) objects_remove(memory);
    const cl_int error = below->clReleaseMemObject(memory);
    objects_unlock();
    return error;
}

// Queues and events.

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int* error) {
    if ((properties & ~profile->queue) != 0) {
        const cl_int found =
            refuse("clCreateCommandQueue", CL_INVALID_QUEUE_PROPERTIES, "%#lx", (unsigned long)properties);
        if (error != NULL) *error = found;
        return NULL;
    }
    return below->clCreateCommandQueue(context, device, properties, error);
}

static cl_int CL_API_CALL event_times(cl_event event, cl_profiling_info what, size_t size, void* value,
                                      size_t* used) {
    if (!profile->timers)
        return refuse("clGetEventProfilingInfo", CL_PROFILING_INFO_NOT_AVAILABLE, "no timers");
    return below->clGetEventProfilingInfo(event, what, size, value, used);
}

// Programs.

static int version_of(const char* options) {
    const char* standard = options != NULL ? strstr(options, "-cl-std=CL") : NULL;
    if (standard == NULL) return 100;
    standard += sizeof "-cl-std=CL" - 1;
    return (standard[0] - '0') * 100 +
           (standard[0] != '\0' && standard[1] == '.' ? standard[2] - '0' : 0) * 10;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint n, const cl_device_id* devices,
                                        const char* options, void(CL_CALLBACK* done)(cl_program, void*),
                                        void* data) {
    static const char* const later[] = {"-cl-fp32-correctly-rounded-divide-sqrt", "-cl-kernel-arg-info"};
    const int most = profile->version >= 300 ? 120 : profile->version;
    if (version_of(options) > most)
        return refuse("clBuildProgram", CL_INVALID_BUILD_OPTIONS, "%s, the device has %d", options, most);
    for (size_t i = 0; i < sizeof later / sizeof later[0] && options != NULL; i++) {
        const bool has = profile->version >= 120 && (i > 0 || profile->exact_divide);
        if (!has && strstr(options, later[i]) != NULL)
            return refuse("clBuildProgram", CL_INVALID_BUILD_OPTIONS, "%s", later[i]);
    }
    // What is imitated are limits; the device below compiles in less than half of the time without
    // optimising.
    char quick[4096];
    const int length = snprintf(quick, sizeof quick, "%s -cl-opt-disable", options != NULL ? options : "");
    if (length < 0 || (size_t)length >= sizeof quick)
        return refuse("clBuildProgram", CL_INVALID_BUILD_OPTIONS, "%d characters", length);
    return below->clBuildProgram(program, n, devices, quick, done, data);
}

// Where the device has no double precision, whoever names it does not get a program.
static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char** texts,
                                             const size_t* lengths, cl_int* error) {
    cl_uint room = count + 1;
    const char** all = calloc(room, sizeof *all);
    size_t* sizes = calloc(room, sizeof *sizes);
    cl_program program = NULL;
    if (all != NULL && sizes != NULL) {
        all[0] = profile->doubles ? "" : "#undef cl_khr_fp64\n#define double the_device_has_no_double\n";
        sizes[0] = strlen(all[0]);
        for (cl_uint i = 0; i < count; i++) {
            all[i + 1] = texts[i];
            sizes[i + 1] = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]);
        }
        program = below->clCreateProgramWithSource(context, room, all, sizes, error);
    } else if (error != NULL) {
        *error = CL_OUT_OF_HOST_MEMORY;
    }
    free(all);
    free(sizes);
    return program;
}

// Kernels.

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
    cl_kernel kernel = below->clCreateKernel(program, name, error);
    objects_lock();
    if (kernel != NULL) (void)objects_add(kernel);
    objects_unlock();
    return kernel;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel) {
    cl_uint references = 0;
    objects_lock();
    (void)below->clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL);
    if (references == 1) objects_remove(kernel);
    const cl_int error = below->clReleaseKernel(kernel);
    objects_unlock();
    return error;
}

static bool is_constant(cl_kernel kernel, cl_uint index) {
    cl_kernel_arg_address_qualifier where = 0;
    return below->clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof where, &where,
                                     NULL) == CL_SUCCESS &&
           where == CL_KERNEL_ARG_ADDRESS_CONSTANT;
}

static void note_argument(cl_kernel kernel, Object* object, cl_uint index, size_t size, const void* value) {
    cl_mem memory = NULL;
    if (value != NULL && size == sizeof memory) memcpy((void*)&memory, value, sizeof(memory));
    const bool is_buffer = memory != NULL && objects_find(memory) != NULL;
    size_t bytes = 0;
    if (is_buffer && is_constant(kernel, index))
        (void)below->clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    object->arguments[index].local = value == NULL ? size : 0;
    object->arguments[index].value = value == NULL || is_buffer ? profile->address_bits / 8 : size;
    object->arguments[index].large_constant = bytes > profile->constant;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
    size_t total = 0;
    objects_lock();
    Object* object = objects_find(kernel);
    if (object != NULL && index < OBJECT_MAX_ARGUMENTS) {
        note_argument(kernel, object, index, size, value);
        for (int i = 0; i < OBJECT_MAX_ARGUMENTS; i++) total += object->arguments[i].value;
    }
    objects_unlock();
    if (total > profile->parameters) {
        char name[128] = "";
        (void)below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        return refuse("clSetKernelArg", CL_INVALID_ARG_SIZE, "%s: parameters of %zu bytes, %zu allowed", name,
                      total, profile->parameters);
    }
    return below->clSetKernelArg(kernel, index, size, value);
}

// Launches.

typedef struct Launch {
    cl_kernel kernel;
    cl_device_id device;
    cl_uint dimensions;
    const size_t *offset, *global, *local;
    char name[128];
} Launch;

static cl_int refuse_launch(const Launch* launch, cl_int error, const char* what, size_t value, size_t most) {
    return refuse("clEnqueueNDRangeKernel", error, "%s: %s %zu, %zu allowed", launch->name, what, value,
                  most);
}

static cl_int check_grid(const Launch* launch) {
    const size_t most = profile->address_bits == 32 ? UINT32_MAX : SIZE_MAX;
    size_t items = 1;
    for (cl_uint d = 0; d < launch->dimensions; d++) {
        const size_t global = launch->global[d], offset = launch->offset != NULL ? launch->offset[d] : 0;
        if (global > most) return refuse_launch(launch, CL_INVALID_GLOBAL_WORK_SIZE, "items", global, most);
        if (offset > most - global)
            return refuse_launch(launch, CL_INVALID_GLOBAL_OFFSET, "offset", offset, most - global);
        if (launch->local == NULL) continue;
        const size_t local = launch->local[d];
        if (local == 0 || global % local != 0)
            return refuse_launch(launch, CL_INVALID_WORK_GROUP_SIZE, "a rest of a work-group: items", global,
                                 local);
        if (local > profile->items[d])
            return refuse_launch(launch, CL_INVALID_WORK_ITEM_SIZE, "items of a group along a dimension",
                                 local, profile->items[d]);
        items *= local;
    }
    const size_t group = profile_kernel_group(launch->kernel, launch->device);
    return items > group ? refuse_launch(launch, CL_INVALID_WORK_GROUP_SIZE, "items of a group", items, group)
                         : CL_SUCCESS;
}

// Local memory that the kernel declares, and that of its arguments.
static cl_int check_memory(const Launch* launch) {
    cl_ulong local = 0, set = 0;
    bool large_constant = false;
    (void)below->clGetKernelWorkGroupInfo(launch->kernel, launch->device, CL_KERNEL_LOCAL_MEM_SIZE,
                                          sizeof local, &local, NULL);
    objects_lock();
    const Object* object = objects_find(launch->kernel);
    for (int i = 0; object != NULL && i < OBJECT_MAX_ARGUMENTS; i++) {
        set += object->arguments[i].local;
        large_constant = large_constant || object->arguments[i].large_constant;
    }
    objects_unlock();
    if (local < set) local = set;
    if (local > profile->local)
        return refuse_launch(launch, CL_OUT_OF_RESOURCES, "local memory", local, profile->local);
    return large_constant
               ? refuse_launch(launch, CL_OUT_OF_RESOURCES, "constant buffer", 0, profile->constant)
               : CL_SUCCESS;
}

static cl_int CL_API_CALL launch_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                        const size_t* offset, const size_t* global, const size_t* local,
                                        cl_uint n, const cl_event* events, cl_event* event) {
    Launch launch = {kernel, NULL, dimensions, offset, global, local, ""};
    (void)below->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof launch.name, launch.name, NULL);
    (void)below->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(launch.device), (void*)&launch.device,
                                       NULL);
    cl_int error = check_grid(&launch);
    if (error == CL_SUCCESS) error = check_memory(&launch);
    if (error != CL_SUCCESS) return error;
    return below->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, n, events, event);
}

// What the loader calls.

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
                                                                         void* value, size_t* used) {
    static const char name[] = "oclite's profiles";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void* from = what == CL_LAYER_API_VERSION ? (const void*)&version : name;
    const size_t bytes = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
    if (what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) return CL_INVALID_VALUE;
    if (used != NULL) *used = bytes;
    if (value != NULL && size < bytes) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, from, bytes);
    return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint count,
                                                                      const cl_icd_dispatch* functions,
                                                                      cl_uint* used,
                                                                      const cl_icd_dispatch** result) {
    const cl_uint room = sizeof target / sizeof target.clGetPlatformIDs;
    const char* name = getenv("OCLITE_TEST_PROFILE");
    if (count < room || used == NULL || result == NULL) return CL_INVALID_VALUE;
    for (size_t p = 0; p < sizeof profiles / sizeof profiles[0]; p++) {
        if (name != NULL && strcmp(profiles[p].name, name) == 0) profile = &profiles[p];
    }
    if (profile == NULL) {
        fprintf(stderr, "OCLITE_TEST_PROFILE: no profile \"%s\"\n", name != NULL ? name : "");
        return CL_INVALID_VALUE;
    }
    table = target = *functions;
    table.clGetPlatformInfo = profile_platform_info;
    table.clGetDeviceIDs = profile_device_ids;
    table.clGetDeviceInfo = profile_device_info;
    table.clGetKernelWorkGroupInfo = profile_kernel_group_info;
    table.clCreateBuffer = create_buffer;
    table.clCreateSubBuffer = create_sub_buffer;
    table.clReleaseMemObject = release_buffer;
    table.clCreateCommandQueue = create_queue;
    table.clGetEventProfilingInfo = event_times;
    table.clCreateProgramWithSource = create_program;
    table.clBuildProgram = build_program;
    table.clCreateKernel = create_kernel;
    table.clReleaseKernel = release_kernel;
    table.clSetKernelArg = set_argument;
    table.clEnqueueNDRangeKernel = launch_kernel;
    profile_install_commands(&table);
    *used = room;
    *result = &table;
    return CL_SUCCESS;
}
