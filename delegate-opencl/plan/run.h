// SPDX-License-Identifier: Apache-2.0
// Runs a plan: host memory in, launches, host memory out.
#ifndef DELEGATE_OPENCL_PLAN_RUN_H_
#define DELEGATE_OPENCL_PLAN_RUN_H_

#include "delegate-opencl/plan/plan.h"

// Enqueues all steps. `events`, if not NULL, receives the event of each, from [*event_count] on; *event_count
// grows by their number. Each is a launch then, and has its kernel (lite_cl_plan_make_kernels).
TfLiteStatus lite_cl_plan_enqueue(const LiteClPlan* plan, cl_event* events, cl_uint* event_count,
                                  const LiteReporter* reporter);

// Runs all steps on the host's tensors and waits. Reports through `reporter`. kTfLiteCancelled, without a
// message, when the host says meanwhile that the inference is to end: variables are then as they were,
// outputs undefined.
TfLiteStatus lite_cl_plan_run(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                              const LiteReporter* reporter);

// The same in two parts, for a plan without a profile, where nobody can cancel the inference. Between them
// the device works on the host's tensors. When start has failed there is nothing to complete.
TfLiteStatus lite_cl_plan_start(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                                const LiteReporter* reporter);
TfLiteStatus lite_cl_plan_complete(LiteClPlan* plan, const TfLiteOpaqueContext* context,
                                   const LiteReporter* reporter);

#endif
