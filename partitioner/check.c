// SPDX-License-Identifier: Apache-2.0
// Checks of everything but of groups, which need the lists of problem.c.
#include "partitioner/check.h"

#include <inttypes.h>
#include <string.h>

#include "partitioner/error.h"

static const int64_t kLargestSum = INT64_C(1) << 62;
// So many inputs, outputs and control pairs that the number of edges is an int.
static const int64_t kMostItems = INT64_C(1) << 28;

#define bad_graph(...) lite_partition_fail(kOclitePartitionBadGraph, __VA_ARGS__)
#define bad_cost(...) lite_partition_fail(kOclitePartitionBadCost, __VA_ARGS__)

static OclitePartitionStatus need(const void* array, int32_t count, const char* name) {
    return count > 0 && array == NULL ? bad_graph("%s is NULL", name) : kOclitePartitionOk;
}

static OclitePartitionStatus need_arrays(const OclitePartitionProblem* problem) {
    const int32_t nodes = problem->node_count;
    if (nodes < 0) return bad_graph("node_count is %" PRId32, nodes);
    if (problem->tensor_count < 0) return bad_graph("tensor_count is %" PRId32, problem->tensor_count);
    if (problem->control_count < 0) return bad_graph("control_count is %" PRId32, problem->control_count);
    PARTITION_TRY(need(problem->input_start, nodes, "input_start"));
    PARTITION_TRY(need(problem->output_start, nodes, "output_start"));
    PARTITION_TRY(need(problem->host_ns, nodes, "host_ns"));
    PARTITION_TRY(need(problem->device_ns, nodes, "device_ns"));
    PARTITION_TRY(need(problem->control_from, problem->control_count, "control_from"));
    return need(problem->control_to, problem->control_count, "control_to");
}

// The lists of inputs, or of outputs; `name` is "input" or "output".
static OclitePartitionStatus check_lists(const OclitePartitionProblem* problem, const int32_t* start,
                                         const int32_t* items, const char* name) {
    const int32_t nodes = problem->node_count;
    if (nodes == 0) return kOclitePartitionOk;
    if (start[0] < 0) return bad_graph("%s_start[0] is %" PRId32, name, start[0]);
    for (int32_t n = 0; n < nodes; n++) {
        if (start[n + 1] >= start[n]) continue;
        return bad_graph("node %" PRId32 ": its %ss begin at %" PRId32 " and end at %" PRId32, n, name,
                         start[n], start[n + 1]);
    }
    if (start[nodes] > start[0] && items == NULL) return bad_graph("%ss is NULL", name);
    for (int32_t n = 0; n < nodes; n++) {
        for (int32_t i = start[n]; i < start[n + 1]; i++) {
            if (items[i] < problem->tensor_count) continue;
            return bad_graph("node %" PRId32 ": %s %" PRId32 " is tensor %" PRId32 ", but there are %" PRId32,
                             n, name, i - start[n], items[i], problem->tensor_count);
        }
    }
    return kOclitePartitionOk;
}

static OclitePartitionStatus check_control(const OclitePartitionProblem* problem) {
    for (int32_t c = 0; c < problem->control_count; c++) {
        const int32_t from = problem->control_from[c];
        const int32_t to = problem->control_to[c];
        const int32_t wrong = from < 0 || from >= problem->node_count ? from : to;
        if (wrong < 0 || wrong >= problem->node_count) {
            return bad_graph("control pair %" PRId32 ": node %" PRId32 ", but there are %" PRId32, c, wrong,
                             problem->node_count);
        }
        if (from >= to) {
            return bad_graph("node %" PRId32 ": control edge to %" PRId32 " is against the order", from, to);
        }
    }
    return kOclitePartitionOk;
}

// "node" or "tensor" in `kind` says what index i of the array stands for.
static OclitePartitionStatus check_times(const int64_t* times, int32_t count, const char* kind,
                                         const char* name, bool may_be_never, int64_t most) {
    for (int32_t i = 0; times != NULL && i < count; i++) {
        if (may_be_never && times[i] == OCLITE_PARTITION_NEVER) continue;
        if (times[i] < 0) {
            return bad_cost("%s %" PRId32 ": %s is %" PRId64 "; a time%s", kind, i, name, times[i],
                            may_be_never ? ", or OCLITE_PARTITION_NEVER" : " is not negative");
        }
        if (times[i] > most) {
            return bad_cost("%s %" PRId32 ": %s is %" PRId64 "; at most %" PRId64 " in a graph of this size",
                            kind, i, name, times[i], most);
        }
    }
    return kOclitePartitionOk;
}

static OclitePartitionStatus check_costs(const OclitePartitionProblem* problem) {
    const int32_t nodes = problem->node_count;
    int64_t terms = 1 + 2 * (int64_t)nodes;
    if (nodes > 0) {
        terms += (int64_t)problem->input_start[nodes] - problem->input_start[0];
        terms += (int64_t)problem->output_start[nodes] - problem->output_start[0];
    }
    if (terms > kMostItems - problem->control_count) {
        return bad_graph("the graph has more than %" PRId64 " inputs, outputs and control pairs", kMostItems);
    }
    const int64_t most = kLargestSum / terms;
    PARTITION_TRY(check_times(problem->host_ns, nodes, "node", "host_ns", true, most));
    PARTITION_TRY(check_times(problem->device_ns, nodes, "node", "device_ns", true, most));
    PARTITION_TRY(
        check_times(problem->to_device_ns, problem->tensor_count, "tensor", "to_device_ns", false, most));
    PARTITION_TRY(
        check_times(problem->to_host_ns, problem->tensor_count, "tensor", "to_host_ns", false, most));
    if (problem->partition_ns < 0) return bad_cost("partition_ns is %" PRId64, problem->partition_ns);
    if (problem->partition_ns > most) {
        return bad_cost("partition_ns is %" PRId64 "; at most %" PRId64 " in a graph of this size",
                        problem->partition_ns, most);
    }
    return kOclitePartitionOk;
}

OclitePartitionStatus lite_partition_check(const OclitePartitionProblem* given,
                                           OclitePartitionProblem* problem) {
    if (given == NULL) return bad_graph("the problem is NULL");
    // What the first version of the struct had is not optional.
    if (given->size < sizeof *problem) {
        return bad_graph("the problem has size %zu, not sizeof(OclitePartitionProblem), %zu", given->size,
                         sizeof *problem);
    }
    *problem = *given;
    PARTITION_TRY(need_arrays(problem));
    PARTITION_TRY(check_lists(problem, problem->input_start, problem->inputs, "input"));
    PARTITION_TRY(check_lists(problem, problem->output_start, problem->outputs, "output"));
    PARTITION_TRY(check_control(problem));
    if (problem->max_partitions < 0) {
        return bad_graph("max_partitions is %" PRId32, problem->max_partitions);
    }
    if (problem->min_nodes < 0) return bad_graph("min_nodes is %" PRId32, problem->min_nodes);
    return check_costs(problem);
}
