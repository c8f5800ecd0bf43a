// SPDX-License-Identifier: Apache-2.0
// Splits a graph into subsets that each run as one unit, given which nodes a delegate supports: the fewest
// possible supported subsets, since each of them costs a delegate node, a launch and its transfers.
//
// Integers in, integers out: nodes are 0..node_count-1 in execution order, tensors are 0..tensor_count-1. A
// subset is convex: no path leaves it and comes back through a node outside. Executing the subsets one after
// the other in the returned order, and each subset's nodes in their original order, respects every edge:
//   data     a tensor's reader runs after the last writer before it in execution order
//   reuse    a tensor's writer runs after every earlier reader and writer of that tensor; so a tensor written
//            twice, or read before it is written (its old contents), keeps its meaning
//   control  explicit pairs, from which the caller makes the order of nodes that touch the same variable or
//            resource
//
// Each node gets the earliest epoch that is not before its predecessors'; supported nodes live in odd epochs,
// the others in even ones, and an epoch is a subset:
//
//     epoch   0      1      2      3
//                    a ---> b ---> c        a, c, e supported: two supported subsets, {a, e} and {c}
//             d ---> e
//
// Why no partition has fewer supported subsets: a node in epoch 2k - 1 ends a path that holds k supported
// nodes with an unsupported one between any two, and no two of these fit into one convex subset. Unsupported
// nodes run one by one, so the number of their subsets does not count (it is within one of what is possible).
#ifndef PARTITIONER_PARTITION_H_
#define PARTITIONER_PARTITION_H_

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
    kLitePartitionBadGraph = 1, // an index out of range, or a control pair against the execution order
    kLitePartitionNoMemory = 2,
} LitePartitionStatus;

// subset_of[n] receives the subset of node n; subsets are numbered in execution order, none is empty. All
// nodes of a subset have the same supported[n]; *subset_count receives their number. subset_of has room for
// node_count ints. Time and memory are linear in nodes, tensors and edges; equal arguments give equal
// results.
LitePartitionStatus lite_partition(const LitePartitionGraph* graph, const bool* supported, int* subset_of,
                                   int* subset_count);

#endif
