// SPDX-License-Identifier: Apache-2.0
// Preparing the nodes of the plan, up to one whose output size is not known before it runs.
#ifndef CORE_GRAPH_PREPARE_H_
#define CORE_GRAPH_PREPARE_H_

#include "core/graph/types.h"

// Prepares the steps of `plan` from `first` to the first one with dynamic outputs; *end is the step after it.
TfLiteStatus lite_prepare_steps(LiteSubgraph* subgraph, const TfLiteIntArray* plan, int first, int* end);
// Prepares and places the segment that begins with step `first`.
TfLiteStatus lite_prepare_segment(LiteSubgraph* subgraph, int first);

#endif
