// SPDX-License-Identifier: Apache-2.0
// Random problems of oclite/partition.h, what a placement costs by the definition there, written as plainly
// as possible, and whether a placement can be executed.
#ifndef TESTS_SUPPORT_PLACEMENT_CASE_H_
#define TESTS_SUPPORT_PLACEMENT_CASE_H_

#include <stdbool.h>
#include <stdint.h>

#include "oclite/partition.h"

enum { PLACEMENT_MOST_NODES = 2000, PLACEMENT_MOST_ENDS = 4 };

typedef struct PlacementCase {
    OclitePartitionProblem problem; // its arrays are those below
    int32_t input_start[PLACEMENT_MOST_NODES + 1];
    int32_t inputs[PLACEMENT_MOST_NODES * PLACEMENT_MOST_ENDS];
    int32_t output_start[PLACEMENT_MOST_NODES + 1];
    int32_t outputs[PLACEMENT_MOST_NODES * PLACEMENT_MOST_ENDS];
    int32_t control_from[PLACEMENT_MOST_NODES];
    int32_t control_to[PLACEMENT_MOST_NODES];
    int64_t host_ns[PLACEMENT_MOST_NODES];
    int64_t device_ns[PLACEMENT_MOST_NODES];
    int64_t to_device_ns[PLACEMENT_MOST_NODES + 8];
    int64_t to_host_ns[PLACEMENT_MOST_NODES + 8];
    int32_t group_of[PLACEMENT_MOST_NODES];
    bool wanted[PLACEMENT_MOST_NODES + 8];
    bool forced[PLACEMENT_MOST_NODES]; // the node is on the device in every placement
    // Per input: the node that wrote what is read, -1: nobody.
    int writers[PLACEMENT_MOST_NODES * PLACEMENT_MOST_ENDS];
    // Per output: whether a later node writes the tensor again.
    bool rewritten[PLACEMENT_MOST_NODES * PLACEMENT_MOST_ENDS];
} PlacementCase;

// A graph in which anything goes: tensors written twice or before they are read, nodes that update what they
// read, control edges, groups, sides that cannot run a node, limits; each of these in some cases only.
// `nearness`: inputs come from one of so many nodes before.
void placement_case_make(PlacementCase* c, int node_count, int nearness);

// Whether each node is on a side that can run it, and groups on one.
bool placement_case_allows(const PlacementCase* c, const bool* on_device);

// The cost of the placement; *fits: it is within the limits, for which the partitions of those nodes alone
// that only the device can run have to be known (0: no such node).
int64_t placement_case_price(const PlacementCase* c, const bool* on_device, int forced_partitions, bool* fits,
                             int* partition_count);

// Fails the test unless the partitions can be executed one after the other in the order of their numbers,
// with the nodes of the host between them, and none waits for its own results by way of a node outside.
void placement_case_check(const PlacementCase* c, const int32_t* partition_of, int partition_count);

#endif
