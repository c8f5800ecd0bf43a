// SPDX-License-Identifier: Apache-2.0
// Moves are judged by what they change around the unit, results by the true price.
#include "partitioner/improve.h"

#include <string.h>

#include "partitioner/error.h"
#include "partitioner/greedy.h"

enum { kMostSweeps = 12 };

OclitePartitionStatus lite_offer(LiteBest* best, bool* on_device) {
    PARTITION_TRY(lite_price(best->problem, on_device, best->limit, &best->cut));
    if (!best->cut.fits) {
        PARTITION_TRY(lite_keep_largest(best->problem, best->limit, &best->cut, on_device));
        PARTITION_TRY(lite_price(best->problem, on_device, best->limit, &best->cut));
    }
    PARTITION_TRY(lite_drop_losses(best->problem, &best->cut, on_device));
    PARTITION_TRY(lite_price(best->problem, on_device, best->limit, &best->cut));
    if (best->cut.total_ns >= best->total_ns) return kOclitePartitionOk;
    best->total_ns = best->cut.total_ns;
    memcpy(best->on_device, on_device, (size_t)best->problem->graph.node_count * sizeof(bool));
    return kOclitePartitionOk;
}

// Moves a node and returns what this changes, with all partitions seen as one. device_readers counts those of
// each value that are on the device.
static int64_t move_node(const LiteProblem* problem, int node, bool* on_device, int* device_readers) {
    const bool to_device = !on_device[node];
    const int sign = to_device ? 1 : -1;
    // The change that moving to the device makes; that of moving back is the opposite.
    int64_t change = problem->device_ns[node] - problem->host_ns[node];
    for (int i = problem->reads.start[node]; i < problem->reads.start[node + 1]; i++) {
        const LiteValue* value = &problem->values[problem->reads.items[i]];
        int* readers = &device_readers[problem->reads.items[i]];
        const int others = *readers - (to_device ? 0 : 1);
        const bool from_device = value->writer >= 0 && on_device[value->writer];
        if (!from_device && others == 0) change += value->to_device_ns;
        if (from_device && others == value->reader_count - 1 && !value->wanted) change -= value->to_host_ns;
        *readers += sign;
    }
    for (int i = problem->writes.start[node]; i < problem->writes.start[node + 1]; i++) {
        const LiteValue* value = &problem->values[problem->writes.items[i]];
        const int readers = device_readers[problem->writes.items[i]];
        if (readers > 0) change -= value->to_device_ns;
        if (readers < value->reader_count || value->wanted) change += value->to_host_ns;
    }
    on_device[node] = to_device;
    return sign * change;
}

// Moves a unit if that saves something.
static bool try_unit(const LiteProblem* problem, int unit, bool* on_device, int* device_readers) {
    const int begin = problem->units.start[unit];
    const int end = problem->units.start[unit + 1];
    if (problem->sides[problem->units.items[begin]] != kLiteEitherSide) return false;
    int64_t change = 0;
    for (int i = begin; i < end; i++) {
        change += move_node(problem, problem->units.items[i], on_device, device_readers);
    }
    if (change < 0) return true;
    for (int i = end - 1; i >= begin; i--) {
        (void)move_node(problem, problem->units.items[i], on_device, device_readers);
    }
    return false;
}

OclitePartitionStatus lite_improve(LiteBest* best, bool* on_device) {
    const LiteProblem* problem = best->problem;
    int* device_readers = lite_calloc((size_t)problem->value_count, sizeof(int));
    if (device_readers == NULL && problem->value_count > 0) return lite_partition_out_of_memory();
    for (int v = 0; v < problem->value_count; v++) {
        for (int i = 0; i < problem->values[v].reader_count; i++) {
            device_readers[v] += on_device[problem->values[v].readers[i]];
        }
    }
    bool moves = true;
    for (int sweep = 0; sweep < kMostSweeps && moves; sweep++) {
        moves = false;
        for (int k = 0; k < problem->unit_count; k++) {
            const int unit = sweep % 2 == 0 ? k : problem->unit_count - 1 - k;
            moves = try_unit(problem, unit, on_device, device_readers) || moves;
        }
    }
    lite_free(device_readers);
    return lite_offer(best, on_device);
}
