// SPDX-License-Identifier: Apache-2.0
// Which of the supported subsets are worth a delegate node: pure functions on what lite_partition returns.
//
// A subset that is not kept goes back to the CPU, node by node and at the same place in the order, so any
// choice is a valid one.
#ifndef PARTITIONER_POLICY_H_
#define PARTITIONER_POLICY_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct LitePolicy {
    int min_nodes;   // subsets with fewer nodes are dropped; 0 or 1: none
    int max_subsets; // how many are kept at most, the heaviest ones; negative: no limit
} LitePolicy;

// node_counts[s] receives the number of nodes in subset s, and weights[s] the sum of their costs. costs NULL:
// every node costs 1. weights may be NULL. Sums saturate at INT64_MAX; negative costs count as 0.
void lite_policy_measure(const int* subset_of, int node_count, const int64_t* costs, int subset_count,
                         int* node_counts, int64_t* weights);

// keep[s] holds whether subset s may be kept (it is supported) and receives whether it is. Among equal
// weights the earlier subset is preferred. Returns how many are kept, -1 when out of memory (keep is then
// unchanged).
int lite_policy_choose(const LitePolicy* policy, const int* node_counts, const int64_t* weights,
                       int subset_count, bool* keep);

#endif
