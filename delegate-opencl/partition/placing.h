// SPDX-License-Identifier: Apache-2.0
// A graph as the partitioner sees it: its tensors, and what its nodes take on either side, as far as that is
// measured, and else as it is estimated.
#ifndef DELEGATE_OPENCL_PARTITION_PLACING_H_
#define DELEGATE_OPENCL_PARTITION_PLACING_H_

#include "core/base/cpu_path.h"
#include "delegate-opencl/cost/learned.h"
#include "delegate-opencl/cost/measured.h"
#include "delegate-opencl/cost/work.h"
#include "delegate-opencl/partition/shared.h"
#include "oclite/partition.h"

// The partitioner's sums of the longest graphs stay far below what it allows.
#define LITE_CL_MOST_NS INT64_C(100000000000)

// What is known of the graph's nodes on a side by their signatures (known.h), by place in graph->nodes.
typedef struct LiteClKnownTimes {
    int64_t* ns;    // -1: it is not known
    int32_t* leads; // the place of the node that it runs with, -1: none
} LiteClKnownTimes;

// A graph as the partitioner sees it.
typedef struct LiteClPlacing {
    LiteClShared* shared;
    LiteClGraph* graph;
    const bool* supported;
    LiteClSide host_side;
    LiteClSide device_side;
    char host_key[LITE_CPU_NAME + 64];  // of what was learned of it
    char known_key[LITE_CPU_NAME + 64]; // of the nodes that are known there
    LiteClKnownTimes host_known;
    LiteClKnownTimes device_known;
    bool plainly;    // estimates do not rest on what was learned, or is known
    int64_t* host;   // by place in graph->nodes
    int64_t* device; // likewise
    int32_t* side;   // the partition of each node, -1: the host
    int32_t* group;  // launched together
    OclitePartitionProblem problem;
    OclitePartitionResult result;
} LiteClPlacing;

// Of p->graph and p->supported, in the graph's arena. false: out of memory.
bool lite_cl_placing_describe(LiteClPlacing* p);
// What is known of both sides, when the host has so many threads. `is_ours`: it has this library's kernels.
// false: out of memory.
bool lite_cl_placing_recall(LiteClPlacing* p, int threads, bool is_ours);
// Divides the graph, into p->side and p->result.
TfLiteStatus lite_cl_placing_cut(LiteClPlacing* p, OclitePartitionMode mode, const LiteReporter* reporter);
// Is any node on the device?
bool lite_cl_placing_takes_any(const LiteClPlacing* p);
// Gives the nodes their times. NULL: nothing was measured.
void lite_cl_placing_fill(LiteClPlacing* p, const LiteClMeasured* measured);
// What was measured corrects the estimates of other graphs.
void lite_cl_placing_learn(LiteClPlacing* p, const LiteClMeasured* measured);
// Are the times of the node in graph->nodes[n] measured, in this graph or in another one?
bool lite_cl_placing_has_time(const LiteClPlacing* p, const LiteClMeasured* measured, int n, bool on_device);
// Was the node with this index measured?
static inline bool lite_cl_placing_is_measured(const int64_t* times, int node_count, int index) {
    return times != NULL && index < node_count && times[index] >= 0;
}

#endif
