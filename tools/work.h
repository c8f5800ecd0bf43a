// SPDX-License-Identifier: Apache-2.0
// How much a node has to do, from its operator and the shapes that its tensors have now: after
// TfLiteInterpreterAllocateTensors all but those that only an inference tells.
//
// Operations are arithmetic ones: a multiplication with an addition counts 2, any function of an element
// (exp, tanh, sqrt) 1, a comparison 1. Padding is counted as if it were multiplied; biases and fused
// activations are not. What only moves, converts or picks elements has 0. tools/work.def has the rules.
//
// Bytes are those of the tensors, constants among them, each read or written once; variables count as both.
// An operator that picks a part of a tensor (GATHER, SLICE) reads as much of it as it writes.
#ifndef TOOLS_WORK_H_
#define TOOLS_WORK_H_

#include "tensorflow/lite/c/c_api.h"

typedef struct ToolWork {
    double operations; // -1: not known, as for custom operators, and where contents decide
    double bytes_read;
    double bytes_written;
} ToolWork;

// A delegate's node has what the nodes have that it replaces; not known as soon as one of them is not. A node
// that does not exist has {-1, 0, 0}.
ToolWork tool_work(const TfLiteInterpreter* interpreter, int subgraph, int node);

typedef struct ToolWorkSum {
    double operations; // of those that are known
    double bytes_read;
    double bytes_written;
    int node_count;
    int unknown_count;
} ToolWorkSum;

// Of these nodes or, with NULL, of all nodes of the model in that subgraph, each once.
ToolWorkSum tool_work_sum(const TfLiteInterpreter* interpreter, int subgraph, const int* nodes, int count);

// Elements of a tensor; NAN while a dimension is not known.
double tool_work_elements(const TfLiteTensor* tensor);

#endif
