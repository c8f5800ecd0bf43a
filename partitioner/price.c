// SPDX-License-Identifier: Apache-2.0
// Cuts by lite_partition, sums over nodes and values.
#include "partitioner/price.h"

#include <limits.h>

#include "partitioner/error.h"

OclitePartitionStatus lite_cut_init(LiteCut* cut, const LiteProblem* problem, LiteArena* arena) {
    const size_t nodes = (size_t)problem->graph.node_count;
    *cut = (LiteCut){
        .partition_of = lite_arena_alloc(arena, nodes, sizeof(int)),
        .node_counts = lite_arena_alloc(arena, nodes, sizeof(int)),
        .fixed = lite_arena_alloc(arena, nodes, sizeof(bool)),
        .gains = lite_arena_alloc(arena, nodes, sizeof(int64_t)),
        .costs = lite_arena_alloc(arena, nodes, sizeof(int64_t)),
        .number_of = lite_arena_alloc(arena, nodes, sizeof(int)),
        .seen_by = lite_arena_alloc(arena, nodes, sizeof(int)),
    };
    return cut->partition_of != NULL && cut->node_counts != NULL && cut->fixed != NULL &&
                   cut->gains != NULL && cut->costs != NULL && cut->number_of != NULL && cut->seen_by != NULL
               ? kOclitePartitionOk
               : lite_partition_out_of_memory();
}

int lite_partition_limit(const LiteProblem* problem, const LiteCut* none) {
    if (problem->max_partitions == 0) return INT_MAX;
    return problem->max_partitions > none->partition_count ? problem->max_partitions : none->partition_count;
}

// Numbers the subsets that are on the device, in their order.
static OclitePartitionStatus cut_nodes(const LiteProblem* problem, const bool* on_device, LiteCut* cut) {
    const int nodes = problem->graph.node_count;
    int subset_count = 0;
    const LitePartitionStatus status =
        lite_partition(&problem->graph, on_device, cut->partition_of, &subset_count);
    if (status == kLitePartitionNoMemory) return lite_partition_out_of_memory();
    if (status != kLitePartitionOk) {
        return lite_partition_fail(kOclitePartitionBadGraph, "the graph cannot be cut");
    }
    for (int s = 0; s < subset_count; s++) cut->number_of[s] = -1;
    for (int n = 0; n < nodes; n++) {
        if (on_device[n]) cut->number_of[cut->partition_of[n]] = 0;
    }
    cut->partition_count = 0;
    for (int s = 0; s < subset_count; s++) {
        if (cut->number_of[s] == 0) cut->number_of[s] = cut->partition_count++;
    }
    for (int n = 0; n < nodes; n++) cut->partition_of[n] = cut->number_of[cut->partition_of[n]];
    return kOclitePartitionOk;
}

static void price_nodes(const LiteProblem* problem, LiteCut* cut) {
    for (int p = 0; p < cut->partition_count; p++) {
        cut->node_counts[p] = 0;
        cut->fixed[p] = false;
        cut->gains[p] = -problem->partition_ns;
        cut->costs[p] = problem->partition_ns;
        cut->seen_by[p] = -1;
        cut->total_ns += problem->partition_ns;
    }
    for (int n = 0; n < problem->graph.node_count; n++) {
        const int p = cut->partition_of[n];
        cut->total_ns += lite_problem_node_ns(problem, n, p >= 0);
        if (p < 0) continue;
        cut->node_counts[p]++;
        cut->costs[p] += problem->device_ns[n];
        if (problem->sides[n] == kLiteDeviceOnly) {
            cut->fixed[p] = true;
        } else {
            cut->gains[p] += problem->host_ns[n] - problem->device_ns[n];
        }
    }
}

static void pay(LiteCut* cut, int partition, int64_t ns) {
    cut->total_ns += ns;
    cut->gains[partition] -= ns;
    cut->costs[partition] += ns;
}

static void price_value(const LiteProblem* problem, int v, LiteCut* cut) {
    const LiteValue* value = &problem->values[v];
    const int home = value->writer >= 0 ? cut->partition_of[value->writer] : -1;
    bool leaves = value->wanted;
    for (int i = 0; i < value->reader_count; i++) {
        const int p = cut->partition_of[value->readers[i]];
        if (p < 0 || p != home) leaves = true;
        if (p < 0 || p == home || cut->seen_by[p] == v) continue;
        cut->seen_by[p] = v;
        pay(cut, p, value->to_device_ns);
    }
    if (home >= 0 && leaves) pay(cut, home, value->to_host_ns);
}

OclitePartitionStatus lite_price(const LiteProblem* problem, const bool* on_device, int limit, LiteCut* cut) {
    PARTITION_TRY(cut_nodes(problem, on_device, cut));
    cut->total_ns = 0;
    price_nodes(problem, cut);
    for (int v = 0; v < problem->value_count; v++) price_value(problem, v, cut);
    cut->fits = cut->partition_count <= limit;
    for (int p = 0; p < cut->partition_count; p++) {
        if (!cut->fixed[p] && cut->node_counts[p] < problem->min_nodes) cut->fits = false;
    }
    return kOclitePartitionOk;
}
