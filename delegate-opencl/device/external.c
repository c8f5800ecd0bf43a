// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/external.h"

#include "core/base/memory.h"

static TfLiteStatus complete_from_queue(LiteClExternal* external, const LiteCl* cl,
                                        const LiteReporter* reporter) {
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
#define ASK(what, value)                                                                                     \
    LITE_TRY(lite_cl_check(                                                                                  \
        reporter, "option queue: clGetCommandQueueInfo (" #what ")",                                         \
        cl->clGetCommandQueueInfo(external->queue, what, sizeof(value), (void*)&(value), NULL)))
    ASK(CL_QUEUE_CONTEXT, context);
    ASK(CL_QUEUE_DEVICE, device);
    ASK(CL_QUEUE_PROPERTIES, properties);
#undef ASK
    if (external->context != NULL && external->context != context)
        return lite_report(reporter, "OpenCL: option queue: it is of another context than option context");
    if (external->device != NULL && external->device != device)
        return lite_report(reporter, "OpenCL: option queue: it is of another device than option device_id");
    if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0) {
        return lite_report(reporter, "OpenCL: option queue: it runs commands out of order, and a partition's "
                                     "kernels depend on their order");
    }
    if (external->timed && (properties & CL_QUEUE_PROFILING_ENABLE) == 0) {
        return lite_report(
            reporter, "OpenCL: option profiling: option queue was made without CL_QUEUE_PROFILING_ENABLE");
    }
    external->context = context;
    external->device = device;
    return kTfLiteOk;
}

static TfLiteStatus choose_device(LiteClExternal* external, const cl_device_id* devices, size_t count,
                                  const LiteReporter* reporter) {
    if (external->device == NULL && count == 1) external->device = devices[0];
    if (external->device == NULL) {
        return lite_report(reporter,
                           "OpenCL: option context: it has %zu devices, and no option device_id says which",
                           count);
    }
    for (size_t d = 0; d < count; d++) {
        if (devices[d] == external->device) return kTfLiteOk;
    }
    return lite_report(reporter, "OpenCL: option device_id: it is no device of option context");
}

static TfLiteStatus complete_from_context(LiteClExternal* external, const LiteCl* cl,
                                          const LiteReporter* reporter) {
    static const char what[] = "option context: clGetContextInfo (CL_CONTEXT_DEVICES)";
    size_t bytes = 0;
    LITE_TRY(lite_cl_check(reporter, what,
                           cl->clGetContextInfo(external->context, CL_CONTEXT_DEVICES, 0, NULL, &bytes)));
    cl_device_id* devices = lite_calloc(1, bytes + sizeof *devices);
    if (devices == NULL) return lite_report(reporter, "OpenCL: out of memory");
    TfLiteStatus status = lite_cl_check(
        reporter, what, cl->clGetContextInfo(external->context, CL_CONTEXT_DEVICES, bytes, devices, NULL));
    if (status == kTfLiteOk) status = choose_device(external, devices, bytes / sizeof *devices, reporter);
    lite_free(devices);
    return status;
}

TfLiteStatus lite_cl_external_complete(LiteClExternal* external, const LiteCl* cl,
                                       const LiteReporter* reporter) {
    if (external->queue != NULL) LITE_TRY(complete_from_queue(external, cl, reporter));
    return external->context != NULL ? complete_from_context(external, cl, reporter) : kTfLiteOk;
}
