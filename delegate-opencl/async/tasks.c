// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/async/tasks.h"

#include "delegate-opencl/async/buffers.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/prepare.h"
#include "delegate-opencl/plan/finish.h"
#include "delegate-opencl/plan/run.h"

// An execution that is being enqueued.
typedef struct Run {
    LiteClAsync* async;
    const LiteClPlan* plan;
    const LiteCl* cl;
    TfLiteExecutionTask* task;
    LiteClJob* job;
    const LiteReporter* reporter;
} Run;

static bool is_empty(const Run* run, int t) {
    return run->plan->storages[run->async->tensors[t].tensor->storage].bytes == 0;
}

static TfLiteSynchronization* sync_of(const Run* run, int t) {
    const LiteClAsyncTensor* tensor = &run->async->tensors[t];
    return tensor->has_event ? TfLiteExecutionTaskGetSyncByIndex(run->task, tensor->tensor->index) : NULL;
}

// Jobs. The caller holds the mutex.

static void release_job(LiteClAsync* async, LiteClJob* job) {
    if (job == NULL || --job->references > 0) return;
    LiteClJob** link = &async->jobs;
    while (*link != job) link = &(*link)->next;
    *link = job->next;
    const LiteCl* cl = async->partition->device->cl;
    if (job->done != NULL) cl->clReleaseEvent(job->done);
    for (cl_uint e = 0; e < job->event_count; e++) cl->clReleaseEvent(job->events[e]);
    lite_free(job->events);
    lite_free(job);
}

void lite_cl_async_free_jobs(LiteClAsync* async) {
    while (async->jobs != NULL) release_job(async, async->jobs);
}

// Replaces the last job of the task by a new one.
static TfLiteStatus replace_job(Run* run) {
    LiteClAsync* async = run->async;
    release_job(async, TfLiteExecutionTaskGetDelegateExecutionData(run->task, async->kernel));
    LiteClJob* job = lite_calloc(1, sizeof *job + (size_t)async->tensor_count * sizeof *job->buffers);
    TfLiteExecutionTaskSetDelegateExecutionData(run->task, async->kernel, job);
    if (job == NULL) return lite_report(run->reporter, "OpenCL: out of memory");
    run->job = job;
    *job = (LiteClJob){.next = async->jobs, .references = 1, .status = kTfLiteError, .waited = true};
    async->jobs = job;
    // One for the inputs' events, and one for each transfer and step.
    const size_t most = 1 + (size_t)async->tensor_count + (size_t)run->plan->step_count;
    job->events = lite_calloc(most, sizeof(cl_event));
    if (job->events == NULL) return lite_report(run->reporter, "OpenCL: out of memory");
    return kTfLiteOk;
}

// Checks of the task.

static TfLiteStatus check_buffer(const Run* run, const LiteClAsyncTensor* tensor,
                                 const LiteClBuffer* buffer) {
    const int index = tensor->tensor->index;
    const size_t bytes = run->plan->storages[tensor->tensor->storage].bytes;
    if (buffer == NULL)
        return lite_report(run->reporter, "OpenCL: tensor %d has no registered buffer", index);
    if (tensor->type != kLiteClMemoryTypes && tensor->type != buffer->type) {
        return lite_report(run->reporter,
                           "OpenCL: buffer %d is not of the type that was agreed on for tensor %d",
                           buffer->handle, index);
    }
    if (tensor->is_output ? !buffer->writable : !buffer->readable) {
        return lite_report(run->reporter, "OpenCL: buffer %d cannot be used for %s (tensor %d)",
                           buffer->handle, tensor->is_output ? "an output" : "an input", index);
    }
    if (buffer->bytes >= bytes) return kTfLiteOk;
    return lite_report(run->reporter, "OpenCL: buffer %d has %zu bytes, tensor %d needs %zu", buffer->handle,
                       buffer->bytes, index, bytes);
}

