// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/placing.h"

#include <stdio.h>

#include "core/base/memory.h"
#include "delegate-opencl/cost/known.h"
#include "delegate-opencl/cost/transfer.h"
#include "delegate-opencl/graph/report.h"

// ---- The graph ----

static int32_t* flatten(const LiteClGraph* graph, LiteArena* arena, bool outputs, int32_t* start) {
    size_t total = 0;
    for (int n = 0; n < graph->node_count; n++)
        total += (size_t)(outputs ? graph->nodes[n].output_count : graph->nodes[n].input_count);
    int32_t* flat = total <= INT32_MAX ? lite_arena_alloc(arena, total, sizeof *flat) : NULL;
    if (flat == NULL) return NULL;
    int32_t at = 0;
    for (int n = 0; n < graph->node_count; n++) {
        const LiteClNode* node = &graph->nodes[n];
        LiteClTensor* const* tensors = outputs ? node->outputs : node->inputs;
        const int count = outputs ? node->output_count : node->input_count;
        start[n] = at;
        for (int i = 0; i < count; i++)
            flat[at++] = tensors[i] != NULL ? (int32_t)(tensors[i] - graph->tensors) : -1;
    }
    start[graph->node_count] = at;
    return flat;
}

// Nodes that touch the same variable stay in their order.
static bool add_control(LiteClPlacing* p, LiteArena* arena) {
    OclitePartitionProblem* problem = &p->problem;
    const size_t most = (size_t)problem->input_start[problem->node_count];
    int32_t* from = lite_arena_alloc(arena, most, sizeof *from);
    int32_t* to = lite_arena_alloc(arena, most, sizeof *to);
    int32_t* last = lite_arena_alloc(arena, (size_t)problem->tensor_count, sizeof *last); // 1 + node
    if (from == NULL || to == NULL || last == NULL) return false;
    for (int32_t n = 0; n < problem->node_count; n++) {
        for (int32_t i = problem->input_start[n]; i < problem->input_start[n + 1]; i++) {
            const int32_t t = problem->inputs[i];
            if (t < 0 || !p->graph->tensors[t].variable) continue;
            if (last[t] > 0 && last[t] - 1 != n) {
                from[problem->control_count] = last[t] - 1;
                to[problem->control_count++] = n;
            }
            last[t] = n + 1;
        }
    }
    problem->control_from = from;
    problem->control_to = to;
    return true;
}

static int64_t* price_transfers(const LiteClGraph* graph, LiteArena* arena, const LiteClTransfer* transfer) {
    int64_t* times = lite_arena_alloc(arena, (size_t)graph->tensor_count, sizeof *times);
    for (int t = 0; t < graph->tensor_count && times != NULL; t++) {
        const LiteClTensor* tensor = &graph->tensors[t];
        const double bytes = tensor->late ? 0 : (double)lite_cl_tensor_bytes(tensor);
        times[t] = tensor->data != NULL ? 0 : lite_cl_transfer_time(bytes, transfer);
    }
    return times;
}

static bool add_transfers(LiteClPlacing* p, LiteArena* arena) {
    const LiteClRates* rates = &p->device_side.rates;
    if (rates->to_device.rate == 0) return true;
    p->problem.to_device_ns = price_transfers(p->graph, arena, &rates->to_device);
    p->problem.to_host_ns = price_transfers(p->graph, arena, &rates->to_host);
    return p->problem.to_device_ns != NULL && p->problem.to_host_ns != NULL;
}

bool lite_cl_placing_describe(LiteClPlacing* p) {
    const LiteClGraph* graph = p->graph;
    LiteArena* arena = &p->graph->arena;
    const size_t nodes = (size_t)graph->node_count;
    int32_t* input_start = lite_arena_alloc(arena, nodes + 1, sizeof *input_start);
    int32_t* output_start = lite_arena_alloc(arena, nodes + 1, sizeof *output_start);
    p->host = lite_arena_alloc(arena, nodes, sizeof *p->host);
    p->device = lite_arena_alloc(arena, nodes, sizeof *p->device);
    p->side = lite_arena_alloc(arena, nodes, sizeof *p->side);
    p->group = lite_arena_alloc(arena, nodes, sizeof *p->group);
    if (input_start == NULL || output_start == NULL || p->host == NULL || p->device == NULL ||
        p->side == NULL || p->group == NULL)
        return false;
    p->problem = (OclitePartitionProblem){.size = sizeof p->problem,
                                          .node_count = graph->node_count,
                                          .tensor_count = graph->tensor_count,
                                          .input_start = input_start,
                                          .inputs = flatten(graph, arena, false, input_start),
                                          .output_start = output_start,
                                          .outputs = flatten(graph, arena, true, output_start),
                                          .host_ns = p->host,
                                          .device_ns = p->device,
                                          .group_of = p->group,
                                          .max_partitions = p->shared->options.max_partitions,
                                          .min_nodes = p->shared->options.min_nodes};
    return p->problem.inputs != NULL && p->problem.outputs != NULL && add_control(p, arena) &&
           add_transfers(p, arena);
}

