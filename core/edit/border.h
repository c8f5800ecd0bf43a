// SPDX-License-Identifier: Apache-2.0
// Groups of nodes, and what they exchange with the other nodes.
#ifndef CORE_EDIT_BORDER_H_
#define CORE_EDIT_BORDER_H_

#include "core/edit/plan.h"

// Fails unless each index is that of a node, and each is there once. `groups` gets, per node of the subgraph,
// one more than the number of the group of `group_size` that it is in; 0 for the others.
TfLiteStatus lite_edit_check_nodes(const LiteModelSubgraph* subgraph, const int* nodes, int group_size,
                                   int count, int* groups);

// What the nodes of a group read, and what they make for others.
typedef struct LiteEditBorder {
    LiteModelInts inputs;  // not made by the group, each once, in the order of their first use
    LiteModelInts outputs; // needed outside; if none is, those that are not read inside
} LiteEditBorder;
// `groups` as above; `group` is one more than the number. Memory is the plan's.
TfLiteStatus lite_edit_border(LiteEditPlan* plan, int subgraph, const int* groups, int group,
                              LiteEditBorder* border);

#endif
