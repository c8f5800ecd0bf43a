// SPDX-License-Identifier: Apache-2.0
// The order in which the search decides about nodes: one that respects all edges and keeps few nodes open at
// a time. A node is open from its decision until the last node that waits for it, or goes with it, is
// decided.
#ifndef PARTITIONER_ORDER_H_
#define PARTITIONER_ORDER_H_

#include "partitioner/problem.h"

// So many partitions that have read a value can be told from others.
enum { kLiteMostReaders = 8 };

typedef struct LiteOrder {
    int* nodes;     // per position
    int* positions; // per node
    int64_t width;  // what is open, summed over positions (frontier.h: slots)
    // Per node, for lite_order_ancestor: of those it waits for the last in the order, -1: none; and an
    // ancestor farther up.
    int* parents;
    int* jumps;
} LiteOrder;

// The order of execution or the one that finishes branches first, whichever keeps less open.
OclitePartitionStatus lite_order_init(LiteOrder* order, const LiteProblem* problem, LiteArena* arena);

// The last position at which something about the node, or about the value, is asked for.
int lite_order_last_use(const LiteProblem* problem, const int* positions, int node);
int lite_order_last_reader(const LiteProblem* problem, const int* positions, int value);

// The first of the node's parent, its parent and so on that is before `position`; -1: none.
int lite_order_ancestor(const LiteOrder* order, int node, int position);

// Who uses each node (waits for it), or each value (reads it), in the order of decisions.
typedef struct LiteUsers {
    LiteLists lists;
    // Per list: the place in lists.items of its first user that is not decided.
    int* first;
    // Per place: the next user in the list that does not itself wait for this one by way of parents, or the
    // list's end. Those between have the same decided ancestors as this one, as long as it is not decided.
    int* next;
} LiteUsers;

// `uses`: what each node uses, of `count` things.
bool lite_users_init(LiteUsers* users, const LiteOrder* order, int node_count, const LiteLists* uses,
                     int count, LiteArena* arena);

#endif
