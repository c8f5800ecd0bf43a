// SPDX-License-Identifier: Apache-2.0
// An OpenCL library without a device behind it: everything succeeds and nothing is computed. The sources of
// programs are written to files, so that a compiler can look at all of them, also those for devices that are
// not here.
//
//   OCLITE_FAKE_DEVICE   "gpu", "local" (one with local memory of its own), or the floats in a vector of the
//   CPU it pretends to be: "4", "8", "16" OCLITE_FAKE_COUNT    how many such devices there are, up to 8; 1 by
//   default OCLITE_FAKE_FILLS    how many of the devices that it counts, and of 16 platforms, it fills in
//   OCLITE_FAKE_BROKEN   the device in whose contexts nothing can be made
//   OCLITE_FAKE_FAILS    the function that fails: clGetPlatformIDs, clCreateContext or clBuildProgram
//   OCLITE_FAKE_SOURCES  the folder for the programs, named by a hash of the text, and for empty files with
//   the names of the
//                        kernels that are made of them, NAME.kernel; not set: they are dropped
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every object but a device is this one; nobody looks into it, and nobody counts.
static char object;
#define OBJECT ((void*)&object)
enum { MAX_DEVICES = 8 };
static char device_objects[MAX_DEVICES];

static bool fails(const char* function) {
    const char* failing = getenv("OCLITE_FAKE_FAILS");
    return failing != NULL && strcmp(failing, function) == 0;
}

static void* create(cl_int* error) {
    if (error != NULL) *error = CL_SUCCESS;
    return OBJECT;
}

static cl_int give(const void* value, size_t bytes, size_t room, void* to, size_t* used) {
    if (used != NULL) *used = bytes;
    if (to == NULL) return CL_SUCCESS;
    if (room < bytes) return CL_INVALID_VALUE;
    memcpy(to, value, bytes);
    return CL_SUCCESS;
}

static const char* device_kind(void) {
    const char* kind = getenv("OCLITE_FAKE_DEVICE");
    return kind != NULL ? kind : "gpu";
}

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id* ids, cl_uint* count) {
    if (fails("clGetPlatformIDs")) return CL_OUT_OF_HOST_MEMORY;
    if (n > 0 && ids != NULL) ids[0] = OBJECT;
    if (count != NULL) *count = getenv("OCLITE_FAKE_FILLS") != NULL ? 16 : 1;
    return CL_SUCCESS;
}
cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t room, void* to, size_t* used) {
    return give("fake", sizeof "fake", room, to, used);
}
cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id* ids, cl_uint* count) {
    const char* wanted = getenv("OCLITE_FAKE_COUNT");
    const cl_uint number = wanted != NULL ? (cl_uint)strtoul(wanted, NULL, 10) % (MAX_DEVICES + 1) : 1;
    const char* filled = getenv("OCLITE_FAKE_FILLS");
    const cl_uint fills = filled != NULL ? (cl_uint)strtoul(filled, NULL, 10) : number;
    for (cl_uint i = 0; i < n && i < fills && i < number && ids != NULL; i++)
        ids[i] = (void*)&device_objects[i];
    if (count != NULL) *count = number;
    return number > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}
cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t room, void* to, size_t* used) {
    const bool local = strcmp(device_kind(), "local") == 0, gpu = local || strcmp(device_kind(), "gpu") == 0;
    const cl_ulong bytes = (cl_ulong)1 << 30;
    const cl_device_type type = gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    const cl_device_fp_config floats = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    const size_t items[3] = {1024, 1024, 1024};
    cl_uint number = 0;
    switch (what) {
    case CL_DEVICE_TYPE:
        return give(&type, sizeof type, room, to, used);
    case CL_DEVICE_SINGLE_FP_CONFIG:
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return give(&floats, sizeof floats, room, to, used);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return give(&bytes, sizeof bytes, room, to, used);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
        number = (cl_uint)strtoul(device_kind(), NULL, 10);
        return give(&number, sizeof number, room, to, used);
    case CL_DEVICE_LOCAL_MEM_TYPE:
        number = local ? CL_LOCAL : CL_GLOBAL;
        return give(&number, sizeof number, room, to, used);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        number = 1024;
        return give(&number, sizeof number, room, to, used);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    case CL_DEVICE_MAX_PARAMETER_SIZE:
        return give(&items[0], sizeof items[0], room, to, used);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return give(items, sizeof items, room, to, used);
    case CL_DEVICE_VERSION:
        return give("OpenCL 1.2 fake", sizeof "OpenCL 1.2 fake", room, to, used);
    case CL_DEVICE_NAME:
        return give("fake", sizeof "fake", room, to, used);
    default:
        return CL_INVALID_VALUE;
    }
}
cl_context clCreateContext(const cl_context_properties* properties, cl_uint n, const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data,
                           cl_int* error) {
    const char* broken = getenv("OCLITE_FAKE_BROKEN");
    const bool is_broken = broken != NULL && n > 0 &&
                           (void*)devices[0] == &device_objects[strtoul(broken, NULL, 10) % MAX_DEVICES];
    if (!is_broken && !fails("clCreateContext")) return create(error);
    *error = CL_OUT_OF_RESOURCES;
    return NULL;
}
cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_command_queue_properties properties,
                                      cl_int* error) {
    return create(error);
}
cl_mem clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void* host, cl_int* error) {
    return create(error);
}
cl_mem clCreateSubBuffer(cl_mem m, cl_mem_flags flags, cl_buffer_create_type type, const void* region,
                         cl_int* error) {
    return create(error);
}

