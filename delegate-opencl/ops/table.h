// SPDX-License-Identifier: Apache-2.0
// Functions of one quantized number of 8 or 16 bits as tables, with the bits of the reference kernels.
#ifndef DELEGATE_OPENCL_OPS_TABLE_H_
#define DELEGATE_OPENCL_OPS_TABLE_H_

#include "delegate-opencl/ops/ops.h"

// Is the node's operator one of those on quantized numbers?
bool lite_cl_table_wanted(const LiteClNode* node);
// `formula`: a UNARY line of core/elementwise.def, with its parameter.
bool lite_cl_table_check(const LiteClNode* node, const char* formula, float alpha, LiteClReason* reason);
TfLiteStatus lite_cl_table_lower(LiteClPlan* plan, const LiteClNode* node, const char* formula, float alpha);

// Elements of UINT8 of one storage, looked up in a table of 256, into another.
TfLiteStatus lite_cl_look_up_bytes(LiteClPlan* plan, int64_t count, int from, int table, int to);

#endif
