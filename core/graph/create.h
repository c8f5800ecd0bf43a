// SPDX-License-Identifier: Apache-2.0
// Subgraphs are made from the model, and destroyed.
#ifndef CORE_GRAPH_CREATE_H_
#define CORE_GRAPH_CREATE_H_

#include "core/graph/options.h"
#include "core/graph/types.h"

// NULL after a message. An index beyond the model's subgraphs gives an empty one; then `options` may be NULL.
LiteSubgraph* lite_subgraph_create(LiteInterpreter* interpreter, int index,
                                   const LiteInterpreterOptions* options);
// Frees what a tensor owns, and leaves it as it was when it was added.
void lite_subgraph_empty_tensor(LiteSubgraph* subgraph, int tensor);
void lite_subgraph_destroy(LiteSubgraph* subgraph); // accepts a half-built one, and NULL

#endif
