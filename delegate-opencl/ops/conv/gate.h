// SPDX-License-Identifier: Apache-2.0
// A tensor that is multiplied channel by channel where a convolution of 1 x 1 reads it.
#ifndef DELEGATE_OPENCL_OPS_CONV_GATE_H_
#define DELEGATE_OPENCL_OPS_CONV_GATE_H_

#include "delegate-opencl/graph/followers.h"
#include "delegate-opencl/plan/plan.h"

// Lowers MUL, by a row of channels for each image, with the convolution behind it and what that joins.
// *joined: how many followers these are; 0: it is better, or has to be, lowered by itself.
TfLiteStatus lite_cl_join_gated(LiteClPlan* plan, const LiteClNode* mul, const LiteClFollowers* followers,
                                int* joined);

#endif
