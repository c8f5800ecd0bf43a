// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cl_shim.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static LiteCl real;
static int calls, failures, live;
static int counts[kShimCalls];
static cl_command_queue last_queue;
static const void* imports[256]; // host memory of buffers, in turn
static int import_count;
static int fail_from; // the number of the first call that fails, 0: none
static bool fail_all;
static cl_event gate; // that kernels wait for, NULL: none
static cl_context context;

static LiteCl* table(void) {
    return (LiteCl*)(uintptr_t)lite_cl_load(NULL);
}

static int delays_ms[kShimCalls];

static void count(ShimCall call, cl_command_queue queue) {
    counts[call]++;
    const struct timespec delay = {delays_ms[call] / 1000, delays_ms[call] % 1000 * 1000000L};
    if (delays_ms[call] > 0) (void)nanosleep(&delay, NULL);
    if (queue != NULL) last_queue = queue;
}

static void note_import(cl_mem_flags flags, const void* host) {
    if ((flags & CL_MEM_USE_HOST_PTR) != 0) imports[import_count++ % 256] = host;
}

static bool failing(void) {
    calls++;
    const bool fails = fail_from != 0 && (fail_all ? calls >= fail_from : calls == fail_from);
    failures += fails;
    return fails;
}

enum { kMaxBuffers = 4096 };
static struct {
    cl_mem memory;
    size_t bytes;
    int references;
} buffers[kMaxBuffers];

static void note_buffer(cl_mem memory, size_t bytes) {
    for (int i = 0; i < kMaxBuffers; i++) {
        if (buffers[i].references > 0) continue;
        buffers[i].memory = memory;
        buffers[i].bytes = bytes;
        buffers[i].references = 1;
        return;
    }
    abort();
}

// Memory that both sides know by its address counts as a buffer.
static void* CL_API_CALL shim_clSVMAlloc(cl_context c, cl_bitfield flags, size_t size, cl_uint alignment) {
    if (failing()) return NULL;
    void* address = real.clSVMAlloc(c, flags, size, alignment);
    if (address != NULL) note_buffer((cl_mem)address, size);
    live += address != NULL;
    return address;
}

// Buffers from before the shim's time are nobody's business.
static void count_references(cl_mem memory, int change) {
    for (int i = 0; i < kMaxBuffers; i++) {
        if (buffers[i].references > 0 && buffers[i].memory == memory) buffers[i].references += change;
    }
}

// Functions that return a status: those that do nothing when they fail, and those that do their work and fail
// all the same, so that what runs on is the driver's to end and not this test's.
#define REFUSING(name, parameters, arguments)                                                                \
    static cl_int CL_API_CALL shim_##name parameters {                                                       \
        return failing() ? CL_OUT_OF_RESOURCES : real.name arguments;                                        \
    }
#define FAILING(name, parameters, arguments)                                                                 \
    static cl_int CL_API_CALL shim_##name parameters {                                                       \
        const bool fails = failing();                                                                        \
        const cl_int status = real.name arguments;                                                           \
        return fails ? CL_OUT_OF_RESOURCES : status;                                                         \
    }
#define RELEASING(name, type)                                                                                \
    static cl_int CL_API_CALL shim_##name(type object) {                                                     \
        const bool fails = failing();                                                                        \
        live--;                                                                                              \
        const cl_int status = real.name(object);                                                             \
        return fails ? CL_OUT_OF_RESOURCES : status;                                                         \
    }
#define RETAINING(name, type)                                                                                \
    static cl_int CL_API_CALL shim_##name(type object) {                                                     \
        if (failing()) return CL_OUT_OF_RESOURCES;                                                           \
        live++;                                                                                              \
        return real.name(object);                                                                            \
    }
