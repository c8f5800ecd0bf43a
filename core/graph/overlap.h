// SPDX-License-Identifier: Apache-2.0
// Kernels that go on while the plan does: one at a time.
#ifndef CORE_GRAPH_OVERLAP_H_
#define CORE_GRAPH_OVERLAP_H_

#include "core/base/overlap.h"
#include "core/graph/types.h"

// 0 in programs of selected operators, whose delegate does not ask.
#ifndef LITE_HAS_OVERLAP
#define LITE_HAS_OVERLAP 1
#endif

const LiteOverlapService* lite_overlap_offered(void); // what contexts give to delegates

// Gives the plan the order that the delegate has wanted that was applied last, if it has.
TfLiteStatus lite_overlap_order(LiteSubgraph* subgraph);

// Of the steps from `first` on none goes on.
void lite_overlap_forget(LiteSubgraph* subgraph, int first);
// Finds for each of the prepared steps [first, end) that may go on the step before which it has to end.
TfLiteStatus lite_overlap_find(LiteSubgraph* subgraph, int first, int end);

// The invoke of the step's node has returned kTfLiteOk. Waits for it where it must not go on.
TfLiteStatus lite_overlap_began(LiteSubgraph* subgraph, int step);
// Waits for subgraph->going, if that is not NULL.
TfLiteStatus lite_overlap_end(LiteSubgraph* subgraph);

#endif
