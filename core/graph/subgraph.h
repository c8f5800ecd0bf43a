// SPDX-License-Identifier: Apache-2.0
// Tensors and nodes of one graph: finding and adding them.
#ifndef CORE_GRAPH_SUBGRAPH_H_
#define CORE_GRAPH_SUBGRAPH_H_

#include "core/base/status.h"
#include "core/graph/types.h"

// status.h's lite_fail for a subgraph.
#define lite_subgraph_fail(subgraph, ...) lite_fail(lite_subgraph_context(subgraph), __VA_ARGS__)

// The subgraph behind a context that one of our interpreters handed to a kernel or delegate, and back.
LiteSubgraph* lite_subgraph_of(const TfLiteOpaqueContext* context);
TfLiteOpaqueContext* lite_subgraph_context(LiteSubgraph* subgraph);
const LiteModel* lite_subgraph_model(const LiteSubgraph* subgraph);

const char* lite_subgraph_name(const LiteSubgraph* subgraph);
LiteModelInts lite_subgraph_inputs(const LiteSubgraph* subgraph); // tensor indices
LiteModelInts lite_subgraph_outputs(const LiteSubgraph* subgraph);
LiteModelInts lite_subgraph_variables(const LiteSubgraph* subgraph);
// Node indices in the order of execution.
LiteModelInts lite_subgraph_plan(const LiteSubgraph* subgraph);

int lite_subgraph_tensor_count(const LiteSubgraph* subgraph);
// NULL when there is no such tensor. The address holds until kernels have added a great many temporaries.
TfLiteTensor* lite_subgraph_tensor(const LiteSubgraph* subgraph, int index);
// The index of a tensor of this subgraph, -1 for other pointers.
int lite_subgraph_tensor_index(const LiteSubgraph* subgraph, const TfLiteTensor* tensor);
// Nodes: the first ones are the model's, or built by the program; further ones are delegate kernels.
int lite_subgraph_operator_count(const LiteSubgraph* subgraph); // without the latter
int lite_subgraph_node_count(const LiteSubgraph* subgraph);

// Room for so many tensors.
TfLiteStatus lite_subgraph_grow_tensors(LiteSubgraph* subgraph, size_t capacity);
void lite_subgraph_free_tensors(LiteSubgraph* subgraph); // the arrays, not what tensors own
// Adds tensors at the end; `first`, if not NULL, receives the index of the first one. They have no memory,
// and no dimensions until they are resized.
TfLiteStatus lite_subgraph_add_tensors(LiteSubgraph* subgraph, int count, int* first);
// Room for so many nodes.
TfLiteStatus lite_subgraph_grow_nodes(LiteSubgraph* subgraph, int capacity);
// Adds a node at the end, and owns it on success.
TfLiteStatus lite_subgraph_add_node(LiteSubgraph* subgraph, LiteNode* node);

#endif
