// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/place.h"

#include <stdio.h>
#include <string.h>

#include "core/base/cpu_path.h"
#include "core/base/memory.h"
#include "core/base/overlap.h"
#include "delegate-opencl/cost/learned.h"
#include "delegate-opencl/cost/measured.h"
#include "delegate-opencl/cost/work.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/trial.h"
#include "tensorflow/lite/builtin_ops.h"

// The partitioner's sums of the longest graphs stay far below what it allows.
#define MOST_NS INT64_C(100000000000)

// A graph as the partitioner sees it.
typedef struct Placing {
    LiteClShared* shared;
    LiteClGraph* graph;
    const bool* supported;
    LiteClSide host_side;
    LiteClSide device_side;
    char host_key[LITE_CPU_NAME + 64]; // of what was learned of it
    int64_t* host;                     // by place in graph->nodes
    int64_t* device;                   // likewise
    int32_t* side;                     // the partition of each node, -1: the host
    int32_t* group;                    // launched together
    OclitePartitionProblem problem;
    OclitePartitionResult result;
} Placing;

static TfLiteStatus out_of_memory(const LiteReporter* reporter) {
    return lite_report(reporter, "OpenCL: out of memory");
}

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
static bool add_control(Placing* p, LiteArena* arena) {
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

static bool add_transfers(Placing* p, LiteArena* arena) {
    const LiteClGraph* graph = p->graph;
    if (p->device_side.rates.transfer == 0) return true;
    int64_t* times = lite_arena_alloc(arena, (size_t)graph->tensor_count, sizeof *times);
    if (times == NULL) return false;
    for (int t = 0; t < graph->tensor_count; t++) {
        const LiteClTensor* tensor = &graph->tensors[t];
        const double bytes = tensor->late ? 0 : (double)lite_cl_tensor_bytes(tensor);
        times[t] = tensor->data != NULL ? 0 : lite_cl_transfer_time(bytes, &p->device_side.rates);
    }
    p->problem.to_device_ns = times;
    p->problem.to_host_ns = times;
    return true;
}

static bool describe(Placing* p, LiteArena* arena) {
    const LiteClGraph* graph = p->graph;
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

// ---- Times ----

static bool is_measured(const int64_t* times, int node_count, int index) {
    return index < node_count && times[index] >= 0;
}

// How much longer than estimated the measured nodes took.
static double correction(const Placing* p, const LiteClMeasured* measured, const int64_t* times,
                         const LiteClSide* side) {
    double estimated = 0, taken = 0;
    for (int n = 0; n < p->graph->node_count && measured != NULL; n++) {
        const LiteClNode* node = &p->graph->nodes[n];
        if (!is_measured(times, measured->node_count, node->index)) continue;
        estimated += (double)lite_cl_estimate(side, node);
        taken += (double)times[node->index];
    }
    return estimated > 0 && taken > 0 ? taken / estimated : 1;
}

static int64_t time_of(const LiteClNode* node, const LiteClMeasured* measured, const int64_t* times,
                       const LiteClSide* side, double factor) {
    if (measured != NULL && is_measured(times, measured->node_count, node->index))
        return times[node->index] < MOST_NS ? times[node->index] : MOST_NS;
    const double time = factor * (double)lite_cl_estimate(side, node);
    return time < MOST_NS ? (int64_t)time : MOST_NS;
}

static void fill_times(Placing* p, const LiteClMeasured* measured) {
    const int64_t* host = measured != NULL ? measured->host : NULL;
    const int64_t* device = measured != NULL ? measured->device : NULL;
    const double slower_host = correction(p, measured, host, &p->host_side);
    const double slower_device = correction(p, measured, device, &p->device_side);
    for (int n = 0; n < p->graph->node_count; n++) {
        const LiteClNode* node = &p->graph->nodes[n];
        p->host[n] = node->unresolved && p->supported[n]
                         ? OCLITE_PARTITION_NEVER
                         : time_of(node, measured, host, &p->host_side, slower_host);
        p->device[n] = !p->supported[n] ? OCLITE_PARTITION_NEVER
                                        : time_of(node, measured, device, &p->device_side, slower_device);
    }
    for (int n = 0; n < p->graph->node_count; n++) {
        const int index = p->graph->nodes[n].index;
        p->group[n] = measured != NULL && index < measured->node_count ? measured->together[index] : -1;
    }
    p->problem.partition_ns = measured != NULL && measured->partition >= 0
                                  ? measured->partition
                                  : (int64_t)p->device_side.rates.partition;
}

// ---- What was learned ----

static void recall_sides(Placing* p, int threads) {
    char cpu[LITE_CPU_NAME];
    lite_cpu_name(cpu);
    snprintf(p->host_key, sizeof p->host_key, "learned of %s, %s, %d threads", cpu,
             lite_cpu_path_name(lite_cpu_level()), threads);
    p->host_side.rates = lite_cl_rates_of_host(threads);
    p->device_side.rates = lite_cl_rates_of_device(p->shared->device);
    lite_cl_learned_find(p->shared->device, p->host_key, &p->host_side);
    lite_cl_learned_find(p->shared->device, LITE_CL_LEARNED_DEVICE, &p->device_side);
}

static void learn_sides(Placing* p, const LiteClMeasured* measured) {
    if (measured->host_run < 0) return;
    lite_cl_learn(&p->host_side, p->graph, measured->host, measured->node_count);
    lite_cl_learned_keep(p->shared->device, p->host_key, &p->host_side);
    if (measured->all_run < 0) return;
    lite_cl_learn(&p->device_side, p->graph, measured->device, measured->node_count);
    lite_cl_learned_keep(p->shared->device, LITE_CL_LEARNED_DEVICE, &p->device_side);
}

// ---- The choice ----

static TfLiteStatus cut(Placing* p, OclitePartitionMode mode, const LiteReporter* reporter) {
    p->result.size = sizeof p->result;
    if (oclite_partition(&p->problem, mode, p->side, &p->result) == kOclitePartitionOk) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: the graph cannot be divided: %s", oclite_partition_last_error());
}

static bool is_some(const Placing* p, bool all) {
    bool same = true;
    for (int n = 0; n < p->graph->node_count; n++) {
        const bool wanted = all ? p->supported[n] : p->supported[n] && p->host[n] == OCLITE_PARTITION_NEVER;
        same = same && wanted == (p->side[n] >= 0);
    }
    return same;
}

// What whole inferences have shown counts more than what their nodes say. A mixture has to be ahead by a
// twentieth, which two trials of the same differ by. Where nothing was measured, a mixture has to promise
// much, because estimates are good to a factor of two or three.
static OclitePartitionMode fastest(const Placing* p, const LiteClMeasured* measured) {
    const int64_t host = p->result.host_ns, all = p->result.all_ns, better = all < host ? all : host;
    if (measured->host_run < 0 && p->result.total_ns > better / 3 * 2)
        return all < host ? kOclitePartitionAll : kOclitePartitionNone;
    const struct {
        OclitePartitionMode mode;
        int64_t run;
    } ways[] = {{kOclitePartitionCost, measured->chosen_run},
                {kOclitePartitionAll, measured->all_run},
                {kOclitePartitionNone, measured->host_run},
                {kOclitePartitionOverlap, measured->overlapped_run}};
    OclitePartitionMode mode = kOclitePartitionCost;
    int64_t shortest = INT64_MAX;
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const bool is_mixed = ways[w].mode == kOclitePartitionCost || ways[w].mode == kOclitePartitionOverlap;
        const int64_t run = ways[w].run + (is_mixed ? ways[w].run / 20 : 0);
        if (ways[w].run < 0 || run >= shortest) continue;
        shortest = run;
        mode = ways[w].mode;
    }
    return mode;
}

static void note_times(const Placing* p, const LiteClMeasured* measured, LiteClNodeTimes* times) {
    for (int n = 0; n < p->graph->node_count; n++) {
        const int index = p->graph->nodes[n].index;
        times[n] = (LiteClNodeTimes){p->host[n], p->device[n],
                                     is_measured(measured->host, measured->node_count, index),
                                     is_measured(measured->device, measured->node_count, index)};
    }
}

static void note_placement(const Placing* p, const LiteClMeasured* measured,
                           OcliteOpenclPlacement* placement) {
    *placement = (OcliteOpenclPlacement){.graph = p->graph->number,
                                         .partitions = p->result.partition_count,
                                         .chosen_ns = p->result.total_ns,
                                         .host_ns = p->result.host_ns,
                                         .all_ns = p->result.all_ns,
                                         .partition_ns = p->problem.partition_ns,
                                         .chosen_run_ns = -1,
                                         .host_run_ns = -1,
                                         .all_run_ns = -1,
                                         .overlapped_run_ns = -1,
                                         .overlapped = p->graph->overlaps};
    if (measured->node_count == 0) return; // nothing was asked
    placement->chosen_run_ns = measured->chosen_run;
    placement->host_run_ns = measured->host_run;
    placement->all_run_ns = measured->all_run;
    placement->overlapped_run_ns = measured->overlapped_run;
}

static void explain(const Placing* p, const LiteClMeasured* measured, const LiteClChoice* choice) {
    static const char* const ways[] = {"estimated", "measured"};
    note_times(p, measured, choice->times);
    note_placement(p, measured, choice->placement);
    for (int n = 0; n < p->graph->node_count; n++) {
        const LiteClNodeTimes* times = &choice->times[n];
        if (!choice->taken[n] || p->side[n] >= 0) continue;
        choice->taken[n] = lite_cl_refuse(
            &choice->reasons[n],
            "an inference is faster with it on the host: %.1f us there (%s), %.1f on the device (%s), and "
            "%.1f for a partition",
            (double)times->host * 1e-3, ways[times->host_measured], (double)times->device * 1e-3,
            ways[times->device_measured], (double)p->problem.partition_ns * 1e-3);
    }
}

// What a partition costs beside its nodes, when an inference takes so long.
static int64_t partition_cost(const Placing* p, int64_t run) {
    int64_t rest = run;
    for (int n = 0; n < p->graph->node_count; n++) rest -= p->side[n] >= 0 ? p->device[n] : p->host[n];
    const int count = p->result.partition_count > 0 ? p->result.partition_count : 1;
    return rest <= 0 ? 0 : rest / count < MOST_NS ? rest / count : MOST_NS;
}

// ---- Measuring ----

static bool takes_any(const Placing* p) {
    for (int n = 0; n < p->graph->node_count; n++) {
        if (p->side[n] >= 0) return true;
    }
    return false;
}

// Would the device be so much slower that a trial is not worth the compilation of its programs? All that is
// known of it are estimates.
static bool is_hopeless(const Placing* p) {
    enum { TIMES = 3 };
    return !takes_any(p) && p->result.all_ns / TIMES > p->result.host_ns;
}

// That both sides work at once is tried where it promises at least a tenth. Both may need the same cores,
// which only a trial can show.
static TfLiteStatus measure_overlapped(Placing* p, TfLiteContext* context, LiteClGraphTrial* trial,
                                       const LiteReporter* reporter) {
    if (p->shared->options.overlap == kLiteClOverlapOff || lite_overlap_service(context) == NULL)
        return kTfLiteOk;
    const int64_t apart = p->result.total_ns;
    LITE_TRY(cut(p, kOclitePartitionOverlap, reporter));
    if (p->result.total_ns > apart / 10 * 9 || !takes_any(p)) return kTfLiteOk;
    trial->overlapped = true;
    (void)lite_cl_trial_device(p->shared, context, trial, &trial->measured->overlapped_run);
    return kTfLiteOk;
}

// Another program may have disturbed a trial for all of its time. So both sides are tried once more, unless
// one of them is far ahead.
static void confirm(const Placing* p, TfLiteContext* context, LiteClGraphTrial* trial) {
    LiteClMeasured* measured = trial->measured;
    int64_t* const runs[] = {&measured->all_run, &measured->chosen_run, &measured->overlapped_run};
    int best = 0;
    for (int r = 1; r < 3; r++) {
        if (*runs[r] >= 0 && *runs[r] < *runs[best]) best = r;
    }
    if (*runs[best] / 2 > measured->host_run || measured->host_run / 2 > *runs[best]) return;
    trial->chosen = best > 0;
    trial->overlapped = best == 2;
    (void)lite_cl_trial_host(context, measured);
    (void)lite_cl_trial_device(p->shared, context, trial, runs[best]);
}

// Trials have one delegate. They do not show a graph of which another delegate has taken a part.
static bool has_kernels(const LiteClGraph* graph) {
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].code == kTfLiteBuiltinDelegate) return true;
    }
    return false;
}