#define CREATING(name, type, parameters, arguments) CREATING_AS(name, (void)0, type, parameters, arguments)
#define CREATING_AS(name, counting, type, parameters, arguments)                                             \
    static type CL_API_CALL shim_##name parameters {                                                         \
        if (failing()) {                                                                                     \
            *error = CL_OUT_OF_RESOURCES;                                                                    \
            return NULL;                                                                                     \
        }                                                                                                    \
        counting;                                                                                            \
        type object = real.name arguments;                                                                   \
        live += object != NULL;                                                                              \
        return object;                                                                                       \
    }
// Commands with a wait list in front of the event; those that are counted are told apart.
#define COUNTED(name, counted, parameters, arguments)                                                        \
    ENQUEUING_AS(name, count(counted, q), parameters, arguments)
#define ENQUEUING(name, parameters, arguments) ENQUEUING_AS(name, (void)0, parameters, arguments)
#define ENQUEUING_AS(name, counting, parameters, arguments)                                                  \
    static cl_int CL_API_CALL shim_##name parameters {                                                       \
        if (failing()) return CL_OUT_OF_RESOURCES;                                                           \
        counting;                                                                                            \
        const cl_int status = real.name arguments;                                                           \
        live += event != NULL && status == CL_SUCCESS;                                                       \
        return status;                                                                                       \
    }

REFUSING(clGetPlatformIDs, (cl_uint n, cl_platform_id* ids, cl_uint* count), (n, ids, count))
REFUSING(clGetPlatformInfo, (cl_platform_id p, cl_platform_info what, size_t size, void* value, size_t* used),
         (p, what, size, value, used))
REFUSING(clGetDeviceIDs,
         (cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id* ids, cl_uint* count),
         (p, type, n, ids, count))
REFUSING(clGetDeviceInfo, (cl_device_id d, cl_device_info what, size_t size, void* value, size_t* used),
         (d, what, size, value, used))
REFUSING(clGetMemObjectInfo, (cl_mem m, cl_mem_info what, size_t size, void* value, size_t* used),
         (m, what, size, value, used))
REFUSING(clGetKernelWorkGroupInfo,
         (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t size, void* value,
          size_t* used),
         (k, d, what, size, value, used))
REFUSING(clGetEventInfo, (cl_event e, cl_event_info what, size_t size, void* value, size_t* used),
         (e, what, size, value, used))
REFUSING(clGetEventProfilingInfo,
         (cl_event e, cl_profiling_info what, size_t size, void* value, size_t* used),
         (e, what, size, value, used))
REFUSING(clBuildProgram,
         (cl_program p, cl_uint n, const cl_device_id* devices, const char* options,
          void(CL_CALLBACK* notify)(cl_program, void*), void* data),
         (p, n, devices, options, notify, data))
REFUSING(clGetProgramBuildInfo,
         (cl_program p, cl_device_id d, cl_program_build_info what, size_t size, void* value, size_t* used),
         (p, d, what, size, value, used))
REFUSING(clGetProgramInfo, (cl_program p, cl_program_info what, size_t size, void* value, size_t* used),
         (p, what, size, value, used))
REFUSING(clGetKernelInfo, (cl_kernel k, cl_kernel_info what, size_t size, void* value, size_t* used),
         (k, what, size, value, used))
REFUSING(clGetKernelArgInfo,
         (cl_kernel k, cl_uint index, cl_kernel_arg_info what, size_t size, void* value, size_t* used),
         (k, index, what, size, value, used))
REFUSING(clSetKernelArg, (cl_kernel k, cl_uint index, size_t size, const void* value),
         (k, index, size, value))
FAILING(clWaitForEvents, (cl_uint n, const cl_event* events), (n, events))
FAILING(clFlush, (cl_command_queue q), (q))
FAILING(clFinish, (cl_command_queue q), (q))
REFUSING(clGetContextInfo, (cl_context c, cl_context_info what, size_t size, void* value, size_t* used),
         (c, what, size, value, used))
REFUSING(clGetCommandQueueInfo,
         (cl_command_queue q, cl_command_queue_info what, size_t size, void* value, size_t* used),
         (q, what, size, value, used))
