// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED of bytes with shuffled weights (core/semantics/shuffled.h).
#ifndef DELEGATE_OPENCL_OPS_FULLY_CONNECTED_SHUFFLED_H_
#define DELEGATE_OPENCL_OPS_FULLY_CONNECTED_SHUFFLED_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

// For infer: is the node, whose weights have two dimensions, one of those that the format is for?
bool lite_cl_shuffled_check(const LiteClNode* node, LiteClReason* reason);
// Output 1 receives the input as the reference multiplies it.
TfLiteStatus lite_cl_shuffled_lower(LiteClPlan* plan, const LiteClNode* node,
                                    TfLiteFusedActivation activation);

#endif
