// SPDX-License-Identifier: Apache-2.0
// Where tensors live.
#ifndef CORE_GRAPH_MEMORY_PLAN_H_
#define CORE_GRAPH_MEMORY_PLAN_H_

#include "core/graph/types.h"

// Recomputes first_write, last_use, read_first, rewritten and is_delegated of all tensors.
void lite_memory_lifetimes(LiteSubgraph* subgraph);
// Gives memory to the tensors that the prepared steps from `first` to `end - 1` write first, in the segment
// that begins with step `first`, and to graph inputs and variables.
TfLiteStatus lite_memory_place(LiteSubgraph* subgraph, int first, int end);
// Takes the arena memory away from tensors first written in step `first` or later.
void lite_memory_retract(LiteSubgraph* subgraph, int first);
// Gives back the memory of all arenas. The graph must be allocated again.
void lite_memory_release(LiteSubgraph* subgraph);
void lite_memory_destroy(LiteSubgraph* subgraph);

#endif
