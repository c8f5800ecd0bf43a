// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/run.h"

#include <string.h>
#include <time.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "delegate-opencl/plan/binding.h"
#include "delegate-opencl/plan/pace.h"
#include "delegate-opencl/plan/profile.h"

// One run of a plan.
typedef struct Run {
    LiteClPlan* plan;
    const LiteCl* cl;
    cl_command_queue queue;
    const TfLiteOpaqueContext* context;
    const LiteReporter* reporter;
    cl_uint event_count; // of kernels, with a profile
    bool cancelled;
} Run;

static bool is_boundary(const LiteClStorage* storage) {
    return storage->kind == kLiteClInput || storage->kind == kLiteClOutput;
}

// The host's memory of an input or output. The host may have moved it, but must not have resized it.
static TfLiteStatus find_tensor(const Run* run, const LiteClStorage* storage, void** host) {
    const TfLiteOpaqueTensor* tensor = TfLiteOpaqueContextGetOpaqueTensor(run->context, storage->tensor);
    *host = tensor != NULL ? TfLiteOpaqueTensorData(tensor) : NULL;
    if (*host == NULL) return lite_report(run->reporter, "OpenCL: tensor %d has no data", storage->tensor);
    const size_t bytes = TfLiteOpaqueTensorByteSize(tensor);
    if (bytes == storage->bytes) return kTfLiteOk;
    return lite_report(run->reporter, "OpenCL: tensor %d has %zu bytes, %zu when it was prepared",
                       storage->tensor, bytes, storage->bytes);
}

// Allocates memory of the plan, at least `bytes` bytes, for a storage.
static TfLiteStatus stage(const Run* run, LiteClStorage* storage, size_t bytes) {
    enum { ALIGNMENT = 64 };
    if (storage->staging == NULL) storage->staging = lite_aligned_alloc(ALIGNMENT, bytes);
    return storage->staging != NULL ? kTfLiteOk : lite_report(run->reporter, "OpenCL: out of memory");
}

// Where the queue reads or writes an input or output: the host's memory, or the plan's in its place, which
// gets the input's contents.
static TfLiteStatus find_host(const Run* run, LiteClStorage* storage, void** host) {
    LITE_TRY(find_tensor(run, storage, host));
    if (run->plan->watchdog_ms == 0) return kTfLiteOk;
    LITE_TRY(stage(run, storage, storage->bytes));
    if (storage->kind != kLiteClOutput) memcpy(storage->staging, *host, storage->bytes);
    *host = storage->staging;
    return kTfLiteOk;
}

// Lets kernels work on the program's memory where the tensor is bound.
static TfLiteStatus use_bound(const Run* run, int index) {
    LiteClStorage* storage = &run->plan->storages[index];
    cl_mem memory = NULL;
    if (run->plan->bindings != NULL && is_boundary(storage)) {
        LITE_TRY(lite_cl_bindings_find(run->plan->bindings, run->context, storage->tensor, storage->bytes,
                                       &memory, run->reporter));
    }
    storage->bound = memory != NULL;
    return storage->bound ? lite_cl_plan_bind(run->plan, index, memory, run->reporter) : kTfLiteOk;
}

// The host's memory does not have the contents of bound tensors.
static void mark_bound(const Run* run) {
    for (int i = 0; i < run->plan->storage_count; i++) {
        const LiteClStorage* storage = &run->plan->storages[i];
        if (!storage->bound) continue;
        ((TfLiteTensor*)TfLiteOpaqueContextGetOpaqueTensor(run->context, storage->tensor))->data_is_stale =
            true;
    }
}

// After a run has ended.
static TfLiteStatus copy_staged_outputs(const Run* run) {
    for (int i = 0; run->plan->watchdog_ms > 0 && i < run->plan->storage_count; i++) {
        const LiteClStorage* storage = &run->plan->storages[i];
        if (storage->kind != kLiteClOutput || storage->bytes == 0 || storage->bound) continue;
        void* host;
        LITE_TRY(find_tensor(run, storage, &host));
        memcpy(host, storage->staging, storage->bytes);
    }
    return kTfLiteOk;
}

// With shared memory: gives the region to the device; makes a new buffer when the host's memory has moved.
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
    LITE_TRY(use_bound(run, index));
    if (storage->bound) return kTfLiteOk;
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
    if (storage->bytes == 0 || storage->bound) return kTfLiteOk;
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
    void* host = storage->staging;
    if (host == NULL) LITE_TRY(find_tensor(run, storage, &host));
    return read_back(run, storage, host);
}

// Copies what the run has made of the variables into the host's memory. All of them: nothing can fail any
// more.
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
        const cl_int error =
            plan->device->cl->clEnqueueNDRangeKernel(plan->queue, step->kernel, 3, NULL, step->global,
                                                     step->local[0] > 0 ? step->local : NULL, 0, NULL, event);
        LITE_TRY(lite_cl_check(reporter, step->name, error));
        if (events != NULL) (*event_count)++;
    }
    return kTfLiteOk;
}