static uint64_t hash(cl_uint n, const char** texts) {
    uint64_t value = UINT64_C(14695981039346656037); // FNV-1a
    for (cl_uint i = 0; i < n; i++) {
        for (const char* c = texts[i]; *c != '\0'; c++)
            value = (value ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    return value;
}

cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char** texts, const size_t* lengths,
                                     cl_int* error) {
    const char* folder = getenv("OCLITE_FAKE_SOURCES");
    if (folder == NULL) return create(error);
    char path[4096];
    snprintf(path, sizeof path, "%s/%016" PRIx64 ".cl", folder, hash(n, texts));
    FILE* file = fopen(path, "w");
    bool written = file != NULL;
    for (cl_uint i = 0; written && i < n; i++) written = fputs(texts[i], file) >= 0;
    if (file != NULL) written = fclose(file) == 0 && written;
    if (written) return create(error);
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}
cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id* devices,
                                     const size_t* sizes, const unsigned char** binaries, cl_int* fits,
                                     cl_int* error) {
    return create(error);
}
cl_int clGetProgramInfo(cl_program p, cl_program_info what, size_t size, void* value, size_t* used) {
    return CL_INVALID_VALUE;
}
cl_kernel clCreateKernel(cl_program p, const char* name, cl_int* error) {
    const char* folder = getenv("OCLITE_FAKE_SOURCES");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.kernel", folder != NULL ? folder : "", name);
    FILE* file = folder != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) fclose(file);
    return create(error);
}
cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
    return fails("clBuildProgram") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}
cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t room, void* to,
                             size_t* used) {
    return give("", 1, room, to, used);
}
cl_int clGetMemObjectInfo(cl_mem m, cl_mem_info what, size_t room, void* to, size_t* used) {
    return CL_INVALID_MEM_OBJECT;
}
cl_int clGetContextInfo(cl_context c, cl_context_info what, size_t room, void* to, size_t* used) {
    return CL_INVALID_CONTEXT;
}
cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t room, void* to,
                             size_t* used) {
    return CL_INVALID_COMMAND_QUEUE;
}
cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t room, void* to, size_t* used) {
    const cl_int state = CL_COMPLETE;
    return give(&state, sizeof state, room, to, used);
}
cl_int clGetEventProfilingInfo(cl_event e, cl_profiling_info what, size_t room, void* to, size_t* used) {
    const cl_ulong never = 0;
    return give(&never, sizeof never, room, to, used);
}
cl_int clGetKernelInfo(cl_kernel k, cl_kernel_info what, size_t room, void* to, size_t* used) {
    return CL_INVALID_KERNEL;
}
cl_int clGetKernelArgInfo(cl_kernel k, cl_uint index, cl_kernel_arg_info what, size_t room, void* to,
                          size_t* used) {
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}
cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t room,
                                void* to, size_t* used) {
    return CL_INVALID_VALUE;
}
cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t size, const void* value) {
    return CL_SUCCESS;
}

// A command: its own parameters, and what it does.
#define COMMAND(name, parameters, does)                                                                      \
    cl_int name(cl_command_queue q, UNPACK parameters, cl_uint n, const cl_event* events, cl_event* event) { \
        does;                                                                                                \
        if (event != NULL) *event = OBJECT;                                                                  \
        return CL_SUCCESS;                                                                                   \
    }
#define UNPACK(...) __VA_ARGS__
COMMAND(clEnqueueWriteBuffer, (cl_mem m, cl_bool wait, size_t offset, size_t size, const void* from), )
COMMAND(clEnqueueReadBuffer, (cl_mem m, cl_bool wait, size_t offset, size_t size, void* to),
        memset(to, 0, size))
COMMAND(clEnqueueUnmapMemObject, (cl_mem m, void* mapped), )
COMMAND(clEnqueueNDRangeKernel,
        (cl_kernel k, cl_uint rank, const size_t* offset, const size_t* global, const size_t* local), )

void* clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool wait, cl_map_flags flags, size_t offset,
                         size_t size, cl_uint n, const cl_event* events, cl_event* event, cl_int* error) {
    return create(error);
}

#define MARKER(name)                                                                                         \
    cl_int name(cl_command_queue q, cl_uint n, const cl_event* events, cl_event* event) {                    \
        if (event != NULL) *event = OBJECT;                                                                  \
        return CL_SUCCESS;                                                                                   \
    }
MARKER(clEnqueueBarrierWithWaitList)
MARKER(clEnqueueMarkerWithWaitList)

#define ON_OBJECT(name, type)                                                                                \
    cl_int name(type o) {                                                                                    \
        return CL_SUCCESS;                                                                                   \
    }
ON_OBJECT(clRetainContext, cl_context)
ON_OBJECT(clReleaseContext, cl_context)
ON_OBJECT(clRetainCommandQueue, cl_command_queue)
ON_OBJECT(clReleaseCommandQueue, cl_command_queue)
ON_OBJECT(clRetainMemObject, cl_mem)
ON_OBJECT(clReleaseMemObject, cl_mem)
ON_OBJECT(clReleaseProgram, cl_program)
ON_OBJECT(clReleaseKernel, cl_kernel)
ON_OBJECT(clRetainEvent, cl_event)
ON_OBJECT(clReleaseEvent, cl_event)
ON_OBJECT(clFlush, cl_command_queue)
ON_OBJECT(clFinish, cl_command_queue)

cl_int clWaitForEvents(cl_uint n, const cl_event* events) {
    return CL_SUCCESS;
}
