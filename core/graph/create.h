// SPDX-License-Identifier: Apache-2.0
// Subgraphs are made from the model, and destroyed.
#ifndef CORE_GRAPH_CREATE_H_
#define CORE_GRAPH_CREATE_H_

#include "core/graph/options.h"
#include "core/graph/types.h"

// NULL after a message.
LiteSubgraph* lite_subgraph_create(LiteInterpreter* interpreter, int index,
                                   const LiteInterpreterOptions* options);
void lite_subgraph_destroy(LiteSubgraph* subgraph); // accepts a half-built one, and NULL

#endif
