// SPDX-License-Identifier: Apache-2.0
// Functions of one quantized byte as tables, with the bits of the reference kernels.
#ifndef DELEGATE_OPENCL_OPS_TABLE_H_
#define DELEGATE_OPENCL_OPS_TABLE_H_

#include "delegate-opencl/ops/ops.h"

// Is the node's operator one of those on quantized bytes?
bool lite_cl_table_wanted(const LiteClNode* node);
bool lite_cl_table_check(const LiteClNode* node, LiteClReason* reason);
// `formula`: a UNARY line of core/elementwise.def.
TfLiteStatus lite_cl_table_lower(LiteClPlan* plan, const LiteClNode* node, const char* formula,
                                 const LiteClElementwiseArgs* args);

#endif
