// SPDX-License-Identifier: Apache-2.0
// Copies nodes and tensors of the host's graph.
#ifndef DELEGATE_OPENCL_GRAPH_READ_H_
#define DELEGATE_OPENCL_GRAPH_READ_H_

#include "delegate-opencl/graph/op.h"

// Reads the nodes with the given indices. Call it only while the host delegates. *graph is zeroed before;
// free it in any case, also after a failure.
TfLiteStatus lite_cl_graph_read(LiteClGraph* graph, TfLiteContext* context, const TfLiteIntArray* nodes,
                                const LiteClFinder* finder, const LiteReporter* reporter);

#endif
