// SPDX-License-Identifier: Apache-2.0
// Nodes whose output follows from constants are computed in prepare. The output is a constant from then on
// (kTfLitePersistentRo), also for the nodes that are prepared after it. What all interpreters of the model
// compute alike, as the floats of weights that are stored as FLOAT16, they share; it is as the model's own
// constants are (kTfLiteMmapRo).
#ifndef CORE_GRAPH_FOLD_H_
#define CORE_GRAPH_FOLD_H_

#include "core/base/shared.h"
#include "core/graph/types.h"

// Not in builds of selected operators, which are small for it.
#ifndef LITE_HAS_COMMON_FOLDS
#define LITE_HAS_COMMON_FOLDS 1
#endif

// Prepares a node, and computes its output if its operator allows that and its inputs are constants.
TfLiteStatus lite_fold_prepare(LiteSubgraph* subgraph, LiteNode* node);
// Makes an ordinary tensor of what the node has computed. It must be prepared again before it runs.
void lite_fold_release(LiteSubgraph* subgraph, LiteNode* node);
// Moves nodes whose inputs are the model's constants to the beginning of the plan: what they give stands
// between no two steps that could run as one.
void lite_fold_first(LiteSubgraph* subgraph);
// Where what follows from a tensor's contents is kept for all interpreters of the model: they are constants
// that stay as and where they are as long as the interpreter lives. NULL: the contents are its own, as those
// are that programs, delegates and their kernels give it.
LiteShared* lite_fold_shared(const LiteSubgraph* subgraph, int index);

#endif
