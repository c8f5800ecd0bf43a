// SPDX-License-Identifier: Apache-2.0
// Running a plan: host memory in, launches, host memory out.
#include <string.h>

#include "delegate-opencl/plan.h"

// One run of a plan.
typedef struct Run {
    LiteClPlan* plan;
    const LiteCl* cl;
    cl_command_queue queue;
    const TfLiteOpaqueContext* context;
    const LiteReporter* reporter;
} Run;

static bool is_boundary(const LiteClStorage* storage) {
    return storage->kind == kLiteClInput || storage->kind == kLiteClOutput;
}

// The host's memory of an input or output; the host may have moved it, and may not have resized it.
static TfLiteStatus find_host(const Run* run, const LiteClStorage* storage, void** host) {
    const TfLiteOpaqueTensor* tensor = TfLiteOpaqueContextGetOpaqueTensor(run->context, storage->tensor);
    *host = tensor != NULL ? TfLiteOpaqueTensorData(tensor) : NULL;
    if (*host == NULL) return lite_report(run->reporter, "OpenCL: tensor %d has no data", storage->tensor);
    const size_t bytes = TfLiteOpaqueTensorByteSize(tensor);
    if (bytes == storage->bytes) return kTfLiteOk;
    return lite_report(run->reporter, "OpenCL: tensor %d has %zu bytes, %zu when it was prepared",
                       storage->tensor, bytes, storage->bytes);
}

// Shared memory: gives the region to the device, around other host memory than last time if need be.
static TfLiteStatus share(const Run* run, int index, void* host) {
    LiteClStorage* storage = &run->plan->storages[index];
    if (storage->mapped) {
        storage->mapped = false;
        LITE_TRY(lite_cl_check(
            run->reporter, "clEnqueueUnmapMemObject",
            run->cl->clEnqueueUnmapMemObject(run->queue, storage->memory, storage->host, 0, NULL, NULL)));
    }
    if (storage->host == host) return kTfLiteOk;
    if (storage->memory != NULL) run->cl->clReleaseMemObject(storage->memory);
    storage->host = NULL;
    cl_int error;
    storage->memory = run->cl->clCreateBuffer(
        run->plan->device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, storage->bytes, host, &error);
    LITE_TRY(lite_cl_check(run->reporter, "clCreateBuffer on host memory", error));
    storage->host = host;
    return lite_cl_plan_bind(run->plan, index, storage->memory, run->reporter);
}

static TfLiteStatus bring_in(const Run* run, int index) {
    LiteClStorage* storage = &run->plan->storages[index];
    if ((!is_boundary(storage) && storage->kind != kLiteClVariable) || storage->bytes == 0) return kTfLiteOk;
    void* host;
    LITE_TRY(find_host(run, storage, &host));
    if (storage->lent && storage->memory != NULL) {
        LITE_TRY(lite_cl_plan_bind(run->plan, index, storage->memory, run->reporter));
    }
    if (run->plan->device->shares_memory && is_boundary(storage)) return share(run, index, host);
    if (storage->kind == kLiteClOutput) return kTfLiteOk;
    return lite_cl_check(run->reporter, "clEnqueueWriteBuffer",
                         run->cl->clEnqueueWriteBuffer(run->queue, storage->memory, CL_FALSE, 0,
                                                       storage->bytes, host, 0, NULL, NULL));
}

static TfLiteStatus read_back(const Run* run, const LiteClStorage* storage, void* to) {
    return lite_cl_check(run->reporter, "clEnqueueReadBuffer",
                         run->cl->clEnqueueReadBuffer(run->queue, storage->memory, CL_FALSE, 0,
                                                      storage->bytes, to, 0, NULL, NULL));
}