// ---- The cut ----

TfLiteStatus lite_cl_placing_cut(LiteClPlacing* p, OclitePartitionMode mode, const LiteReporter* reporter) {
    p->result.size = sizeof p->result;
    if (oclite_partition(&p->problem, mode, p->side, &p->result) == kOclitePartitionOk) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: the graph cannot be divided: %s", oclite_partition_last_error());
}

bool lite_cl_placing_takes_any(const LiteClPlacing* p) {
    for (int n = 0; n < p->graph->node_count; n++) {
        if (p->side[n] >= 0) return true;
    }
    return false;
}

// ---- Times ----

static int64_t estimate(const LiteClPlacing* p, const LiteClSide* side, const LiteClNode* node) {
    return p->plainly ? lite_cl_estimate_plainly(side, node) : lite_cl_estimate(side, node);
}

// How much longer than estimated the measured nodes took.
static double correction(const LiteClPlacing* p, const LiteClMeasured* measured, const int64_t* times,
                         const LiteClSide* side) {
    double estimated = 0, taken = 0;
    for (int n = 0; n < p->graph->node_count && measured != NULL; n++) {
        const LiteClNode* node = &p->graph->nodes[n];
        if (!lite_cl_placing_is_measured(times, measured->node_count, node->index)) continue;
        estimated += (double)estimate(p, side, node);
        taken += (double)times[node->index];
    }
    return estimated > 0 && taken > 0 ? taken / estimated : 1;
}

// What was measured of this graph, else of such nodes in others, else an estimate.
static int64_t time_of(const LiteClPlacing* p, int n, const LiteClMeasured* measured, const int64_t* times,
                       const LiteClSide* side, const LiteClKnownTimes* known, double factor) {
    const LiteClNode* node = &p->graph->nodes[n];
    double time;
    if (measured != NULL && lite_cl_placing_is_measured(times, measured->node_count, node->index))
        time = (double)times[node->index];
    else if (!p->plainly && known->ns != NULL && known->ns[n] >= 0)
        time = (double)known->ns[n];
    else
        time = factor * (double)estimate(p, side, node);
    return time < LITE_CL_MOST_NS ? (int64_t)time : LITE_CL_MOST_NS;
}

// Nodes that are launched together, by the index of the first.
static int32_t group_of(const LiteClPlacing* p, int n, const LiteClMeasured* measured) {
    const int index = p->graph->nodes[n].index;
    const LiteClKnownTimes* known = &p->device_known;
    if (measured != NULL && lite_cl_placing_is_measured(measured->device, measured->node_count, index))
        return measured->together[index];
    if (p->plainly || known->ns == NULL || known->ns[n] < 0) return -1;
    const bool leads = n + 1 < p->graph->node_count && known->leads[n + 1] == n;
    return known->leads[n] >= 0 ? p->graph->nodes[known->leads[n]].index : leads ? index : -1;
}

void lite_cl_placing_fill(LiteClPlacing* p, const LiteClMeasured* measured) {
    const int64_t* host = measured != NULL ? measured->host : NULL;
    const int64_t* device = measured != NULL ? measured->device : NULL;
    const double slower_host = correction(p, measured, host, &p->host_side);
    const double slower_device = correction(p, measured, device, &p->device_side);
    for (int n = 0; n < p->graph->node_count; n++) {
        const bool is_alone = p->graph->nodes[n].unresolved && p->supported[n];
        p->host[n] = is_alone ? OCLITE_PARTITION_NEVER
                              : time_of(p, n, measured, host, &p->host_side, &p->host_known, slower_host);
        p->device[n] = !p->supported[n] ? OCLITE_PARTITION_NEVER
                                        : time_of(p, n, measured, device, &p->device_side, &p->device_known,
                                                  slower_device);
        p->group[n] = group_of(p, n, measured);
    }
    p->problem.partition_ns = measured != NULL && measured->partition >= 0
                                  ? measured->partition
                                  : (int64_t)p->device_side.rates.partition;
}

