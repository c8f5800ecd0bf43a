// SPDX-License-Identifier: Apache-2.0
// Which types operators give their outputs. The host's tensors have them only when the host, or a partition,
// has prepared the operator; the delegate decides before that.
#ifndef DELEGATE_OPENCL_GRAPH_TYPES_H_
#define DELEGATE_OPENCL_GRAPH_TYPES_H_

#include "delegate-opencl/graph/graph.h"

// Gives the node's outputs the types that follow from those of its inputs (core/base/output_type.h).
void lite_cl_give_types(const LiteClNode* node);

// Gives an output of a partition, in the host's graph, its type. It must be resized next.
void lite_cl_set_host_type(TfLiteOpaqueTensor* host, TfLiteType type);

#endif
