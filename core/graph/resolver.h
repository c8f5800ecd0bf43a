// SPDX-License-Identifier: Apache-2.0
// Which operator implements a node: the user's, then what the user's resolver finds, then the library's.
#ifndef CORE_GRAPH_RESOLVER_H_
#define CORE_GRAPH_RESOLVER_H_

#include "core/graph/options.h"
#include "core/graph/types.h"

// Finds node->methods and resolved for node->source. kTfLiteError, with a message, when a
// builtin operator cannot be found or memory runs out.
TfLiteStatus lite_resolve(LiteSubgraph* subgraph, LiteNode* node, const LiteInterpreterOptions* options);

#endif
