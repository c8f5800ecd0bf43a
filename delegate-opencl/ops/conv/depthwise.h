// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D with a small filter, for whose size a kernel is compiled so that its tile stays in
// registers.
#ifndef DELEGATE_OPENCL_OPS_CONV_DEPTHWISE_H_
#define DELEGATE_OPENCL_OPS_CONV_DEPTHWISE_H_

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "kernels-cl/args/depthwise_conv.h"

// Is the node's filter one of these?
bool lite_cl_depthwise_is_small(const LiteClNode* node);
LiteClDepthwiseArgs lite_cl_depthwise_args(const LiteClNode* node);
void lite_cl_depthwise_define(LiteClPrelude* prelude, const LiteClNode* node, const LiteClTune* tune);

#endif