// Measures as far as it can. What could not be measured is estimated.
static TfLiteStatus measure(Placing* p, TfLiteContext* context, const char* key, LiteClMeasured* measured,
                            const LiteReporter* reporter) {
    const int64_t long_ns = 200000000; // an inference that takes as long is not repeated without need
    LiteClGraphTrial trial = {.key = key, .measured = measured, .times = true};
    int64_t timed = -1;
    if (has_kernels(p->graph) || lite_cl_trial_host(context, measured) != kTfLiteOk) return kTfLiteOk;
    fill_times(p, measured);
    LITE_TRY(cut(p, kOclitePartitionCost, reporter));
    if (is_hopeless(p)) return kTfLiteOk;
    if (lite_cl_trial_device(p->shared, context, &trial, &timed) != kTfLiteOk) return kTfLiteOk;
    trial.times = false;
    measured->all_run = timed;
    if (timed < long_ns && lite_cl_trial_device(p->shared, context, &trial, &measured->all_run) != kTfLiteOk)
        return kTfLiteOk;
    fill_times(p, measured);
    LITE_TRY(cut(p, kOclitePartitionAll, reporter));
    measured->partition = partition_cost(p, measured->all_run);
    p->problem.partition_ns = measured->partition;
    LITE_TRY(cut(p, kOclitePartitionCost, reporter));
    trial.chosen = true;
    if (!is_some(p, true) && !is_some(p, false))
        (void)lite_cl_trial_device(p->shared, context, &trial, &measured->chosen_run);
    LITE_TRY(measure_overlapped(p, context, &trial, reporter));
    confirm(p, context, &trial);
    return kTfLiteOk;
}