RELEASING(clReleaseContext, cl_context)
RELEASING(clReleaseCommandQueue, cl_command_queue)
static cl_int CL_API_CALL shim_clReleaseMemObject(cl_mem memory) {
    const bool fails = failing();
    live--;
    count_references(memory, -1);
    const cl_int status = real.clReleaseMemObject(memory);
    return fails ? CL_OUT_OF_RESOURCES : status;
}
static void CL_API_CALL shim_clSVMFree(cl_context c, void* address) {
    live -= address != NULL;
    count_references((cl_mem)address, -1);
    real.clSVMFree(c, address);
}
REFUSING(clSetKernelArgSVMPointer, (cl_kernel k, cl_uint index, const void* address), (k, index, address))
REFUSING(clCompileProgram,
         (cl_program p, cl_uint n, const cl_device_id* devices, const char* options, cl_uint headers,
          const cl_program* programs, const char** names, void(CL_CALLBACK* notify)(cl_program, void*),
          void* data),
         (p, n, devices, options, headers, programs, names, notify, data))
RELEASING(clReleaseProgram, cl_program)
RELEASING(clReleaseKernel, cl_kernel)
RELEASING(clReleaseEvent, cl_event)
RETAINING(clRetainContext, cl_context)
RETAINING(clRetainCommandQueue, cl_command_queue)
static cl_int CL_API_CALL shim_clRetainMemObject(cl_mem memory) {
    if (failing()) return CL_OUT_OF_RESOURCES;
    live++;
    count_references(memory, 1);
    return real.clRetainMemObject(memory);
}
RETAINING(clRetainEvent, cl_event)
CREATING_AS(clCreateCommandQueue, count(kShimQueues, NULL), cl_command_queue,
            (cl_context c, cl_device_id d, cl_command_queue_properties properties, cl_int* error),
            (c, d, properties, error))
static cl_mem CL_API_CALL shim_clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void* host,
                                              cl_int* error) {
    if (failing()) {
        *error = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    note_import(flags, host);
    cl_mem memory = real.clCreateBuffer(c, flags, size, host, error);
    live += memory != NULL;
    if (memory != NULL && (flags & CL_MEM_USE_HOST_PTR) == 0) note_buffer(memory, size);
    return memory;
}
CREATING(clCreateSubBuffer, cl_mem,
         (cl_mem m, cl_mem_flags flags, cl_buffer_create_type type, const void* region, cl_int* error),
         (m, flags, type, region, error))
CREATING(clCreateProgramWithBinary, cl_program,
         (cl_context c, cl_uint n, const cl_device_id* devices, const size_t* sizes,
          const unsigned char** binaries, cl_int* fits, cl_int* error),
         (c, n, devices, sizes, binaries, fits, error))
CREATING(clCreateProgramWithSource, cl_program,
         (cl_context c, cl_uint n, const char** texts, const size_t* lengths, cl_int* error),
         (c, n, texts, lengths, error))
CREATING(clLinkProgram, cl_program,
         (cl_context c, cl_uint n, const cl_device_id* devices, const char* options, cl_uint count,
          const cl_program* programs, void(CL_CALLBACK* notify)(cl_program, void*), void* data,
          cl_int* error),
         (c, n, devices, options, count, programs, notify, data, error))
CREATING(clCreateKernel, cl_kernel, (cl_program p, const char* name, cl_int* error), (p, name, error))
COUNTED(clEnqueueReadBuffer, kShimReads,
        (cl_command_queue q, cl_mem m, cl_bool wait, size_t offset, size_t size, void* to, cl_uint n,
         const cl_event* events, cl_event* event),
        (q, m, wait, offset, size, to, n, events, event))
COUNTED(clEnqueueWriteBuffer, kShimWrites,
        (cl_command_queue q, cl_mem m, cl_bool wait, size_t offset, size_t size, const void* from, cl_uint n,
         const cl_event* events, cl_event* event),
        (q, m, wait, offset, size, from, n, events, event))
ENQUEUING(clEnqueueUnmapMemObject,
          (cl_command_queue q, cl_mem m, void* mapped, cl_uint n, const cl_event* events, cl_event* event),
          (q, m, mapped, n, events, event))
ENQUEUING(clEnqueueBarrierWithWaitList,
          (cl_command_queue q, cl_uint n, const cl_event* events, cl_event* event), (q, n, events, event))
ENQUEUING(clEnqueueMarkerWithWaitList,
          (cl_command_queue q, cl_uint n, const cl_event* events, cl_event* event), (q, n, events, event))
COUNTED(clEnqueueNDRangeKernel, kShimKernels,
        (cl_command_queue q, cl_kernel k, cl_uint rank, const size_t* offset, const size_t* global,
         const size_t* local, cl_uint n, const cl_event* events, cl_event* event),
        (q, k, rank, offset, global, local, gate != NULL ? 1 : n, gate != NULL ? &gate : events, event))

static cl_context CL_API_CALL shim_clCreateContext(
    const cl_context_properties* properties, cl_uint n, const cl_device_id* devices,
    void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data, cl_int* error) {
    if (failing()) {
        *error = CL_DEVICE_NOT_AVAILABLE;
        return NULL;
    }
    context = real.clCreateContext(properties, n, devices, notify, data, error);
    live += context != NULL;
    return context;
}

static void* CL_API_CALL shim_clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool wait,
                                                 cl_map_flags flags, size_t offset, size_t size, cl_uint n,
                                                 const cl_event* events, cl_event* event, cl_int* error) {
    if (failing()) {
        *error = CL_MAP_FAILURE;
        return NULL;
    }
    count(kShimMaps, q);
    return real.clEnqueueMapBuffer(q, m, wait, flags, offset, size, n, events, event, error);
}

