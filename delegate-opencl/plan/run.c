// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/run.h"

#include <string.h>
#include <time.h>

#include "core/base/system.h"
#include "delegate-opencl/plan/finish.h"
#include "delegate-opencl/plan/pace.h"
#include "delegate-opencl/plan/profile.h"
#include "delegate-opencl/plan/transfer.h"

TfLiteStatus lite_cl_plan_enqueue(const LiteClPlan* plan, cl_event* events, cl_uint* event_count,
                                  const LiteReporter* reporter) {
    for (int s = 0; s < plan->step_count; s++) {
        LiteClSeries* series =
            LITE_CL_HAS_SERIES && events == NULL ? lite_cl_series_at(&plan->series, s) : NULL;
        if (LITE_CL_HAS_SERIES && series != NULL) {
            LITE_TRY(lite_cl_series_enqueue(series, plan->device, plan->queue, reporter));
            s += series->count - 1;
            continue;
        }
        LiteClStep* step = &plan->steps[s];
        cl_event* event = events != NULL ? &events[*event_count] : NULL;
        LITE_TRY(lite_cl_step_enqueue(plan->device, step, plan->queue, NULL, step->global, event, reporter));
        if (events != NULL) (*event_count)++;
    }
    return kTfLiteOk;
}

// Polls until the event has happened or the time is over; often at first, when most runs end.
static TfLiteStatus wait_limited(const LiteClRun* run, cl_event event) {
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
static TfLiteStatus finish_limited(const LiteClRun* run) {
    cl_event event = NULL;
    TfLiteStatus status = lite_cl_check(run->reporter, "clEnqueueMarkerWithWaitList",
                                        lite_cl_queue_marker(run->plan->device, run->queue, 0, NULL, &event));
    if (status == kTfLiteOk) {
        status = lite_cl_check(run->reporter, "clFlush", run->cl->clFlush(run->queue));
        if (status == kTfLiteOk) status = wait_limited(run, event);
        run->cl->clReleaseEvent(event);
    }
    run->plan->abandoned = status != kTfLiteOk;
    return status;
}

// After this, also after a failure, nothing may touch the host's memory.
static TfLiteStatus finish(const LiteClRun* run) {
    if (run->plan->watchdog_ms > 0) return finish_limited(run);
    return lite_cl_check(run->reporter, "clFinish", run->cl->clFinish(run->queue));
}

static TfLiteStatus drain(void* run) {
    return finish(run);
}

// Where nobody can cancel the inference, all goes to the device at once. What a cancelled one has brought in
// is brought out again, as the host's memory may be mapped.
static TfLiteStatus enqueue_steps(LiteClRun* run) {
    cl_event* events = run->plan->profile != NULL ? run->plan->profile->events : NULL;
    LiteClPace pace = {.hook = lite_cancel_hook((const TfLiteContext*)(const void*)run->context),
                       .drain = drain,
                       .argument = run,
                       .queued_ns = 1}; // what has been brought in
    if (pace.hook == NULL) return lite_cl_plan_enqueue(run->plan, events, &run->event_count, run->reporter);
    LITE_TRY(lite_cl_plan_make_kernels(run->plan, run->reporter));
    const TfLiteStatus status =
        lite_cl_pace_enqueue(&pace, run->plan, events, &run->event_count, run->reporter);
    run->cancelled = status == kTfLiteCancelled;
    return run->cancelled ? kTfLiteOk : status;
}

static TfLiteStatus enqueue(LiteClRun* run) {
    const LiteClPlan* plan = run->plan;
    for (int i = 0; i < plan->storage_count; i++) LITE_TRY(lite_cl_transfer_in(run, i));
    static const cl_int all_right = 0;
    if (plan->status >= 0) {
        LITE_TRY(lite_cl_transfer_stage(run, &plan->storages[plan->status], sizeof(cl_int)));
        LITE_TRY(lite_cl_check(run->reporter, "clEnqueueWriteBuffer of the status",
                               run->cl->clEnqueueWriteBuffer(run->queue, plan->storages[plan->status].memory,
                                                             CL_FALSE, 0, sizeof all_right, &all_right, 0,
                                                             NULL, NULL)));
    }
    LITE_TRY(enqueue_steps(run));
    for (int i = 0; i < plan->storage_count; i++) LITE_TRY(lite_cl_transfer_out(run, i));
    if (plan->status < 0) return kTfLiteOk;
    return lite_cl_check(run->reporter, "clEnqueueReadBuffer of the status",
                         run->cl->clEnqueueReadBuffer(run->queue, plan->storages[plan->status].memory,
                                                      CL_FALSE, 0, sizeof(cl_int),
                                                      plan->storages[plan->status].staging, 0, NULL, NULL));
}

// Events of a run that goes on must not be released.
static void end_profile(const LiteClRun* run, bool succeeded) {
    if (run->plan->profile == NULL || run->plan->abandoned) return;
    lite_cl_profile_end(run->plan->profile, run->cl, run->event_count, succeeded);
}

static LiteClRun run_of(LiteClPlan* plan, const TfLiteOpaqueContext* context, const LiteReporter* reporter) {
    return (LiteClRun){plan, plan->device->cl, plan->queue, context, reporter, 0, false};
}

// `status` is that of enqueueing.
static TfLiteStatus complete(const LiteClRun* run, TfLiteStatus status) {
    const LiteClPlan* plan = run->plan;
    const TfLiteStatus finished = finish(run);
    const bool ended = !LITE_CL_HAS_SERIES ||
                       lite_cl_series_end(&plan->series, status == kTfLiteOk && finished == kTfLiteOk);
    end_profile(run, status == kTfLiteOk && finished == kTfLiteOk && !run->cancelled);
    LITE_TRY(status);
    LITE_TRY(finished);
    if (!ended) return lite_report(run->reporter, "OpenCL: the device has not run all kernels");
    if (run->cancelled) return kTfLiteCancelled;
    cl_int found = 0;
    if (plan->status >= 0) memcpy(&found, plan->storages[plan->status].staging, sizeof found);
    if (found != 0) {
        return lite_report(run->reporter, "OpenCL: node %d: an index, size or divisor is out of range",
                           found - 1);
    }
    return lite_cl_transfer_end(run);
}

TfLiteStatus lite_cl_plan_run(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                              const LiteReporter* reporter) {
    LiteClRun run = run_of(plan, context, reporter);
    const TfLiteStatus status = enqueue(&run);
    return complete(&run, status);
}

TfLiteStatus lite_cl_plan_start(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                                const LiteReporter* reporter) {
    LiteClRun run = run_of(plan, context, reporter);
    TfLiteStatus status = enqueue(&run);
    plan->begun_events = run.event_count;
    if (status == kTfLiteOk) status = lite_cl_check(reporter, "clFlush", run.cl->clFlush(run.queue));
    return status == kTfLiteOk ? kTfLiteOk : complete(&run, status);
}

TfLiteStatus lite_cl_plan_complete(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                                   const LiteReporter* reporter) {
    LiteClRun run = run_of(plan, context, reporter);
    run.event_count = plan->begun_events;
    return complete(&run, kTfLiteOk);
}