static TfLiteStatus look_up(Placing* p, TfLiteContext* context, const char* key, int node_count,
                            LiteClMeasured* measured, const LiteReporter* reporter) {
    LiteClDevice* device = p->shared->device;
    if (lite_cl_measured_find(device, key, node_count, measured)) return kTfLiteOk;
    if (!lite_cl_measured_init(measured, node_count)) return out_of_memory(reporter);
    LITE_TRY(measure(p, context, key, measured, reporter));
    learn_sides(p, measured);
    if (lite_cl_trial_offered(context)) lite_cl_measured_keep(device, key, measured);
    return kTfLiteOk;
}

// ---- Modes ----

static void leave_all(const Placing* p, const LiteClChoice* choice, const char* why) {
    for (int n = 0; n < p->graph->node_count; n++) {
        if (choice->taken[n] && !p->graph->nodes[n].unresolved)
            choice->taken[n] = lite_cl_refuse(&choice->reasons[n], "%s", why);
    }
}

static bool is_any(const bool* taken, int count) {
    for (int n = 0; n < count; n++) {
        if (taken[n]) return true;
    }
    return false;
}

static int count_indices(const LiteClGraph* graph) {
    int count = 0;
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].index >= count) count = graph->nodes[n].index + 1;
    }
    return count;
}

