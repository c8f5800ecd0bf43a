// SPDX-License-Identifier: Apache-2.0
// Chains of elementwise operators in one launch: a program's own formulas, and what stands before and behind
// them, when each result is read by the next operator alone.
//
// Only chains with such a formula are made: each is a program of its own, and the library's operators by
// themselves have programs that serve all models.
#ifndef DELEGATE_OPENCL_CHAIN_H_
#define DELEGATE_OPENCL_CHAIN_H_

#include "delegate-opencl/support.h"

// Lowers nodes from *n on, and then makes *n the last of them; *chained stays false where there is no chain.
TfLiteStatus lite_cl_chain_lower(LiteClPlan* plan, const LiteClGraph* graph, int* n, bool* chained);

// A node with a formula by itself, of any type that is stored as a float.
TfLiteStatus lite_cl_chain_lower_one(LiteClPlan* plan, const LiteClNode* node);

// The next node that launches something, when nothing but it reads the output of node n; else -1.
int lite_cl_only_reader(const LiteClGraph* graph, int n);

// Has the host computed it, so that no kernel need do it again?
bool lite_cl_is_folded(const LiteClNode* node);

#endif