void shim_install(void) {
    LiteCl* functions = table();
    real = *functions;
#define CL_FUNCTION(name) functions->name = shim_##name;
#include "delegate-opencl/device/functions.def"
    functions->clCompileProgram = shim_clCompileProgram;
    functions->clLinkProgram = shim_clLinkProgram;
    functions->clSVMAlloc = shim_clSVMAlloc;
    functions->clSVMFree = shim_clSVMFree;
    functions->clSetKernelArgSVMPointer = shim_clSetKernelArgSVMPointer;
    live = 0;
    memset(counts, 0, sizeof counts);
    memset(delays_ms, 0, sizeof delays_ms);
    last_queue = NULL;
    import_count = 0;
    memset(buffers, 0, sizeof buffers);
    shim_fail(0, false);
}

void shim_remove(void) {
    *table() = real;
}

void shim_fail(int n, bool all) {
    calls = failures = 0;
    fail_from = n;
    fail_all = all;
}

int shim_count(ShimCall call) {
    return counts[call];
}

void shim_delay(ShimCall call, int ms) {
    delays_ms[call] = ms;
}

cl_command_queue shim_last_queue(void) {
    return last_queue;
}

int shim_imports(const void* memory) {
    int found = 0;
    for (int i = 0; i < import_count && i < 256; i++) found += imports[i] == memory;
    return found;
}

int shim_calls(void) {
    return calls;
}

int shim_failures(void) {
    return failures;
}

int shim_live_objects(void) {
    return live;
}

size_t shim_live_bytes(void) {
    size_t bytes = 0;
    for (int i = 0; i < kMaxBuffers; i++) bytes += buffers[i].references > 0 ? buffers[i].bytes : 0;
    return bytes;
}

static void* function(const char* name) {
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
    void* found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL) abort();
    dlclose(library); // the delegate has it open, too
    return found;
}

void shim_hold(void) {
    __typeof__(clCreateUserEvent)* create;
    *(void**)&create = function("clCreateUserEvent");
    gate = create(context, NULL);
    if (gate == NULL) abort();
}

void shim_let_go(void) {
    __typeof__(clSetUserEventStatus)* set;
    *(void**)&set = function("clSetUserEventStatus");
    if (set(gate, CL_COMPLETE) != CL_SUCCESS) abort();
    (void)real.clReleaseEvent(gate);
    gate = NULL;
}
