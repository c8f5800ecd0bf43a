// SPDX-License-Identifier: Apache-2.0
// Nodes whose output follows from constants are computed in prepare. The output is a constant from then on
// (kTfLitePersistentRo), also for the nodes that are prepared after it.
#ifndef CORE_GRAPH_FOLD_H_
#define CORE_GRAPH_FOLD_H_

#include "core/graph/types.h"

// Prepares a node, and computes its output if its operator allows that and its inputs are constants.
TfLiteStatus lite_fold_prepare(LiteSubgraph* subgraph, LiteNode* node);
// Makes an ordinary tensor of what the node has computed. It must be prepared again before it runs.
void lite_fold_release(LiteSubgraph* subgraph, LiteNode* node);

#endif
