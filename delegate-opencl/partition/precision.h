// SPDX-License-Identifier: Apache-2.0
// Stores float32 tensors inside a partition as float16. That takes half of the memory and of its traffic;
// arithmetic stays in float32. Inputs and outputs of the partition keep their type.
//
// A tensor then has a view with the type FLOAT16 and a storage of its own, and a node has a view whose
// tensors are these views. Operators lower the node or its view and see no difference. The plan makes the
// storages that its nodes need: nodes whose operators have no form for float16 get float32, and conversions
// are added between the two. Sums are often too large for float16 until a next node makes them smaller. They
// are `wide`: float32 until something is computed of them.
#ifndef DELEGATE_OPENCL_PARTITION_PRECISION_H_
#define DELEGATE_OPENCL_PARTITION_PRECISION_H_

#include "delegate-opencl/plan/plan.h"

// Begins a plan: forgets which nodes store float16. If some node of it is to (`wanted`), makes or refreshes
// the views of all nodes and tensors.
TfLiteStatus lite_cl_precision_begin(LiteClGraph* graph, bool wanted, const LiteReporter* reporter);

// Adds the launches of a node that wants float16 to the plan, in float16 where its operator can. The node has
// been checked.
TfLiteStatus lite_cl_precision_lower(LiteClPlan* plan, LiteClNode* node);

// Prepares the launches of a node that does not want float16: makes its inputs float32.
TfLiteStatus lite_cl_precision_bring(LiteClPlan* plan, const LiteClNode* node);

#endif
