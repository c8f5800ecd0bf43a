// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes that run as one, alone or with the node before them.
#ifndef CORE_GRAPH_FUSE_H_
#define CORE_GRAPH_FUSE_H_

#include "core/graph/types.h"

// Fuses what can be fused of the prepared steps [first, end).
TfLiteStatus lite_fuse_steps(LiteSubgraph* subgraph, int first, int end);
void lite_fuse_forget(LiteNode* node); // what it runs for others

// Before and after a step runs those that are fused into it. *head is the node that is to be invoked, which
// computes all; -1: there is none, and the epilogue runs by itself.
TfLiteStatus lite_fuse_begin(LiteSubgraph* subgraph, int step, int* head);
void lite_fuse_end(LiteSubgraph* subgraph, int head);

#endif
