// SPDX-License-Identifier: Apache-2.0
// What the program says of a tensor.
#ifndef CORE_GRAPH_BUILD_TENSOR_H_
#define CORE_GRAPH_BUILD_TENSOR_H_

#include "core/graph/types.h"
#include "oclite/graph.h"

// As oclite_graph_set_tensor and oclite_graph_set_constant: both own wanted->quantization from the call on.
TfLiteStatus lite_build_tensor(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted);
TfLiteStatus lite_build_constant(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted,
                                 const void* data, size_t bytes);

#endif
