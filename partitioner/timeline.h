// SPDX-License-Identifier: Apache-2.0
// The order of execution in which a host that goes on while the device works has to wait least, and how long
// an inference takes then.
//
// A host executes items one after the other: nodes of its own, which take its time, and partitions, which it
// only hands to the device. It waits for a partition before it executes the first item that the partition
// leads to, and before it hands over another one. So partitions go as early as they can, what leads to a
// partition before what does not, and what waits for one as late as it can:
//
//     host    a  |P  b  c        d    P is handed over, b and c run meanwhile, d waits for P
//     device     '- - P - - - -'
#ifndef PARTITIONER_TIMELINE_H_
#define PARTITIONER_TIMELINE_H_

#include "partitioner/problem.h"

typedef struct LiteItems {
    int count;                // in an order that respects the edges
    const bool* is_partition; // per item
    LiteLists after; // per item: those that wait for it, which have higher numbers; some may be in it twice
} LiteItems;

// order[i] receives the item that comes as number i. False: out of memory. Takes O(n log n).
bool lite_timeline_order(const LiteItems* items, LiteArena* arena, int* order);

// How long an inference takes, when each item takes ns[item] on its side. False: out of memory.
bool lite_timeline_span(const LiteItems* items, const int* order, const int64_t* ns, LiteArena* arena,
                        int64_t* span);

#endif
