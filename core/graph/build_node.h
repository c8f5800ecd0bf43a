// SPDX-License-Identifier: Apache-2.0
// Nodes that the program adds.
#ifndef CORE_GRAPH_BUILD_NODE_H_
#define CORE_GRAPH_BUILD_NODE_H_

#include "core/graph/types.h"
#include "oclite/graph.h"

// As oclite_graph_add_node.
TfLiteStatus lite_build_node(LiteSubgraph* subgraph, const OcliteNewNode* wanted, int* index);

#endif