// Kernels may read an input after they have written an output.
static TfLiteStatus check_apart(const Run* run, int output) {
    const LiteClBuffer* own = run->job->buffers[output];
    for (int t = 0; t < run->async->tensor_count; t++) {
        const LiteClBuffer* other = run->job->buffers[t];
        if (t == output || own == NULL || other == NULL || !lite_cl_buffers_overlap(own, other)) continue;
        return lite_report(run->reporter, "OpenCL: tensors %d and %d share memory, and one is an output",
                           run->async->tensors[t].tensor->index, run->async->tensors[output].tensor->index);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_event(const Run* run, int t) {
    const TfLiteSynchronization* sync = sync_of(run, t);
    cl_event event = sync != NULL ? TfLiteSynchronizationGetPtr(sync) : NULL;
    if (event == NULL) return kTfLiteOk;
    cl_context context = NULL;
    LITE_TRY(lite_cl_check(
        run->reporter, "clGetEventInfo of an input's event",
        run->cl->clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(context), (void*)&context, NULL)));
    if (context == run->plan->device->context) return kTfLiteOk;
    return lite_report(run->reporter, "OpenCL: the event of tensor %d is of another context",
                       run->async->tensors[t].tensor->index);
}

static TfLiteStatus check(const Run* run, const TfLiteOpaqueContext* context) {
    LiteClAsync* async = run->async;
    const bool current = async->prepared && async->build == run->plan->builds;
    if (!current || !lite_cl_partition_is_current(async->partition, context)) {
        return lite_report(run->reporter, "OpenCL: shapes or attributes have changed: "
                                          "TfLiteAsyncSignatureRunnerPrepareBackends must come first");
    }
    for (int t = 0; t < async->tensor_count; t++) {
        if (is_empty(run, t)) continue;
        const LiteClAsyncTensor* tensor = &async->tensors[t];
        LiteClBuffer* buffer = lite_cl_async_find_buffer(
            async, TfLiteExecutionTaskGetBufferByIndex(run->task, tensor->tensor->index));
        LITE_TRY(check_buffer(run, tensor, buffer));
        run->job->buffers[t] = buffer;
    }
    for (int t = 0; t < async->tensor_count; t++) {
        LITE_TRY(async->tensors[t].is_output ? check_apart(run, t) : check_event(run, t));
    }
    return kTfLiteOk;
}

// Enqueuing.

static cl_event* next_event(const Run* run) {
    return &run->job->events[run->job->event_count];
}

// Counts the event if the command was enqueued.
static TfLiteStatus enqueued(const Run* run, const char* what, cl_int error) {
    if (error == CL_SUCCESS) run->job->event_count++;
    return lite_cl_check(run->reporter, what, error);
}

// Takes over the references of the inputs' events. Where inputs share a synchronization object, it is empty
// for the second one.
static TfLiteStatus wait_for_inputs(const Run* run) {
    const LiteClAsync* async = run->async;
    cl_event* events = lite_calloc((size_t)async->tensor_count + 1, sizeof(cl_event));
    if (events == NULL) return lite_report(run->reporter, "OpenCL: out of memory");
    cl_uint count = 0;
    for (int t = 0; t < async->tensor_count; t++) {
        TfLiteSynchronization* sync = async->tensors[t].is_output ? NULL : sync_of(run, t);
        cl_event event = sync != NULL ? TfLiteSynchronizationGetPtr(sync) : NULL;
        if (event == NULL) continue;
        TfLiteSynchronizationSetPtr(sync, NULL);
        events[count++] = event;
    }
    TfLiteStatus status = kTfLiteOk;
    if (count > 0) {
        status = enqueued(
            run, "clEnqueueBarrierWithWaitList",
            lite_cl_queue_barrier(run->plan->device, run->plan->queue, count, events, next_event(run)));
    }
    for (cl_uint e = 0; e < count; e++) run->cl->clReleaseEvent(events[e]);
    lite_free(events);
    return status;
}

static TfLiteStatus bind(const Run* run, int t) {
    const LiteClAsyncTensor* tensor = &run->async->tensors[t];
    const LiteClBuffer* buffer = run->job->buffers[t];
    if (buffer == NULL) return kTfLiteOk; // an empty tensor
    cl_mem memory = buffer->type == kLiteClHostMemory ? tensor->staging : buffer->memory;
    return lite_cl_plan_bind(&run->async->partition->plan, tensor->tensor->storage, memory, run->reporter);
}

// From or to host memory.
static TfLiteStatus copy(const Run* run, int t) {
    const LiteClAsyncTensor* tensor = &run->async->tensors[t];
    const LiteClBuffer* buffer = run->job->buffers[t];
    if (buffer == NULL || buffer->type != kLiteClHostMemory) return kTfLiteOk;
    const size_t bytes = run->plan->storages[tensor->tensor->storage].bytes;
    if (tensor->is_output) {
        return enqueued(run, "clEnqueueReadBuffer",
                        run->cl->clEnqueueReadBuffer(run->plan->queue, tensor->staging, CL_FALSE, 0, bytes,
                                                     buffer->host, 0, NULL, next_event(run)));
    }
    return enqueued(run, "clEnqueueWriteBuffer",
                    run->cl->clEnqueueWriteBuffer(run->plan->queue, tensor->staging, CL_FALSE, 0, bytes,
                                                  buffer->host, 0, NULL, next_event(run)));
}

static TfLiteStatus enqueue_commands(const Run* run) {
    LiteClAsync* async = run->async;
    const int inputs = async->partition->boundary.input_count;
    LITE_TRY(wait_for_inputs(run));
    for (int t = 0; t < async->tensor_count; t++) LITE_TRY(bind(run, t));
    for (int t = 0; t < inputs; t++) LITE_TRY(copy(run, t));
    // One that does not run, because of an event of the program's, would not be counted in a series.
    LITE_TRY(lite_cl_plan_make_kernels(&run->async->partition->plan, run->reporter));
    LITE_TRY(lite_cl_plan_enqueue(run->plan, run->job->events, &run->job->event_count, run->reporter));
    for (int t = inputs; t < async->tensor_count; t++) LITE_TRY(copy(run, t));
    return kTfLiteOk;
}

// Makes one event for all commands, which fails when any of them does. It is also made after a failure,
// because the commands that were enqueued before work on the program's memory.
static TfLiteStatus enqueue_end(const Run* run) {
    LiteClJob* job = run->job;
    const cl_event* events = job->event_count > 0 ? job->events : NULL;
    const cl_int error =
        lite_cl_queue_marker(run->plan->device, run->plan->queue, job->event_count, events, &job->done);
    if (error != CL_SUCCESS) {
        job->done = NULL;
        (void)run->cl->clFinish(run->plan->queue);
    }
    LITE_TRY(lite_cl_check(run->reporter, "clEnqueueMarkerWithWaitList", error));
    return lite_cl_check(run->reporter, "clFlush", run->cl->clFlush(run->plan->queue));
}

// Hands out the event, or nothing after a failure. Outputs that share a synchronization object get one
// reference.
static TfLiteStatus give_events(const Run* run, cl_event done) {
    const int inputs = run->async->partition->boundary.input_count;
    for (int t = inputs; t < run->async->tensor_count; t++) {
        if (sync_of(run, t) != NULL) TfLiteSynchronizationSetPtr(sync_of(run, t), NULL);
    }
    for (int t = inputs; t < run->async->tensor_count && done != NULL; t++) {
        TfLiteSynchronization* sync = sync_of(run, t);
        if (sync == NULL || TfLiteSynchronizationGetPtr(sync) != NULL) continue;
        LITE_TRY(lite_cl_check(run->reporter, "clRetainEvent", run->cl->clRetainEvent(done)));
        TfLiteSynchronizationSetPtr(sync, done);
    }
    return kTfLiteOk;
}

static TfLiteStatus enqueue(const Run* run) {
    const TfLiteStatus commands = enqueue_commands(run);
    const TfLiteStatus end = enqueue_end(run);
    LITE_TRY(commands);
    LITE_TRY(end);
    return give_events(run, run->job->done);
}

static TfLiteStatus eval(Run* run, const TfLiteOpaqueContext* context) {
    LITE_TRY(replace_job(run));
    LITE_TRY(check(run, context));
    run->job->waited = false;
    run->job->status = enqueue(run) == kTfLiteOk ? kTfLiteOk : kTfLiteDelegateError;
    return run->job->status;
}

TfLiteStatus lite_cl_async_eval(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                TfLiteOpaqueNode* node, TfLiteExecutionTask* task) {
    (void)node;
    LiteClAsync* async = lite_cl_async_of(kernel);
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)context);
    Run run = {.async = async,
               .plan = &async->partition->plan,
               .cl = async->partition->device->cl,
               .task = task,
               .reporter = &reporter};
    lite_lock(&async->mutex);
    const TfLiteStatus status = eval(&run, context);
    if (status != kTfLiteOk) (void)give_events(&run, NULL);
    lite_unlock(&async->mutex);
    return status;
}

