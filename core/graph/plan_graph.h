// SPDX-License-Identifier: Apache-2.0
// The plan as integers, for the partitioner.
#ifndef CORE_GRAPH_PLAN_GRAPH_H_
#define CORE_GRAPH_PLAN_GRAPH_H_

#include "core/base/memory.h"
#include "core/graph/types.h"
#include "partitioner/partition.h"

// Nodes are steps of the plan. *graph, which is in `arena` as far as it is not the subgraph's, lasts until
// the plan changes. False: out of memory, or too many inputs or outputs.
bool lite_plan_graph(const LiteSubgraph* subgraph, LiteArena* arena, LitePartitionGraph* graph);

#endif
