// SPDX-License-Identifier: Apache-2.0
// The cheapest placement, by dynamic programming over nodes in an order of lite_order_init.
//
// A state is what decided nodes mean to the others (frontier.h), with what they have cost. Each state has up
// to two successors, the next node on the host and on the device, where its epoch follows from the epochs of
// the nodes that it waits for. Of equal states the cheapest remains. A state that cannot become cheaper than
// a placement that is known, even if every other node went to its cheaper side for nothing, is dropped. When
// there are more states than fit into the work that is allowed, the cheapest remain, and the answer may not
// be the best.
#ifndef PARTITIONER_SEARCH_H_
#define PARTITIONER_SEARCH_H_

#include "partitioner/problem.h"

typedef struct LiteSearch {
    int limit;        // the most partitions
    int64_t work;     // bytes that may be copied or compared: a second is some 10^9
    int64_t known_ns; // what a known placement costs: only a cheaper one is looked for
    bool is_found;    // then on_device holds it
    bool is_complete; // there is none, or none cheaper than the one that was found
} LiteSearch;

OclitePartitionStatus lite_search(const LiteProblem* problem, LiteSearch* search, bool* on_device);

#endif