static TfLiteStatus bring_out(const Run* run, int index) {
    LiteClStorage* storage = &run->plan->storages[index];
    if (storage->bytes == 0) return kTfLiteOk;
    if (storage->kind == kLiteClVariable) return read_back(run, storage, storage->result);
    if (!is_boundary(storage)) return kTfLiteOk;
    if (run->plan->device->shares_memory) {
        const cl_map_flags flags = storage->kind == kLiteClInput ? CL_MAP_WRITE : CL_MAP_READ;
        cl_int error;
        (void)run->cl->clEnqueueMapBuffer(run->queue, storage->memory, CL_FALSE, flags, 0, storage->bytes, 0,
                                          NULL, NULL, &error);
        storage->mapped = error == CL_SUCCESS;
        return lite_cl_check(run->reporter, "clEnqueueMapBuffer", error);
    }
    if (storage->kind == kLiteClInput) return kTfLiteOk;
    void* host;
    LITE_TRY(find_host(run, storage, &host));
    return read_back(run, storage, host);
}

// The host's variables become what the run has made of them: all of them, as nothing can fail any more.
static void keep_variables(const Run* run) {
    for (int i = 0; i < run->plan->storage_count; i++) {
        const LiteClStorage* storage = &run->plan->storages[i];
        if (storage->kind != kLiteClVariable || storage->bytes == 0) continue;
        const TfLiteOpaqueTensor* tensor = TfLiteOpaqueContextGetOpaqueTensor(run->context, storage->tensor);
        memcpy(TfLiteOpaqueTensorData(tensor), storage->result, storage->bytes);
    }
}

TfLiteStatus lite_cl_plan_enqueue(const LiteClPlan* plan, cl_event* events, cl_uint* event_count,
                                  const LiteReporter* reporter) {
    for (int s = 0; s < plan->step_count; s++) {
        const LiteClStep* step = &plan->steps[s];
        cl_event* event = events != NULL ? &events[*event_count] : NULL;
        const cl_int error = plan->device->cl->clEnqueueNDRangeKernel(
            plan->queue, step->kernel, 3, NULL, step->global, step->local, 0, NULL, event);
        LITE_TRY(lite_cl_check(reporter, step->name, error));
        if (events != NULL) (*event_count)++;
    }
    return kTfLiteOk;
}

static TfLiteStatus enqueue(const Run* run, cl_int* found) {
    const LiteClPlan* plan = run->plan;
    for (int i = 0; i < plan->storage_count; i++) LITE_TRY(bring_in(run, i));
    static const cl_int all_right = 0;
    if (plan->status >= 0) {
        LITE_TRY(lite_cl_check(run->reporter, "clEnqueueWriteBuffer of the status",
                               run->cl->clEnqueueWriteBuffer(run->queue, plan->storages[plan->status].memory,
                                                             CL_FALSE, 0, sizeof all_right, &all_right, 0,
                                                             NULL, NULL)));
    }
    LITE_TRY(lite_cl_plan_enqueue(plan, NULL, NULL, run->reporter));
    for (int i = 0; i < plan->storage_count; i++) LITE_TRY(bring_out(run, i));
    if (plan->status < 0) return kTfLiteOk;
    return lite_cl_check(run->reporter, "clEnqueueReadBuffer of the status",
                         run->cl->clEnqueueReadBuffer(run->queue, plan->storages[plan->status].memory,
                                                      CL_FALSE, 0, sizeof(cl_int), found, 0, NULL, NULL));
}

TfLiteStatus lite_cl_plan_run(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                              const LiteReporter* reporter) {
    const Run run = {plan, plan->device->cl, plan->queue, context, reporter};
    cl_int found = 0;
    const TfLiteStatus status = enqueue(&run, &found);
    // Also after a failure: nothing may touch the host's memory any more once this returns.
    const TfLiteStatus finished = lite_cl_check(reporter, "clFinish", run.cl->clFinish(run.queue));
    if (status != kTfLiteOk || finished != kTfLiteOk) return kTfLiteError;
    if (found != 0)
        return lite_report(reporter, "OpenCL: node %d: an index, size or divisor is out of range", found - 1);
    keep_variables(&run);
    return kTfLiteOk;
}
