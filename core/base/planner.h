// SPDX-License-Identifier: Apache-2.0
// Places buffers with lifetimes in one arena: greedy by size (largest first, each at the lowest offset where
// it overlaps no buffer alive at the same time), the strategy of arXiv 2001.03288 that TFLite uses too.
#ifndef CORE_BASE_PLANNER_H_
#define CORE_BASE_PLANNER_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct LiteUsage {
    size_t bytes;
    int first; // first and last step in which the buffer is alive, inclusive
    int last;
    size_t offset; // out: multiple of the alignment
} LiteUsage;

// Writes usages[i].offset and the arena's size in *total. `alignment` is a power of two. Deterministic.
// Buffers of 0 bytes get offset 0. false when out of memory or sizes overflow.
bool lite_planner_place(LiteUsage* usages, int count, size_t alignment, size_t* total);

// The same, and some other orders are tried where that leaves gaps: for memory that is scarce.
bool lite_planner_place_closely(LiteUsage* usages, int count, size_t alignment, size_t* total);

#endif
