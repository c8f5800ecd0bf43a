// SPDX-License-Identifier: Apache-2.0
// Functions of one quantized number of 8 or 16 bits as tables, with the bits of the reference kernels.
#ifndef DELEGATE_OPENCL_OPS_COMMON_TABLE_H_
#define DELEGATE_OPENCL_OPS_COMMON_TABLE_H_

#include "core/semantics/elementwise.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

// The node's function of quantized numbers is `formula`, with its parameter.
bool lite_cl_table_check(const LiteClNode* node, LiteUnary formula, float alpha, LiteClReason* reason);
TfLiteStatus lite_cl_table_lower(LiteClPlan* plan, const LiteClNode* node, LiteUnary formula, float alpha);

// Elements of UINT8 of one storage, looked up in a table of 256, into another.
TfLiteStatus lite_cl_look_up_bytes(LiteClPlan* plan, int64_t count, int from, int table, int to);

#endif
