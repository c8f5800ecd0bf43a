// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/queue.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

#include "delegate-opencl/device/extension.h"

// The queue's properties are those of OpenCL 2.0: "OpenCL 1.2 ..." has no function for them.
static bool has_properties(const LiteClDevice* device) {
    char version[128] = "";
    (void)device->cl->clGetDeviceInfo(device->id, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    static const char prefix[] = "OpenCL ";
    return device->cl->clCreateCommandQueueWithProperties != NULL &&
           strncmp(version, prefix, sizeof prefix - 1) == 0 && version[sizeof prefix - 1] >= '2';
}

// A command of OpenCL 1.1 that waits for events: it writes into memory that nobody reads.
// (clEnqueueWaitForEvents ends the process in PoCL.)
static cl_int enqueue_waiting(const LiteClDevice* device, cl_command_queue queue, cl_uint count,
                              const cl_event* events, cl_event* event) {
    static const cl_int nothing;
    const LiteCl* cl = device->cl;
    cl_int error;
    cl_mem memory = cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof nothing, NULL, &error);
    if (error != CL_SUCCESS) return error;
    error =
        cl->clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, sizeof nothing, &nothing, count, events, event);
    cl->clReleaseMemObject(memory); // the command has a reference
    return error;
}

// The queues are in order, so what comes later waits too.
static cl_int enqueue_old(const LiteClDevice* device, cl_command_queue queue, cl_uint count,
                          const cl_event* events, cl_event* event) {
    if (count > 0) return enqueue_waiting(device, queue, count, events, event);
    if (event == NULL) return CL_SUCCESS;
    return device->cl->clEnqueueMarker != NULL ? device->cl->clEnqueueMarker(queue, event)
                                               : CL_INVALID_OPERATION;
}

cl_int lite_cl_queue_marker(const LiteClDevice* device, cl_command_queue queue, cl_uint count,
                            const cl_event* events, cl_event* event) {
    if (device->limits.version < 120 || device->cl->clEnqueueMarkerWithWaitList == NULL)
        return enqueue_old(device, queue, count, events, event);
    return device->cl->clEnqueueMarkerWithWaitList(queue, count, events, event);
}

cl_int lite_cl_queue_barrier(const LiteClDevice* device, cl_command_queue queue, cl_uint count,
                             const cl_event* events, cl_event* event) {
    if (device->limits.version < 120 || device->cl->clEnqueueBarrierWithWaitList == NULL)
        return enqueue_old(device, queue, count, events, event);
    return device->cl->clEnqueueBarrierWithWaitList(queue, count, events, event);
}

static void warn(char warning[LITE_CL_WARNING], const char* key, const char* absent) {
    const size_t length = strlen(warning);
    snprintf(warning + length, LITE_CL_WARNING - length, "%soption %s has no effect: the device has no %s",
             length > 0 ? "; " : "", key, absent);
}

static void check_hint(const LiteClDevice* device, const char* key, const char* extension, cl_uint* hint,
                       char warning[LITE_CL_WARNING]) {
    if (*hint == 0 || (has_properties(device) && lite_cl_device_has(device, extension))) return;
    *hint = 0;
    warn(warning, key, extension);
}

bool lite_cl_queue_check_timers(const LiteClDevice* device, char warning[LITE_CL_WARNING]) {
    if (!device->limits.timers) warn(warning, "profiling", "timers (CL_QUEUE_PROFILING_ENABLE)");
    return device->limits.timers;
}

void lite_cl_queue_check_hints(const LiteClDevice* device, LiteClQueueHints* hints,
                               char warning[LITE_CL_WARNING]) {
    warning[0] = '\0';
    check_hint(device, "priority", "cl_khr_priority_hints", &hints->priority, warning);
    check_hint(device, "throttle", "cl_khr_throttle_hints", &hints->throttle, warning);
}

TfLiteStatus lite_cl_queue_create(const LiteClDevice* device, cl_command_queue_properties properties,
                                  const LiteClQueueHints* hints, cl_command_queue* queue,
                                  const LiteReporter* reporter) {
    const LiteCl* cl = device->cl;
    cl_int error;
    if (hints->priority == 0 && hints->throttle == 0) {
        *queue = cl->clCreateCommandQueue(device->context, device->id, properties, &error);
        return lite_cl_check(reporter, "clCreateCommandQueue", error);
    }
    cl_bitfield list[7] = {CL_QUEUE_PROPERTIES, properties};
    int count = 2;
    if (hints->priority != 0) {
        list[count++] = CL_QUEUE_PRIORITY_KHR;
        list[count++] = hints->priority;
    }
    if (hints->throttle != 0) {
        list[count++] = CL_QUEUE_THROTTLE_KHR;
        list[count++] = hints->throttle;
    }
    *queue = cl->clCreateCommandQueueWithProperties(device->context, device->id, list, &error);
    return lite_cl_check(reporter, "clCreateCommandQueueWithProperties", error);
}
