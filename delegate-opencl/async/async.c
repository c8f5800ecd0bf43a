// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/async/async.h"

#include "delegate-opencl/async/attributes.h"
#include "delegate-opencl/async/buffers.h"
#include "delegate-opencl/async/tasks.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/prepare.h"

static void release_staging(const LiteClAsync* async) {
    for (int t = 0; t < async->tensor_count; t++) {
        cl_mem* staging = &async->tensors[t].staging;
        if (*staging == NULL) continue;
        async->partition->device->cl->clReleaseMemObject(*staging);
        atomic_fetch_sub(async->partition->plan.memory, async->tensors[t].staging_bytes);
        *staging = NULL;
    }
}

static TfLiteStatus create_staging(const LiteClAsync* async, const LiteReporter* reporter) {
    const LiteClPlan* plan = &async->partition->plan;
    for (int t = 0; t < async->tensor_count; t++) {
        LiteClAsyncTensor* tensor = &async->tensors[t];
        const size_t bytes = plan->storages[tensor->tensor->storage].bytes;
        if (bytes == 0 || tensor->type == kLiteClDeviceMemory) continue;
        cl_int error;
        tensor->staging =
            plan->device->cl->clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
        LITE_TRY(lite_cl_check(reporter, "clCreateBuffer for host memory", error));
        tensor->staging_bytes = bytes;
        atomic_fetch_add(plan->memory, bytes);
    }
    return kTfLiteOk;
}

// Shapes may have changed since buffers were agreed on.
static TfLiteStatus check_agreed_sizes(const LiteClAsync* async, const LiteReporter* reporter) {
    for (int t = 0; t < async->tensor_count; t++) {
        const LiteClAsyncTensor* tensor = &async->tensors[t];
        const size_t bytes = async->partition->plan.storages[tensor->tensor->storage].bytes;
        if (tensor->type == kLiteClMemoryTypes || tensor->agreed_bytes >= bytes) continue;
        return lite_report(reporter, "OpenCL: tensor %d has %zu bytes now, buffers of %zu were agreed on",
                           tensor->tensor->index, bytes, tensor->agreed_bytes);
    }
    return kTfLiteOk;
}

static TfLiteStatus make_ready(LiteClAsync* async, TfLiteContext* context) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    async->prepared = false;
    LITE_TRY(lite_cl_partition_prepare(async->partition, context));
    if (async->partition->late) {
        return lite_report(&reporter, "OpenCL: parameters that are computed or given with each inference "
                                      "cannot be read before executions in flight");
    }
    if (async->partition->plan.status >= 0) {
        return lite_report(&reporter, "OpenCL: a node checks indices or divisors, which executions in flight "
                                      "cannot report");
    }
    LITE_TRY(check_agreed_sizes(async, &reporter));
    // Executions in flight keep what is released here alive.
    release_staging(async);
    LITE_TRY(create_staging(async, &reporter));
    async->build = async->partition->plan.builds;
    async->prepared = true;
    return kTfLiteOk;
}

static TfLiteStatus prepare(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)node;
    LiteClAsync* async = lite_cl_async_of(kernel);
    lite_lock(&async->mutex);
    const TfLiteStatus status = make_ready(async, (TfLiteContext*)context);
    lite_unlock(&async->mutex);
    return status == kTfLiteOk ? kTfLiteOk : kTfLiteDelegateError;
}

static void set_functions(TfLiteAsyncKernel* kernel) {
    TfLiteAsyncKernelSetRegisterBuffer(kernel, lite_cl_async_register_buffer);
    TfLiteAsyncKernelSetRegisterBufferSlice(kernel, lite_cl_async_register_slice);
    TfLiteAsyncKernelSetUnregisterBuffer(kernel, lite_cl_async_unregister_buffer);
    TfLiteAsyncKernelSetSupportedBufferTypes(kernel, lite_cl_async_buffer_types);
    TfLiteAsyncKernelSetSupportedSynchronizations(kernel, lite_cl_async_synchronizations);
    TfLiteAsyncKernelSetReconcileRestrictions(kernel, lite_cl_async_reconcile);
    TfLiteAsyncKernelSetSetAttributes(kernel, lite_cl_async_set_attributes);
    TfLiteAsyncKernelSetPrepare(kernel, prepare);
    TfLiteAsyncKernelSetEval(kernel, lite_cl_async_eval);
    TfLiteAsyncKernelSetWait(kernel, lite_cl_async_wait);
    TfLiteAsyncKernelSetFinish(kernel, lite_cl_async_finish);
}

LiteClAsync* lite_cl_async_create(LiteClPartition* partition, const LiteReporter* reporter) {
    LiteClAsync* async = lite_calloc(1, sizeof *async);
    if (async == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    lite_lock_init(&async->mutex);
    async->partition = partition;
    async->tensor_count = partition->boundary.input_count + partition->boundary.output_count;
    async->tensors = lite_calloc((size_t)async->tensor_count + 1, sizeof *async->tensors);
    async->kernel = TfLiteAsyncKernelCreate(async);
    if (async->tensors == NULL || async->kernel == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        lite_cl_async_destroy(async);
        return NULL;
    }
    set_functions(async->kernel);
    for (int t = 0; t < async->tensor_count; t++) {
        const bool is_output = t >= partition->boundary.input_count;
        LiteClTensor* tensor = is_output ? partition->boundary.outputs[t - partition->boundary.input_count]
                                         : partition->boundary.inputs[t];
        async->tensors[t] =
            (LiteClAsyncTensor){.tensor = tensor, .is_output = is_output, .type = kLiteClMemoryTypes};
    }
    return async;
}

void lite_cl_async_destroy(LiteClAsync* async) {
    if (async == NULL) return;
    lite_cl_async_free_jobs(async);
    lite_cl_buffers_destroy(async->partition->device, &async->buffers);
    if (async->tensors != NULL) release_staging(async);
    TfLiteAsyncKernelDelete(async->kernel);
    lite_free(async->tensors);
    lite_lock_destroy(&async->mutex);
    lite_free(async);
}

TfLiteAsyncKernel* lite_cl_async_kernel(const LiteClAsync* async) {
    return async->kernel;
}
