// SPDX-License-Identifier: Apache-2.0
// Values from tensors, edges from values and control pairs, units from groups.
#include "partitioner/problem.h"

#include <stdlib.h>
#include <string.h>

#include "partitioner/check.h"
#include "partitioner/error.h"

bool lite_lists_init(LiteLists* lists, LiteArena* arena, const int* counts, int list_count) {
    // One longer than it seems: start[i + 1] is where the next item of list i goes until all are added, and
    // then where the list ends.
    lists->start = lite_arena_alloc(arena, (size_t)list_count + 2, sizeof(int));
    if (lists->start == NULL) return false;
    for (int i = 0; i < list_count; i++) lists->start[i + 2] = lists->start[i + 1] + counts[i];
    lists->items = lite_arena_alloc(arena, (size_t)lists->start[list_count + 1], sizeof(int));
    return lists->items != NULL;
}

// What is needed while the problem is made.
typedef struct Build {
    LiteArena arena;
    int* current;     // per tensor: its value, -1: none yet
    int* previous;    // per value: the one that its tensor had before, -1: none
    int* last_reader; // per value
    int* counts;      // of whatever is being counted
} Build;

static int new_value(LiteProblem* problem, Build* build, int tensor, int writer,
                     const OclitePartitionProblem* given) {
    const int v = problem->value_count++;
    problem->values[v] = (LiteValue){
        .writer = writer,
        .to_device_ns = given->to_device_ns != NULL ? given->to_device_ns[tensor] : 0,
        .to_host_ns = given->to_host_ns != NULL ? given->to_host_ns[tensor] : 0,
    };
    build->previous[v] = build->current[tensor];
    build->last_reader[v] = -1;
    build->current[tensor] = v;
    return v;
}

static void read_tensor(LiteProblem* problem, Build* build, int node, int tensor,
                        const OclitePartitionProblem* given) {
    int v = build->current[tensor];
    if (v < 0) v = new_value(problem, build, tensor, -1, given);
    if (build->last_reader[v] == node) return;
    build->last_reader[v] = node;
    problem->values[v].reader_count++;
    problem->reads.items[problem->reads.start[node + 1]++] = v;
}

static void write_tensor(LiteProblem* problem, Build* build, int node, int tensor,
                         const OclitePartitionProblem* given) {
    const int before = build->current[tensor];
    if (before >= 0 && problem->values[before].writer == node) return;
    problem->writes.items[problem->writes.start[node + 1]++] = new_value(problem, build, tensor, node, given);
}

// Nodes' lists of values are made in the order of nodes, so that each begins where the last one ends.
static void find_values(LiteProblem* problem, Build* build, const OclitePartitionProblem* given) {
    const LitePartitionGraph* graph = &problem->graph;
    for (int t = 0; t < graph->tensor_count; t++) build->current[t] = -1;
    for (int n = 0; n < graph->node_count; n++) {
        problem->reads.start[n + 1] = problem->reads.start[n];
        problem->writes.start[n + 1] = problem->writes.start[n];
        for (int i = graph->input_start[n]; i < graph->input_start[n + 1]; i++) {
            if (graph->inputs[i] >= 0) read_tensor(problem, build, n, graph->inputs[i], given);
        }
        for (int i = graph->output_start[n]; i < graph->output_start[n + 1]; i++) {
            if (graph->outputs[i] >= 0) write_tensor(problem, build, n, graph->outputs[i], given);
        }
    }
    for (int t = 0; t < graph->tensor_count; t++) {
        const int v = build->current[t];
        if (v < 0) continue;
        problem->values[v].wanted =
            given->wanted_outside != NULL && given->wanted_outside[t] && problem->values[v].writer >= 0;
    }
}

