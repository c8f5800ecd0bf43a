// SPDX-License-Identifier: Apache-2.0
// Splits a graph into the fewest subsets that each run as one unit, given which nodes a delegate supports.
//
// Integers in, integers out: nodes are 0..node_count-1 in execution order, tensors are 0..tensor_count-1. A
// subset is convex: no path leaves it and comes back through a node outside. Executing the subsets one after
// the other in the returned order, and each subset's nodes in their original order, respects every edge: data
// (a tensor's producer before its consumers), control (explicit pairs), and order (nodes that touch the same
// variable or resource keep their order, given by the caller as control edges).
#ifndef PARTITIONER_PARTITIONER_H_
#define PARTITIONER_PARTITIONER_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct LitePartitionGraph {
    int node_count;
    int tensor_count;
    // Inputs of node n: inputs[input_start[n] .. input_start[n + 1]); negative indices (absent) are skipped.
    const int* input_start; // node_count + 1
    const int* inputs;
    const int* output_start; // node_count + 1
    const int* outputs;
    int control_count;
    const int* control_from; // node that must run before
    const int* control_to;   // node that must run after
} LitePartitionGraph;

typedef enum LitePartitionStatus {
    kLitePartitionOk = 0,
    kLitePartitionBadGraph = 1, // an index out of range, or a cycle
    kLitePartitionNoMemory = 2,
} LitePartitionStatus;

// subset_of[n] receives the subset of node n; subsets are numbered in execution order. All nodes of a subset
// have the same supported[n]; *subset_count receives their number. subset_of has room for node_count ints.
LitePartitionStatus lite_partition(const LitePartitionGraph* graph, const bool* supported, int* subset_of,
                                   int* subset_count);

#endif
