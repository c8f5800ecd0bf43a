// SPDX-License-Identifier: Apache-2.0
// The best of several placements, and small moves where the search could not look at everything.
#ifndef PARTITIONER_IMPROVE_H_
#define PARTITIONER_IMPROVE_H_

#include "partitioner/price.h"

typedef struct LiteBest {
    const LiteProblem* problem;
    int limit;       // the most partitions
    bool* on_device; // the cheapest placement so far, and what it costs
    int64_t total_ns;
    LiteCut cut; // room
} LiteBest;

// Takes the placement for the best one if it costs less, after partitions that do not pay, or that the limits
// do not allow, have been taken out of it.
OclitePartitionStatus lite_offer(LiteBest* best, bool* on_device);

// Moves units of `on_device` to the other side as long as that pays where partitions are free and exchange
// tensors for nothing, and offers the result.
OclitePartitionStatus lite_improve(LiteBest* best, bool* on_device);

#endif
