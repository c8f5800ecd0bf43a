// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX over the last dimension (kernels-cl/softmax.cl).
#ifndef DELEGATE_OPENCL_OPS_COMMON_SOFTMAX_H_
#define DELEGATE_OPENCL_OPS_COMMON_SOFTMAX_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

// Can the integers of the input be looked up in tables? `beta` is 1 for LOG_SOFTMAX.
bool lite_cl_softmax_check(const LiteClTensor* input, float beta, LiteClReason* reason);
TfLiteStatus lite_cl_softmax_lower(LiteClPlan* plan, const LiteClNode* node, float beta, bool is_log);

#endif
