// SPDX-License-Identifier: Apache-2.0
// Execution with float32 tensors stored as float16 inside a partition: half of the memory and of its traffic,
// with arithmetic in float32. Inputs and outputs of the partition keep their type.
//
// A tensor then has two storages, of which the plan makes those that its nodes need: nodes that have no form
// for halves get float32, and conversions lie between the two. Sums are often beyond what half holds and made
// smaller at once: they are float32 wherever they go, until something is computed of them.
#ifndef DELEGATE_OPENCL_PRECISION_H_
#define DELEGATE_OPENCL_PRECISION_H_

#include "delegate-opencl/support.h"

// Forgets the second storages, and who uses them, for a plan that begins.
void lite_cl_precision_begin(LiteClGraph* graph);

// Adds a narrow node's launches to the plan, on halves where its operator can. The node has been checked.
TfLiteStatus lite_cl_precision_lower(LiteClPlan* plan, LiteClNode* node);

// Before the launches of a node that is not narrow: makes its inputs float32.
TfLiteStatus lite_cl_precision_bring(LiteClPlan* plan, const LiteClNode* node);

#endif