static TfLiteStatus place_child(Placing* p, const char* key, const LiteClChoice* choice,
                                const LiteReporter* reporter) {
    const LiteClGraphTrial* trial = p->shared->trial;
    if (strcmp(key, trial->key) != 0) {
        leave_all(p, choice, "another graph is measured");
        return kTfLiteOk;
    }
    if (!trial->chosen) return kTfLiteOk;
    fill_times(p, trial->measured);
    LITE_TRY(cut(p, trial->overlapped ? kOclitePartitionOverlap : kOclitePartitionCost, reporter));
    p->graph->overlaps |= trial->overlapped;
    explain(p, trial->measured, choice);
    return kTfLiteOk;
}

// For the partitions, which see how long they take. `key` NULL: the times are estimates.
static bool watch(Placing* p, const char* key) {
    if (key != NULL) {
        const size_t size = strlen(key) + 1;
        char* copy = lite_arena_alloc(&p->graph->arena, size, 1);
        if (copy == NULL) return false;
        memcpy(copy, key, size);
        p->graph->times_key = copy;
    }
    p->graph->device_times = p->device;
    p->graph->partition_time = p->problem.partition_ns;
    return true;
}

static TfLiteStatus place_by_cost(Placing* p, TfLiteContext* context, const char* key,
                                  const LiteClChoice* choice, const LiteReporter* reporter) {
    LiteClMeasured measured = {0};
    fill_times(p, NULL);
    LITE_TRY(cut(p, kOclitePartitionCost, reporter));
    if (!is_hopeless(p)) {
        const int count = count_indices(p->graph);
        TfLiteStatus status = look_up(p, context, key, count, &measured, reporter);
        if (status == kTfLiteOk) {
            fill_times(p, &measured);
            status = cut(p, kOclitePartitionCost, reporter);
        }
        if (status == kTfLiteOk) {
            const OclitePartitionMode mode = fastest(p, &measured);
            p->graph->overlaps |= mode == kOclitePartitionOverlap;
            if (mode != kOclitePartitionCost) status = cut(p, mode, reporter);
        }
        if (status != kTfLiteOk) {
            lite_cl_measured_free(&measured);
            return status;
        }
    }
    explain(p, &measured, choice);
    const char* kept = measured.all_run >= 0 ? key : NULL;
    lite_cl_measured_free(&measured);
    return watch(p, kept) ? kTfLiteOk : out_of_memory(reporter);
}

