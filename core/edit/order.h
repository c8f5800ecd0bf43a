// SPDX-License-Identifier: Apache-2.0
// Nodes in an order in which each group is one node.
#ifndef CORE_EDIT_ORDER_H_
#define CORE_EDIT_ORDER_H_

#include "core/edit/plan.h"

// Gives `result` the nodes of the subgraph; ~g stands for the new node of group g. `groups` are those of
// lite_edit_check_nodes. Fails when there is no such order.
TfLiteStatus lite_edit_order(LiteEditPlan* plan, int subgraph, const int* groups, int group_count,
                             LiteEditSubgraph* result);

#endif
