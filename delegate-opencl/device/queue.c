// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/queue.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"

// Is `name` one of the words of the device's list?
static bool has_extension(const LiteClDevice* device, const char* name) {
    size_t size = 0;
    if (device->cl->clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
        return false;
    char* list = lite_calloc(1, size + 1);
    bool found = false;
    if (list != NULL &&
        device->cl->clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, size, list, NULL) == CL_SUCCESS) {
        char* position = NULL;
        for (char* word = strtok_r(list, " ", &position); word != NULL && !found;
             word = strtok_r(NULL, " ", &position))
            found = strcmp(word, name) == 0;
    }
    lite_free(list);
    return found;
}

// The queue's properties are those of OpenCL 2.0: "OpenCL 1.2 ..." has no function for them.
static bool has_properties(const LiteClDevice* device) {
    char version[128] = "";
    (void)device->cl->clGetDeviceInfo(device->id, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    static const char prefix[] = "OpenCL ";
    return device->cl->clCreateCommandQueueWithProperties != NULL &&
           strncmp(version, prefix, sizeof prefix - 1) == 0 && version[sizeof prefix - 1] >= '2';
}

static void check_hint(const LiteClDevice* device, const char* key, const char* extension, cl_uint* hint,
                       char warning[LITE_CL_WARNING]) {
    if (*hint == 0 || (has_properties(device) && has_extension(device, extension))) return;
    *hint = 0;
    const size_t length = strlen(warning);
    snprintf(warning + length, LITE_CL_WARNING - length, "%soption %s has no effect: the device has no %s",
             length > 0 ? "; " : "", key, extension);
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