// Waiting.

static TfLiteStatus wait_for(const LiteCl* cl, cl_event done, const LiteReporter* reporter) {
    const cl_int waited = cl->clWaitForEvents(1, &done);
    cl_int status = CL_COMPLETE;
    (void)cl->clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    // clWaitForEvents says only that there was a failure.
    return lite_cl_check(reporter, "execution of a task", status < 0 ? status : waited);
}

// Several threads may wait here, and one that leaves early may have the task enqueued again.
static TfLiteStatus wait_for_task(LiteClAsync* async, TfLiteExecutionTask* task,
                                  const LiteReporter* reporter) {
    lite_lock(&async->mutex);
    LiteClJob* job = TfLiteExecutionTaskGetDelegateExecutionData(task, async->kernel);
    if (job != NULL) job->references++;
    lite_unlock(&async->mutex);
    if (job == NULL) return kTfLiteError;
    TfLiteStatus status = job->status;
    if (job->done != NULL && wait_for(async->partition->device->cl, job->done, reporter) != kTfLiteOk) {
        status = kTfLiteDelegateError;
    }
    lite_lock(&async->mutex);
    job->waited = true;
    release_job(async, job);
    lite_unlock(&async->mutex);
    return status;
}

TfLiteStatus lite_cl_async_wait(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                TfLiteExecutionTask* task) {
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)context);
    return wait_for_task(lite_cl_async_of(kernel), task, &reporter);
}

TfLiteStatus lite_cl_async_finish(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                  TfLiteExecutionTask* task) {
    (void)context;
    LiteClAsync* async = lite_cl_async_of(kernel);
    // Nobody needs to know any more how it ended.
    (void)wait_for_task(async, task, NULL);
    lite_lock(&async->mutex);
    release_job(async, TfLiteExecutionTaskGetDelegateExecutionData(task, kernel));
    TfLiteExecutionTaskSetDelegateExecutionData(task, kernel, NULL);
    lite_unlock(&async->mutex);
    return kTfLiteOk;
}