static OclitePartitionStatus make_values(LiteProblem* problem, Build* build,
                                         const OclitePartitionProblem* given) {
    const LitePartitionGraph* graph = &problem->graph;
    const size_t nodes = (size_t)graph->node_count;
    size_t reads = 0, writes = 0;
    if (nodes > 0) {
        reads = (size_t)(graph->input_start[nodes] - graph->input_start[0]);
        writes = (size_t)(graph->output_start[nodes] - graph->output_start[0]);
    }
    problem->values = lite_arena_alloc(&problem->arena, reads + writes, sizeof(LiteValue));
    problem->reads.start = lite_arena_alloc(&problem->arena, nodes + 1, sizeof(int));
    problem->reads.items = lite_arena_alloc(&problem->arena, reads, sizeof(int));
    problem->writes.start = lite_arena_alloc(&problem->arena, nodes + 1, sizeof(int));
    problem->writes.items = lite_arena_alloc(&problem->arena, writes, sizeof(int));
    int* readers = lite_arena_alloc(&problem->arena, reads, sizeof(int));
    build->current = lite_arena_alloc(&build->arena, (size_t)graph->tensor_count, sizeof(int));
    build->previous = lite_arena_alloc(&build->arena, reads + writes, sizeof(int));
    build->last_reader = lite_arena_alloc(&build->arena, reads + writes, sizeof(int));
    if (problem->values == NULL || problem->reads.start == NULL || problem->reads.items == NULL ||
        problem->writes.start == NULL || problem->writes.items == NULL || readers == NULL ||
        build->current == NULL || build->previous == NULL || build->last_reader == NULL) {
        return lite_partition_out_of_memory();
    }
    find_values(problem, build, given);
    // The readers of all values, one after the other; last_reader becomes where the next one goes.
    int at = 0;
    for (int v = 0; v < problem->value_count; v++) {
        problem->values[v].readers = readers + at;
        build->last_reader[v] = at;
        at += problem->values[v].reader_count;
    }
    for (int n = 0; n < graph->node_count; n++) {
        for (int i = problem->reads.start[n]; i < problem->reads.start[n + 1]; i++) {
            readers[build->last_reader[problem->reads.items[i]]++] = n;
        }
    }
    return kOclitePartitionOk;
}

// Calls the function for every edge: a reader waits for the writer, a writer for whoever used the tensor's
// value before.
static void for_each_edge(LiteProblem* problem, const Build* build,
                          void (*edge)(LiteProblem* problem, const Build* build, int from, int to)) {
    for (int v = 0; v < problem->value_count; v++) {
        const LiteValue* value = &problem->values[v];
        for (int i = 0; i < value->reader_count && value->writer >= 0; i++) {
            edge(problem, build, value->writer, value->readers[i]);
        }
        if (build->previous[v] < 0) continue;
        const LiteValue* old = &problem->values[build->previous[v]];
        if (old->writer >= 0) edge(problem, build, old->writer, value->writer);
        for (int i = 0; i < old->reader_count; i++) {
            if (old->readers[i] != value->writer) edge(problem, build, old->readers[i], value->writer);
        }
    }
    const LitePartitionGraph* graph = &problem->graph;
    for (int c = 0; c < graph->control_count; c++) {
        edge(problem, build, graph->control_from[c], graph->control_to[c]);
    }
}

static void count_edge(LiteProblem* problem, const Build* build, int from, int to) {
    build->counts[from]++;
    build->counts[problem->graph.node_count + to]++;
}

static void add_edge(LiteProblem* problem, const Build* build, int from, int to) {
    (void)build;
    lite_lists_add(&problem->after, from, to);
    lite_lists_add(&problem->before, to, from);
}

static OclitePartitionStatus make_edges(LiteProblem* problem, Build* build) {
    const int nodes = problem->graph.node_count;
    build->counts = lite_arena_alloc(&build->arena, 2 * (size_t)nodes, sizeof(int));
    if (build->counts == NULL) return lite_partition_out_of_memory();
    for_each_edge(problem, build, count_edge);
    if (!lite_lists_init(&problem->after, &problem->arena, build->counts, nodes) ||
        !lite_lists_init(&problem->before, &problem->arena, build->counts + nodes, nodes)) {
        return lite_partition_out_of_memory();
    }
    for_each_edge(problem, build, add_edge);
    return kOclitePartitionOk;
}

typedef struct Member {
    int group;
    int node;
} Member;

