// SPDX-License-Identifier: Apache-2.0
// Giving tensors memory; resizing inputs.
#ifndef CORE_GRAPH_ALLOCATE_H_
#define CORE_GRAPH_ALLOCATE_H_

#include "core/graph/types.h"

// Prepares all nodes and gives all tensors memory. Does nothing when nothing changed since the last time
// (with dynamic inputs, as strings are, it always prepares). Sets variables to zero when it does something.
// A delegate kernel that fails to prepare is undone, with a message, and the CPU takes its nodes.
TfLiteStatus lite_subgraph_allocate(LiteSubgraph* subgraph);
// The same, but always, and without touching variables.
TfLiteStatus lite_allocate(LiteSubgraph* subgraph);

// Gives back the memory that tensors share, and keeps what inputs and variables hold. The graph must be
// allocated again before the next invoke; variables then stay as they are.
TfLiteStatus lite_subgraph_release_memory(LiteSubgraph* subgraph);

// Sets the variables to zero, except for those in the caller's memory. An error, when the others are done,
// for one that has no memory yet.
TfLiteStatus lite_subgraph_reset_variables(LiteSubgraph* subgraph);

// Resizes a graph input. Unless its dimensions stay the same the graph must be allocated again before the
// next invoke.
TfLiteStatus lite_subgraph_resize_input(LiteSubgraph* subgraph, int tensor, const int* dims, int rank);
// Gives a graph input another type of elements, for a caller in the same model. It must be resized next: it
// has no memory. An error for variables, handles and tensors in the program's memory.
TfLiteStatus lite_subgraph_retype_input(LiteSubgraph* subgraph, int tensor, TfLiteType type);
// As lite_subgraph_resize_input, but only dimensions that the model's signature leaves open (-1) may change.
TfLiteStatus lite_subgraph_resize_input_strict(LiteSubgraph* subgraph, int tensor, const int* dims, int rank);

// Lets a tensor live in the caller's memory until the interpreter is destroyed: from now on when that is
// large enough for the tensor's present size, else from the next allocation on. `flags`:
// TfLiteCustomAllocationFlags.
TfLiteStatus lite_subgraph_set_custom_allocation(LiteSubgraph* subgraph, int tensor,
                                                 const TfLiteCustomAllocation* allocation, int64_t flags);

#endif
