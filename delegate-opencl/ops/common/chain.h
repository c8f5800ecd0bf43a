// SPDX-License-Identifier: Apache-2.0
// Computes chains of elementwise operators in one launch: formulas of the program and their neighbours, where
// each result is read by the next operator alone.
//
// Only chains with such a formula are made. Each chain is a program of its own, whereas the library's
// operators by themselves have programs that serve all models.
#ifndef DELEGATE_OPENCL_OPS_COMMON_CHAIN_H_
#define DELEGATE_OPENCL_OPS_COMMON_CHAIN_H_

#include "delegate-opencl/plan/plan.h"

// Lowers nodes from *n on and makes *n the last of them. *chained stays false where there is no chain.
TfLiteStatus lite_cl_chain_lower(LiteClPlan* plan, const LiteClGraph* graph, int* n, bool* chained);

// Lowers one node that is a formula, of any type that is stored as a float.
TfLiteStatus lite_cl_chain_lower_one(LiteClPlan* plan, const LiteClNode* node);

#endif
