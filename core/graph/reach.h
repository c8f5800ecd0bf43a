// SPDX-License-Identifier: Apache-2.0
// Which subgraphs of a model run others.
#ifndef CORE_GRAPH_REACH_H_
#define CORE_GRAPH_REACH_H_

#include "core/graph/types.h"

// reached[i] becomes true for the graph and those that its operators call, directly or by others. false: out
// of memory.
bool lite_reach_from(const LiteModel* model, int graph, bool* reached);

// The graph that a program runs when `graph` is to run: 0 if that calls it, else the outermost that does. -1:
// out of memory.
int lite_reach_root(const LiteModel* model, int graph);

#endif