TfLiteStatus lite_cl_place(LiteClShared* shared, TfLiteContext* context, LiteClGraph* graph,
                           const LiteClChoice* choice, const LiteReporter* reporter) {
    Placing placing = {.shared = shared, .graph = graph};
    Placing* p = &placing;
    const OclitePartitionMode mode = shared->options.partition;
    graph->overlaps = shared->options.overlap == kLiteClOverlapOn;
    if (mode == kOclitePartitionNone) leave_all(p, choice, "left to the host by the option partition=none");
    if (!LITE_CL_HAS_COSTS || (mode != kOclitePartitionCost && shared->trial == NULL) ||
        !is_any(choice->taken, graph->node_count))
        return kTfLiteOk;
    const int threads = context->recommended_num_threads;
    recall_sides(p, threads);
    bool* supported = lite_arena_alloc(&graph->arena, (size_t)graph->node_count, sizeof *supported);
    if (supported == NULL || !describe(p, &graph->arena)) return out_of_memory(reporter);
    memcpy(supported, choice->taken, (size_t)graph->node_count * sizeof *supported);
    p->supported = supported;
    char* key = lite_cl_measured_key(graph, supported, shared->options.precision, threads);
    if (key == NULL) return out_of_memory(reporter);
    const TfLiteStatus status = shared->trial != NULL ? place_child(p, key, choice, reporter)
                                                      : place_by_cost(p, context, key, choice, reporter);
    lite_free(key);
    return status;
}
