// SPDX-License-Identifier: Apache-2.0
// A convolution and the depthwise convolution that alone reads it, in one launch
// (kernels-cl/conv_depthwise.cl).
#ifndef DELEGATE_OPENCL_OPS_CONV_CONV_DEPTHWISE_H_
#define DELEGATE_OPENCL_OPS_CONV_CONV_DEPTHWISE_H_

#include "delegate-opencl/graph/followers.h"
#include "delegate-opencl/ops/conv/gemm.h"
#include "delegate-opencl/plan/plan.h"

// For LiteClOp.join of a convolution that is lowered as `gemm`.
TfLiteStatus lite_cl_join_depthwise(LiteClPlan* plan, const LiteClNode* conv, const LiteClGemm* gemm,
                                    const LiteClFollowers* followers, int* joined);

#endif
