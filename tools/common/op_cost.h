// SPDX-License-Identifier: Apache-2.0
// The work of a node, computed from its operator and the present shapes of its tensors: after
// TfLiteInterpreterAllocateTensors all shapes but those that only an inference determines.
//
// Operations are arithmetic: a multiplication with an addition counts 2; a function of an element (exp, tanh,
// sqrt) and a comparison count 1. Padding counts as if it were multiplied; biases and fused activations do
// not count. Operators that only move, convert or select elements have 0. tools/common/op_cost.def has the
// rules.
//
// Bytes are those of the tensors, constants included, each read or written once; variables count as both. An
// operator that selects a part of a tensor (GATHER, SLICE) reads as many bytes as it writes.
#ifndef TOOLS_COMMON_OP_COST_H_
#define TOOLS_COMMON_OP_COST_H_

#include "tensorflow/lite/c/c_api.h"

typedef struct ToolOpCost {
    double operations; // -1: unknown, as for custom operators and where contents decide
    double bytes_read;
    double bytes_written;
} ToolOpCost;

// Returns the work of a node. A delegate's node has the work of the nodes that it replaces, and is unknown as
// soon as one of them is. A node that does not exist has {-1, 0, 0}.
ToolOpCost tool_op_cost(const TfLiteInterpreter* interpreter, int subgraph, int node);

typedef struct ToolOpCostSum {
    double operations; // of the nodes whose work is known
    double bytes_read;
    double bytes_written;
    int node_count;
    int unknown_count;
} ToolOpCostSum;

// Returns the sum over these nodes or, with NULL, over all nodes of the model in that subgraph, each once.
ToolOpCostSum tool_op_cost_sum(const TfLiteInterpreter* interpreter, int subgraph, const int* nodes,
                               int count);

// Returns the number of elements of a tensor; NAN while a dimension is unknown.
double tool_op_cost_elements(const TfLiteTensor* tensor);

#endif
