// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph the delegate takes.
#ifndef DELEGATE_OPENCL_PARTITION_DECIDE_H_
#define DELEGATE_OPENCL_PARTITION_DECIDE_H_

#include "delegate-opencl/partition/shared.h"

// taken[n]: node n is taken; else reasons[n] says why not. Both have room for all nodes of the graph.
TfLiteStatus lite_cl_decide(LiteClShared* shared, LiteClGraph* graph, LiteClReason* reasons, bool* taken,
                            const LiteReporter* reporter);

#endif
