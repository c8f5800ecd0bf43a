// SPDX-License-Identifier: Apache-2.0
// The second phase of a plan's build, when all of its steps are known.
#ifndef DELEGATE_OPENCL_PLAN_FINISH_H_
#define DELEGATE_OPENCL_PLAN_FINISH_H_

#include "delegate-opencl/plan/plan.h"

// Gives storages their memory and kernels their buffers, and makes series of the steps.
TfLiteStatus lite_cl_plan_finish(LiteClPlan* plan);

// Makes kernels for all steps that have none, so that each can be launched by itself.
TfLiteStatus lite_cl_plan_make_kernels(LiteClPlan* plan, const LiteReporter* reporter);

// Lets the kernels of later runs work on `memory` in place of the storage, until the next call for it.
TfLiteStatus lite_cl_plan_bind(LiteClPlan* plan, int storage, cl_mem memory, const LiteReporter* reporter);

#endif
