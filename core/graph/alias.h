// SPDX-License-Identifier: Apache-2.0
// Tensors that live inside others, so that nobody has to copy them.
#ifndef CORE_GRAPH_ALIAS_H_
#define CORE_GRAPH_ALIAS_H_

#include "core/graph/types.h"

// Finds, for the nodes of steps [first, end), which are prepared, and whose tensors' lifetimes are known, the
// tensors that can be parts of others: slot->within and slot->offset. Tensors without memory of the arena of
// these steps have none. `in_arena` tells those that have.
void lite_alias_find(LiteSubgraph* subgraph, int first, int end,
                     bool (*in_arena)(const LiteSubgraph* subgraph, size_t tensor, int first, int end));

// The tensor whose memory `tensor` is a part of, itself when there is none other, and where in it.
int lite_alias_root(const LiteSubgraph* subgraph, int tensor, size_t* offset);

// Whether the node has nothing to do: all that it would copy is where it belongs.
bool lite_alias_is_done(const LiteSubgraph* subgraph, const LiteNode* node);

void lite_alias_forget(LiteNode* node);

#endif
