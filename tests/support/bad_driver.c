// SPDX-License-Identifier: Apache-2.0
// A layer between the OpenCL loader and its drivers (OPENCL_LAYERS) that makes of a good driver a bad one of
// another name. OCLITE_BAD_DRIVER is "WHAT:WHERE":
//
//   build:TEXT     crashes when a program is built whose source contains the text
//   compile:TEXT   the same, but the build only fails
//   stall:TEXT     the same, but the build never ends
//   kernel:NAME    crashes when a kernel of that name is enqueued
//   hang:NAME      never ends waiting once one has been enqueued
//   wrong:NAME     such kernels do nothing
//   context:       crashes when a context is made
//   none:          nothing is wrong
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 65536, ENTRIES = sizeof(cl_icd_dispatch) / sizeof(void*) };

static const cl_icd_dispatch* below;
static cl_icd_dispatch ours;
static void* marked[MOST]; // programs and kernels that are to go wrong
static int marked_count;
static volatile bool stuck;

// Where it is to go wrong in this way; NULL: not at all.
static const char* where(const char* what) {
    const char* bad = getenv("OCLITE_BAD_DRIVER");
    const size_t length = strlen(what);
    return bad != NULL && strncmp(bad, what, length) == 0 && bad[length] == ':' ? bad + length + 1 : NULL;
}

static void crash(void) {
    (void)signal(SIGSEGV, SIG_DFL); // PoCL has a handler
    raise(SIGSEGV);
}

static void mark(void* object) {
    if (marked_count < MOST) marked[marked_count++] = object;
}

static bool is_marked(const void* object) {
    for (int i = 0; i < marked_count; i++) {
        if (marked[i] == object) return true;
    }
    return false;
}

static void unmark(const void* object) {
    for (int i = 0; i < marked_count; i++) {
        if (marked[i] == object) marked[i] = NULL;
    }
}

static cl_int give(const char* text, size_t room, void* to, size_t* used) {
    const size_t size = strlen(text) + 1;
    if (used != NULL) *used = size;
    if (to == NULL) return CL_SUCCESS;
    if (room < size) return CL_INVALID_VALUE;
    memcpy(to, text, size);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info what, size_t room, void* to,
                                        size_t* used) {
    if (what == CL_PLATFORM_NAME) return give("Bad Drivers", room, to, used);
    return below->clGetPlatformInfo(platform, what, room, to, used);
}

// Each way to be bad is a driver of its own.
static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, size_t room, void* to,
                                      size_t* used) {
    char version[128];
    snprintf(version, sizeof version, "6.6.6 %s", getenv("OCLITE_BAD_DRIVER"));
    if (what == CL_DRIVER_VERSION) return give(version, room, to, used);
    return below->clGetDeviceInfo(device, what, room, to, used);
}

static cl_context CL_API_CALL create_context(
    const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
    void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data, cl_int* error) {
    if (where("context") != NULL) crash();
    return below->clCreateContext(properties, count, devices, notify, data, error);
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char** texts,
                                             const size_t* lengths, cl_int* error) {
    const char* text = where("build") != NULL     ? where("build")
                       : where("compile") != NULL ? where("compile")
                                                  : where("stall");
    cl_program program = below->clCreateProgramWithSource(context, count, texts, lengths, error);
    unmark(program);
    for (cl_uint i = 0; i < count && text != NULL; i++) {
        if (strstr(texts[i], text) == NULL) continue;
        mark(program);
        break;
    }
    return program;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                        const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                        void* data) {
    if (where("build") != NULL && is_marked(program)) crash();
    if (where("compile") != NULL && is_marked(program)) return CL_BUILD_PROGRAM_FAILURE;
    while (where("stall") != NULL && is_marked(program)) pause();
    return below->clBuildProgram(program, count, devices, options, notify, data);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
    static const char* const ways[] = {"kernel", "hang", "wrong"};
    cl_kernel kernel = below->clCreateKernel(program, name, error);
    unmark(kernel);
    for (int i = 0; i < 3; i++) {
        const char* bad = where(ways[i]);
        if (bad != NULL && strcmp(bad, name) == 0) mark(kernel);
    }
    return kernel;
}

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                  const size_t* offset, const size_t* global, const size_t* local,
                                  cl_uint count, const cl_event* events, cl_event* event) {
    if (is_marked(kernel) && where("kernel") != NULL) crash();
    if (is_marked(kernel) && where("hang") != NULL) stuck = true;
    if (is_marked(kernel) && where("wrong") != NULL)
        return below->clEnqueueMarkerWithWaitList(queue, count, events, event);
    return below->clEnqueueNDRangeKernel(queue, kernel, rank, offset, global, local, count, events, event);
}

static void wait_for_ever(void) {
    while (stuck) pause();
}

static cl_int CL_API_CALL finish(cl_command_queue queue) {
    wait_for_ever();
    return below->clFinish(queue);
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event* events) {
    wait_for_ever();
    return below->clWaitForEvents(count, events);
}

cl_int clGetLayerInfo(cl_layer_info what, size_t room, void* to, size_t* used) {
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (what == CL_LAYER_NAME) return give("bad driver", room, to, used);
    if (what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    if (used != NULL) *used = sizeof version;
    if (to == NULL) return CL_SUCCESS;
    if (room < sizeof version) return CL_INVALID_VALUE;
    memcpy(to, &version, sizeof version);
    return CL_SUCCESS;
}

cl_int clInitLayer(cl_uint count, const cl_icd_dispatch* target, cl_uint* entries,
                   const cl_icd_dispatch** dispatch) {
    if (count < ENTRIES) return CL_INVALID_VALUE;
    below = target;
    ours = *target;
    ours.clGetPlatformInfo = platform_info;
    ours.clGetDeviceInfo = device_info;
    ours.clCreateContext = create_context;
    ours.clCreateProgramWithSource = create_program;
    ours.clBuildProgram = build_program;
    ours.clCreateKernel = create_kernel;
    ours.clEnqueueNDRangeKernel = enqueue;
    ours.clFinish = finish;
    ours.clWaitForEvents = wait_for_events;
    *entries = ENTRIES;
    *dispatch = &ours;
    return CL_SUCCESS;
}
