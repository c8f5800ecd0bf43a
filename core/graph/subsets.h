// SPDX-License-Identifier: Apache-2.0
// Splits the plan in subsets, for the kernels of a delegate.
#ifndef CORE_GRAPH_SUBSETS_H_
#define CORE_GRAPH_SUBSETS_H_

#include "core/graph/types.h"

typedef struct LiteSubset {
    bool delegated;
    TfLiteIntArray* nodes;   // in the order of execution
    TfLiteIntArray* inputs;  // tensors read but not written within it, ascending
    TfLiteIntArray* outputs; // tensors written in it that others read, ascending
} LiteSubset;

// The subsets come in the order of execution. Either all nodes of a subset are among `nodes` or none is.
TfLiteStatus lite_subsets_create(LiteSubgraph* subgraph, const TfLiteIntArray* nodes, LiteSubset** subsets,
                                 int* count);
void lite_subsets_destroy(LiteSubset* subsets, int count);

#endif
