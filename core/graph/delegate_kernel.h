// SPDX-License-Identifier: Apache-2.0
// Nodes that kernels of delegates replace. The nodes themselves stay as they are, outside the plan.
#ifndef CORE_GRAPH_DELEGATE_KERNEL_H_
#define CORE_GRAPH_DELEGATE_KERNEL_H_

#include "core/graph/types.h"

// Puts kernels of the delegate in the places of `nodes`, as many as the order of nodes demands.
TfLiteStatus lite_delegate_replace(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                                   const TfLiteIntArray* nodes, TfLiteDelegate* delegate);
// Destroys the nodes after the first `keep`, all of them kernels.
void lite_delegate_drop_kernels(LiteSubgraph* subgraph, int keep);
// Destroys the operators after the first `keep` of those that delegates gave away.
void lite_delegate_drop_operators(LiteSubgraph* subgraph, int keep);
// Where a kernel's delegate wants it, finds the shapes of the tensors inside its subset: only the replaced
// nodes can tell them.
TfLiteStatus lite_delegate_propagate_shapes(LiteSubgraph* subgraph, const LiteNode* kernel);

#endif