// Polls until the event has happened or the time is over; often at first, when most runs end.
static TfLiteStatus wait_limited(const Run* run, cl_event event) {
    enum { FIRST_NS = 20000, LONGEST_NS = 1000000 };
    const uint64_t begin = lite_clock_ns(), limit = (uint64_t)run->plan->watchdog_ms * 1000000;
    struct timespec pause = {0, FIRST_NS};
    for (;;) {
        cl_int state = CL_COMPLETE;
        LITE_TRY(lite_cl_check(
            run->reporter, "clGetEventInfo",
            run->cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL)));
        if (state <= CL_COMPLETE) return lite_cl_check(run->reporter, "execution", state);
        if (lite_clock_ns() - begin >= limit) break;
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec * 3 / 2 < LONGEST_NS ? pause.tv_nsec * 3 / 2 : LONGEST_NS;
    }
    (void)lite_report(run->reporter,
                      "OpenCL: the device has not ended within %d ms (watchdog_ms): what it works on is left "
                      "to it",
                      run->plan->watchdog_ms);
    return kTfLiteDelegateError;
}

// Waits with a time limit. Whatever fails here, the device may still be working.
static TfLiteStatus finish_limited(const Run* run) {
    cl_event event = NULL;
    TfLiteStatus status = lite_cl_check(run->reporter, "clEnqueueMarkerWithWaitList",
                                        run->cl->clEnqueueMarkerWithWaitList(run->queue, 0, NULL, &event));
    if (status == kTfLiteOk) {
        status = lite_cl_check(run->reporter, "clFlush", run->cl->clFlush(run->queue));
        if (status == kTfLiteOk) status = wait_limited(run, event);
        run->cl->clReleaseEvent(event);
    }
    run->plan->abandoned = status != kTfLiteOk;
    return status;
}

// After this, also after a failure, nothing may touch the host's memory.
static TfLiteStatus finish(const Run* run) {
    if (run->plan->watchdog_ms > 0) return finish_limited(run);
    return lite_cl_check(run->reporter, "clFinish", run->cl->clFinish(run->queue));
}

static TfLiteStatus drain(void* run) {
    return finish(run);
}

// Where nobody can cancel the inference, all goes to the device at once. What a cancelled one has brought in
// is brought out again, as the host's memory may be mapped.
static TfLiteStatus enqueue_steps(Run* run) {
    cl_event* events = run->plan->profile != NULL ? run->plan->profile->events : NULL;
    LiteClPace pace = {.hook = lite_cancel_hook((const TfLiteContext*)(const void*)run->context),
                       .drain = drain,
                       .argument = run,
                       .queued_ns = 1}; // what has been brought in
    if (pace.hook == NULL) return lite_cl_plan_enqueue(run->plan, events, &run->event_count, run->reporter);
    const TfLiteStatus status =
        lite_cl_pace_enqueue(&pace, run->plan, events, &run->event_count, run->reporter);
    run->cancelled = status == kTfLiteCancelled;
    return run->cancelled ? kTfLiteOk : status;
}

static TfLiteStatus enqueue(Run* run) {
    const LiteClPlan* plan = run->plan;
    for (int i = 0; i < plan->storage_count; i++) LITE_TRY(bring_in(run, i));
    static const cl_int all_right = 0;
    if (plan->status >= 0) {
        LITE_TRY(stage(run, &plan->storages[plan->status], sizeof(cl_int)));
        LITE_TRY(lite_cl_check(run->reporter, "clEnqueueWriteBuffer of the status",
                               run->cl->clEnqueueWriteBuffer(run->queue, plan->storages[plan->status].memory,
                                                             CL_FALSE, 0, sizeof all_right, &all_right, 0,
                                                             NULL, NULL)));
    }
    LITE_TRY(enqueue_steps(run));
    for (int i = 0; i < plan->storage_count; i++) LITE_TRY(bring_out(run, i));
    if (plan->status < 0) return kTfLiteOk;
    return lite_cl_check(run->reporter, "clEnqueueReadBuffer of the status",
                         run->cl->clEnqueueReadBuffer(run->queue, plan->storages[plan->status].memory,
                                                      CL_FALSE, 0, sizeof(cl_int),
                                                      plan->storages[plan->status].staging, 0, NULL, NULL));
}

// Events of a run that goes on must not be released.
static void end_profile(const Run* run, bool succeeded) {
    if (run->plan->profile == NULL || run->plan->abandoned) return;
    lite_cl_profile_end(run->plan->profile, run->cl, run->event_count, succeeded);
}

TfLiteStatus lite_cl_plan_run(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                              const LiteReporter* reporter) {
    Run run = {plan, plan->device->cl, plan->queue, context, reporter, 0, false};
    const TfLiteStatus status = enqueue(&run);
    const TfLiteStatus finished = finish(&run);
    end_profile(&run, status == kTfLiteOk && finished == kTfLiteOk && !run.cancelled);
    LITE_TRY(status);
    LITE_TRY(finished);
    if (run.cancelled) return kTfLiteCancelled;
    LITE_TRY(copy_staged_outputs(&run));
    cl_int found = 0;
    if (plan->status >= 0) memcpy(&found, plan->storages[plan->status].staging, sizeof found);
    if (found != 0) {
        return lite_report(reporter, "OpenCL: node %d: an index, size or divisor is out of range", found - 1);
    }
    keep_variables(&run);
    mark_bound(&run);
    return kTfLiteOk;
}
