// SPDX-License-Identifier: Apache-2.0
// Nodes behind a convolution or product of floats whose work it does where it stores its output: those that
// give each element of its own, from the output and constants of one element.
#ifndef DELEGATE_OPENCL_OPS_CONV_TAIL_H_
#define DELEGATE_OPENCL_OPS_CONV_TAIL_H_

#include "delegate-opencl/graph/followers.h"
#include "delegate-opencl/ops/conv/product.h"
#include "delegate-opencl/plan/plan.h"

// As many followers as can be the node's tail. False: none can.
bool lite_cl_find_tail(const LiteClNode* node, const LiteClFollowers* followers, LiteClTail* tail);

// The same for the followers from number `from` on, behind `output`, which the text calls v: adds the longest
// tail that is closed to the steps. Returns how many nodes it has.
int lite_cl_tail_add(const LiteClTensor* output, const LiteClFollowers* followers, int from,
                     LiteClSteps* steps);

// Lowers `gemm`, which is the node's, together with its tail, or with the addition of a residual connection
// behind it. *joined: with how many followers; 0: it is better, or has to be, lowered by itself.
TfLiteStatus lite_cl_gemm_join(LiteClPlan* plan, const LiteClNode* node, const LiteClGemm* gemm,
                               const LiteClFollowers* followers, int* joined);

#endif
