// SPDX-License-Identifier: Apache-2.0
// The problem of oclite/partition.h, checked, and in the terms in which it is solved: values and edges.
//
// A value is what a tensor holds from one write to the next: a tensor that is written twice is two values,
// and what nobody has written (inputs of the graph, constants) is a value without a writer. Transfers belong
// to values. An edge leads from a node to one that waits for it; the kinds of edges (data, reuse, control) no
// longer matter. A unit is a set of nodes that go to one side: a group, or a node alone.
#ifndef PARTITIONER_PROBLEM_H_
#define PARTITIONER_PROBLEM_H_

#include <stdbool.h>
#include <stdint.h>

#include "core/base/memory.h"
#include "oclite/partition.h"
#include "partitioner/partition.h"

typedef struct LiteValue {
    int writer; // node, -1: nobody
    int reader_count;
    const int* readers; // different nodes, in execution order
    bool wanted;        // the host needs it in the end
    int64_t to_device_ns;
    int64_t to_host_ns;
} LiteValue;

// One list of ints per item: those of item i are items[start[i]] to items[start[i + 1] - 1].
typedef struct LiteLists {
    int* start;
    int* items;
} LiteLists;

typedef enum LiteSide { kLiteEitherSide = 0, kLiteHostOnly = 1, kLiteDeviceOnly = 2 } LiteSide;

typedef struct LiteProblem {
    LiteArena arena; // everything below
    LitePartitionGraph graph;
    const int64_t* host_ns;
    const int64_t* device_ns;
    int64_t partition_ns;
    int max_partitions; // 0: no limit
    int min_nodes;
    int value_count;
    LiteValue* values;
    LiteLists reads;  // per node: values, each once
    LiteLists writes; // per node: values
    LiteLists before; // per node: those it waits for; some may be in it twice
    LiteLists after;  // per node: those that wait for it
    int unit_count;
    int* unit_of;    // per node
    LiteLists units; // per unit: its nodes in execution order
    LiteSide* sides; // per node: where it may be, with its unit
} LiteProblem;

// Checks `given` and fills *problem, which refers to its arrays. lite_problem_free accepts what is left of a
// failure.
OclitePartitionStatus lite_problem_init(LiteProblem* problem, const OclitePartitionProblem* given);
void lite_problem_free(LiteProblem* problem);

// What a node costs where it is placed.
static inline int64_t lite_problem_node_ns(const LiteProblem* problem, int node, bool on_device) {
    return (on_device ? problem->device_ns : problem->host_ns)[node];
}

// Makes list i ready for counts[i] items. As many are to be appended by lite_lists_add before lists are read.
bool lite_lists_init(LiteLists* lists, LiteArena* arena, const int* counts, int list_count);
static inline void lite_lists_add(LiteLists* lists, int list, int item) {
    lists->items[lists->start[list + 1]++] = item;
}

#endif