bool lite_cl_placing_has_time(const LiteClPlacing* p, const LiteClMeasured* measured, int n, bool on_device) {
    const LiteClKnownTimes* known = on_device ? &p->device_known : &p->host_known;
    const int64_t* times = on_device ? measured->device : measured->host;
    return lite_cl_placing_is_measured(times, measured->node_count, p->graph->nodes[n].index) ||
           (known->ns != NULL && known->ns[n] >= 0);
}

// ---- What was learned ----

// Signatures do not say how floats are stored.
static uint64_t seed_of(const LiteClPlacing* p, bool on_device) {
    return on_device ? 1 + (uint64_t)p->shared->options.precision : 0;
}

static bool look_up(const LiteClPlacing* p, const char* key, bool on_device, LiteClKnownTimes* times) {
    LiteArena* arena = &p->graph->arena;
    const size_t nodes = (size_t)p->graph->node_count;
    LiteClKnown* known = lite_malloc(sizeof *known);
    times->ns = lite_arena_alloc(arena, nodes, sizeof *times->ns);
    times->leads = lite_arena_alloc(arena, nodes, sizeof *times->leads);
    const bool ok = known != NULL && times->ns != NULL && times->leads != NULL;
    if (ok) {
        lite_cl_known_find(p->shared->device, key, known);
        lite_cl_known_look_up(known, p->graph, seed_of(p, on_device), times->ns, times->leads);
    }
    lite_free(known);
    return ok;
}

bool lite_cl_placing_recall(LiteClPlacing* p, int threads, bool is_ours) {
    char cpu[LITE_CPU_NAME];
    lite_cpu_name(cpu);
    const char* path = lite_cpu_path_name(lite_cpu_level());
    snprintf(p->host_key, sizeof p->host_key, "learned of %s, %s, %d threads", cpu, path, threads);
    snprintf(p->known_key, sizeof p->known_key, "known of %s, %s, %d threads", cpu, path, threads);
    p->host_side.rates = lite_cl_rates_of_host(threads);
    p->device_side.rates = lite_cl_rates_of_device(p->shared->device);
    lite_cl_transfer_measure(p->shared->device, &p->device_side.rates);
    lite_cl_learned_find(p->shared->device, p->host_key, &p->host_side);
    lite_cl_learned_find(p->shared->device, LITE_CL_LEARNED_DEVICE, &p->device_side);
    return (!is_ours || look_up(p, p->known_key, false, &p->host_known)) &&
           look_up(p, LITE_CL_KNOWN_DEVICE, true, &p->device_known);
}

// What cannot be kept for want of memory is not kept.
static void keep_known(const LiteClPlacing* p, const char* key, const LiteClMeasured* measured,
                       bool on_device) {
    LiteClKnown* known = lite_malloc(sizeof *known);
    if (known == NULL) return;
    lite_cl_known_find(p->shared->device, key, known);
    lite_cl_known_add(known, p->graph, on_device ? measured->device : measured->host, measured->node_count,
                      seed_of(p, on_device));
    lite_cl_known_keep(p->shared->device, key, known);
    lite_free(known);
}

void lite_cl_placing_learn(LiteClPlacing* p, const LiteClMeasured* measured) {
    if (measured->run[kLiteClHost] < 0) return;
    lite_cl_learn(&p->host_side, p->graph, measured->host, measured->node_count);
    lite_cl_learned_keep(p->shared->device, p->host_key, &p->host_side);
    keep_known(p, p->known_key, measured, false);
    if (measured->run[kLiteClAll] < 0) return;
    lite_cl_learn(&p->device_side, p->graph, measured->device, measured->node_count);
    lite_cl_learned_keep(p->shared->device, LITE_CL_LEARNED_DEVICE, &p->device_side);
    keep_known(p, LITE_CL_KNOWN_DEVICE, measured, true);
}
