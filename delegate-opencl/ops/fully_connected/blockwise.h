// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED with weights of 4 bits whose blocks have scales (kernels-cl/blockwise.cl).
#ifndef DELEGATE_OPENCL_OPS_FULLY_CONNECTED_BLOCKWISE_H_
#define DELEGATE_OPENCL_OPS_FULLY_CONNECTED_BLOCKWISE_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

// For infer: can the rows be multiplied by weights, constant and of two dimensions, that have blocks?
bool lite_cl_blockwise_check(const LiteClNode* node, LiteClReason* reason);
TfLiteStatus lite_cl_blockwise_lower(LiteClPlan* plan, const LiteClNode* node,
                                     TfLiteFusedActivation activation);

#endif
