// SPDX-License-Identifier: Apache-2.0
// How much memory the tensors of an interpreter may take.
#ifndef CORE_GRAPH_MEMORY_LIMIT_H_
#define CORE_GRAPH_MEMORY_LIMIT_H_

#include "core/graph/types.h"

// To be called before something that takes *charged bytes takes `bytes` bytes. Fails, and leaves *charged
// alone, when the interpreter's tensors would take more than their limit; a smaller size never fails.
// `tensor`, of `tensor_bytes` bytes, is the one that needs the memory, or the largest of those; a message
// names it.
TfLiteStatus lite_memory_charge(LiteSubgraph* subgraph, const TfLiteTensor* tensor, size_t tensor_bytes,
                                size_t* charged, size_t bytes);
// The same after a node has given its outputs memory by itself, as it does for strings.
TfLiteStatus lite_memory_charge_outputs(LiteSubgraph* subgraph, const LiteNode* node);

#endif
