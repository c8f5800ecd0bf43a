// SPDX-License-Identifier: Apache-2.0
// Pairs of nodes that run as one.
#ifndef CORE_GRAPH_JOIN_H_
#define CORE_GRAPH_JOIN_H_

#include "core/graph/types.h"

// Joins what can be joined of the prepared steps [first, end).
TfLiteStatus lite_join_steps(LiteSubgraph* subgraph, int first, int end);
void lite_join_forget(LiteSubgraph* subgraph, int first); // pairs in step `first` and later ones

#endif
