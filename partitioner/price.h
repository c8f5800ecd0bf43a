// SPDX-License-Identifier: Apache-2.0
// What a set of nodes on the device costs, by the definition in oclite/partition.h.
//
// Partitions cost independently of each other: a partition pays for what it reads from outside, wherever that
// was written, and for what it writes for outside, whoever reads it. So the whole is
//
//     host_ns of all nodes  -  the sum of the gains of partitions
//
// where a gain is what is saved by a partition as against its nodes on the host (which is why `gains` of
// partitions with nodes that the host cannot run mean nothing). And a partition that goes back to the host as
// a whole leaves the others as they are: each odd epoch above it becomes the next lower one, since a path of
// alternating sides that ends in it leads through every odd epoch below.
#ifndef PARTITIONER_PRICE_H_
#define PARTITIONER_PRICE_H_

#include "partitioner/problem.h"

typedef struct LiteCut {
    int64_t total_ns;
    int partition_count;
    int* partition_of; // per node, in the order of execution, -1: host
    bool fits;         // within the limits
    // Per partition.
    int* node_counts;
    bool* fixed; // holds a node that only the device can run, alone or for its group
    int64_t* gains;
    int64_t* costs; // of its nodes, its transfers and itself
    // For lite_price alone.
    int* number_of; // per subset
    int* seen_by;   // per partition
} LiteCut;

// Makes room for the cuts of any set of nodes, in `arena`.
OclitePartitionStatus lite_cut_init(LiteCut* cut, const LiteProblem* problem, LiteArena* arena);

// The most partitions that are within the limits, for a problem with this cut of the nodes that only the
// device can run; INT_MAX: no limit.
int lite_partition_limit(const LiteProblem* problem, const LiteCut* none);

// Cuts and prices the nodes of which on_device is true. `limit` is the most partitions that fit.
OclitePartitionStatus lite_price(const LiteProblem* problem, const bool* on_device, int limit, LiteCut* cut);

#endif