static int by_group(const void* left, const void* right) {
    const Member* a = left;
    const Member* b = right;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static int group_at(const OclitePartitionProblem* given, int node) {
    return given->group_of != NULL && given->group_of[node] >= 0 ? given->group_of[node] : -1;
}

// Numbers the units: a group has the number of its first node among the units.
static OclitePartitionStatus make_units(LiteProblem* problem, Build* build,
                                        const OclitePartitionProblem* given) {
    const int nodes = problem->graph.node_count;
    Member* members = lite_arena_alloc(&build->arena, (size_t)nodes, sizeof(Member));
    int* first = lite_arena_alloc(&build->arena, (size_t)nodes, sizeof(int));
    int* sizes = lite_arena_alloc(&build->arena, (size_t)nodes, sizeof(int));
    problem->unit_of = lite_arena_alloc(&problem->arena, (size_t)nodes, sizeof(int));
    if (members == NULL || first == NULL || sizes == NULL || problem->unit_of == NULL) {
        return lite_partition_out_of_memory();
    }
    for (int n = 0; n < nodes; n++) members[n] = (Member){.group = group_at(given, n), .node = n};
    if (given->group_of != NULL) qsort(members, (size_t)nodes, sizeof(Member), by_group);
    for (int i = 0; i < nodes; i++) {
        const bool is_first = i == 0 || members[i].group < 0 || members[i].group != members[i - 1].group;
        first[members[i].node] = is_first ? members[i].node : first[members[i - 1].node];
    }
    for (int n = 0; n < nodes; n++) {
        problem->unit_of[n] = first[n] == n ? problem->unit_count++ : problem->unit_of[first[n]];
        sizes[problem->unit_of[n]]++;
    }
    if (!lite_lists_init(&problem->units, &problem->arena, sizes, problem->unit_count)) {
        return lite_partition_out_of_memory();
    }
    for (int n = 0; n < nodes; n++) lite_lists_add(&problem->units, problem->unit_of[n], n);
    return kOclitePartitionOk;
}

static LiteSide side_of_unit(const LiteProblem* problem, int unit, int* host_only, int* device_only) {
    *host_only = *device_only = -1;
    for (int i = problem->units.start[unit]; i < problem->units.start[unit + 1]; i++) {
        const int n = problem->units.items[i];
        if (problem->device_ns[n] == OCLITE_PARTITION_NEVER && *host_only < 0) *host_only = n;
        if (problem->host_ns[n] == OCLITE_PARTITION_NEVER && *device_only < 0) *device_only = n;
    }
    if (*host_only >= 0) return kLiteHostOnly;
    return *device_only >= 0 ? kLiteDeviceOnly : kLiteEitherSide;
}

static OclitePartitionStatus make_sides(LiteProblem* problem, const OclitePartitionProblem* given) {
    problem->sides = lite_arena_alloc(&problem->arena, (size_t)problem->graph.node_count, sizeof(LiteSide));
    if (problem->sides == NULL) return lite_partition_out_of_memory();
    for (int u = 0; u < problem->unit_count; u++) {
        int host_only, device_only;
        const LiteSide side = side_of_unit(problem, u, &host_only, &device_only);
        if (host_only >= 0 && host_only == device_only) {
            return lite_partition_fail(kOclitePartitionImpossible,
                                       "node %d: neither the host nor the device can run it", host_only);
        }
        if (host_only >= 0 && device_only >= 0) {
            return lite_partition_fail(kOclitePartitionImpossible,
                                       "group %d: the device cannot run node %d, nor the host node %d",
                                       (int)given->group_of[host_only], host_only, device_only);
        }
        for (int i = problem->units.start[u]; i < problem->units.start[u + 1]; i++) {
            problem->sides[problem->units.items[i]] = side;
        }
    }
    return kOclitePartitionOk;
}

OclitePartitionStatus lite_problem_init(LiteProblem* problem, const OclitePartitionProblem* given) {
    static const int32_t no_lists[1] = {0};
    *problem = (LiteProblem){0};
    OclitePartitionProblem checked;
    PARTITION_TRY(lite_partition_check(given, &checked));
    problem->graph = (LitePartitionGraph){
        .node_count = checked.node_count,
        .tensor_count = checked.tensor_count,
        .input_start = checked.node_count > 0 ? checked.input_start : no_lists,
        .inputs = checked.inputs,
        .output_start = checked.node_count > 0 ? checked.output_start : no_lists,
        .outputs = checked.outputs,
        .control_count = checked.control_count,
        .control_from = checked.control_from,
        .control_to = checked.control_to,
    };
    problem->host_ns = checked.host_ns;
    problem->device_ns = checked.device_ns;
    problem->partition_ns = checked.partition_ns;
    problem->max_partitions = checked.max_partitions;
    problem->min_nodes = checked.min_nodes;
    Build build = {0};
    OclitePartitionStatus status = make_values(problem, &build, &checked);
    if (status == kOclitePartitionOk) status = make_edges(problem, &build);
    if (status == kOclitePartitionOk) status = make_units(problem, &build, &checked);
    if (status == kOclitePartitionOk) status = make_sides(problem, &checked);
    lite_arena_free(&build.arena);
    return status;
}

void lite_problem_free(LiteProblem* problem) {
    lite_arena_free(&problem->arena);
}
