// SPDX-License-Identifier: Apache-2.0
// Where a partition meets the rest of the host's graph.
#ifndef DELEGATE_OPENCL_GRAPH_BOUNDARY_H_
#define DELEGATE_OPENCL_GRAPH_BOUNDARY_H_

#include "delegate-opencl/graph/graph.h"
#include "tensorflow/lite/c/common.h"

// The inputs and outputs of a partition. Constants are left out, and so are tensors that no node uses.
typedef struct LiteClBoundary {
    const TfLiteContext* context; // the host's graph
    int input_count;
    int output_count;
    LiteClTensor** inputs;
    LiteClTensor** outputs;
    struct LiteClBoundary* next;  // in the list of LiteClBindings
    struct LiteClBoundary** link; // what points to this one, NULL: it is in no list
} LiteClBoundary;

#endif
