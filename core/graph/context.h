// SPDX-License-Identifier: Apache-2.0
// The callbacks of TfLiteContext: what kernels and delegates may ask for.
#ifndef CORE_GRAPH_CONTEXT_H_
#define CORE_GRAPH_CONTEXT_H_

#include "core/graph/types.h"

void lite_context_fill(LiteSubgraph* subgraph);
void lite_context_release(LiteSubgraph* subgraph); // frees what was handed to a delegate

#endif
