// SPDX-License-Identifier: Apache-2.0
// Launches of an inference that can be cancelled: the queue is never filled far ahead, and a launch that
// takes long goes to the device in several parts. Between them the host is asked whether to go on.
#ifndef DELEGATE_OPENCL_PLAN_PACE_H_
#define DELEGATE_OPENCL_PLAN_PACE_H_

#include "core/base/cancel.h"
#include "delegate-opencl/plan/plan.h"

typedef struct LiteClPace {
    const LiteCancelHook* hook;
    // Waits until the queue is empty.
    TfLiteStatus (*drain)(void* argument);
    void* argument;
    uint64_t queued_ns; // about so long the device needs for what has been enqueued since the last wait
} LiteClPace;

// Enqueues all steps, and waits in between: a step that has not run twice is launched alone, because nobody
// knows yet how long it takes. kTfLiteCancelled when the host says so: the rest is not enqueued.
// `events` as lite_cl_plan_enqueue has it; with events launches are not divided.
TfLiteStatus lite_cl_pace_enqueue(LiteClPace* pace, const LiteClPlan* plan, cl_event* events,
                                  cl_uint* event_count, const LiteReporter* reporter);

#endif
