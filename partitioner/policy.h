// SPDX-License-Identifier: Apache-2.0
// Which of the subsets that lite_partition has found are worth a delegate node.
//
// A subset that is not kept goes back to the CPU, node by node, at the same place in the order. So every
// choice is valid.
#ifndef PARTITIONER_POLICY_H_
#define PARTITIONER_POLICY_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct LitePolicy {
    int min_nodes;   // subsets with fewer nodes are dropped; 0 or 1: none
    int max_subsets; // how many are kept at most, the heaviest ones; negative: no limit
} LitePolicy;

// Chooses among `subset_count` subsets: subset s has node_counts[s] nodes, and weights[s] is what it is
// worth, in any unit: its number of nodes, or the time that it saves. keep[s] holds whether subset s may be
// kept and receives whether it is. Among equal weights the earlier subset is preferred. Returns how many are
// kept, -1 when out of memory (keep is then unchanged).
int lite_policy_choose(const LitePolicy* policy, const int* node_counts, const int64_t* weights,
                       int subset_count, bool* keep);

#endif
