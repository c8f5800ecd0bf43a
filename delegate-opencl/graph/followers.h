// SPDX-License-Identifier: Apache-2.0
// The nodes right behind a node, for those that are lowered together with it.
#ifndef DELEGATE_OPENCL_GRAPH_FOLLOWERS_H_
#define DELEGATE_OPENCL_GRAPH_FOLLOWERS_H_

#include "delegate-opencl/graph/graph.h"

enum { LITE_CL_FOLLOWERS = 15 };

typedef struct LiteClFollowers {
    int count;
    const LiteClNode* nodes[LITE_CL_FOLLOWERS];
    int places[LITE_CL_FOLLOWERS]; // in the graph
    // Do the first i + 1 alone read what the node and those of them before the last one give?
    bool closed[LITE_CL_FOLLOWERS];
} LiteClFollowers;

// Those behind node n that launch something, up to the first one whose output leaves the partition.
void lite_cl_followers_find(const LiteClGraph* graph, int n, LiteClFollowers* followers);

// The first of them, if it alone reads the output of node n; otherwise -1.
int lite_cl_only_reader(const LiteClGraph* graph, int n);

#endif
