// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/place.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/overlap.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/placing.h"
#include "delegate-opencl/partition/trial.h"
#include "tensorflow/lite/builtin_ops.h"

// So often a graph is measured again after resizes by more than the double; then estimates have to do.
enum { MOST_REVISIONS = 4 };

static TfLiteStatus out_of_memory(const LiteReporter* reporter) {
    return lite_report(reporter, "OpenCL: out of memory");
}

// ---- The choice ----

static TfLiteStatus cut(LiteClPlacing* p, OclitePartitionMode mode, const LiteReporter* reporter) {
    p->result.size = sizeof p->result;
    if (oclite_partition(&p->problem, mode, p->side, &p->result) == kOclitePartitionOk) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: the graph cannot be divided: %s", oclite_partition_last_error());
}

static bool is_some(const LiteClPlacing* p, bool all) {
    bool same = true;
    for (int n = 0; n < p->graph->node_count; n++) {
        const bool wanted = all ? p->supported[n] : p->supported[n] && p->host[n] == OCLITE_PARTITION_NEVER;
        same = same && wanted == (p->side[n] >= 0);
    }
    return same;
}

static int64_t run_of(OclitePartitionMode mode, const LiteClMeasured* measured) {
    switch (mode) {
    case kOclitePartitionCost:
        return measured->chosen_run;
    case kOclitePartitionAll:
        return measured->all_run;
    case kOclitePartitionNone:
        return measured->host_run;
    case kOclitePartitionOverlap:
        return measured->overlapped_run;
    default:
        return -1;
    }
}

// What whole inferences have shown counts more than what their nodes say. A mixture has to be ahead by a
// twentieth, which two trials of the same differ by. Where nothing was measured, a mixture has to promise
// much, because estimates are good to a factor of two or three.
static OclitePartitionMode fastest(const LiteClPlacing* p, const LiteClMeasured* measured) {
    const int64_t host = p->result.host_ns, all = p->result.all_ns, better = all < host ? all : host;
    if (measured->host_run < 0 && p->result.total_ns > better / 3 * 2)
        return all < host ? kOclitePartitionAll : kOclitePartitionNone;
    const OclitePartitionMode ways[] = {kOclitePartitionCost, kOclitePartitionAll, kOclitePartitionNone,
                                        kOclitePartitionOverlap};
    OclitePartitionMode mode = kOclitePartitionCost;
    int64_t shortest = INT64_MAX;
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const bool is_mixed = ways[w] == kOclitePartitionCost || ways[w] == kOclitePartitionOverlap;
        const int64_t run = run_of(ways[w], measured);
        const int64_t counts = run + (is_mixed ? run / 20 : 0);
        if (run < 0 || counts >= shortest) continue;
        shortest = counts;
        mode = ways[w];
    }
    return mode;
}

static void note_times(const LiteClPlacing* p, const LiteClMeasured* measured, LiteClNodeTimes* times) {
    for (int n = 0; n < p->graph->node_count; n++) {
        const int index = p->graph->nodes[n].index;
        times[n] =
            (LiteClNodeTimes){p->host[n], p->device[n],
                              lite_cl_placing_is_measured(measured->host, measured->node_count, index),
                              lite_cl_placing_is_measured(measured->device, measured->node_count, index)};
    }
}

static void note_placement(const LiteClPlacing* p, const LiteClMeasured* measured,
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

static void explain(const LiteClPlacing* p, const LiteClMeasured* measured, const LiteClChoice* choice) {
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

// Of the cut with all on the device a whole inference is known.
static void fit(const LiteClPlacing* p, LiteClMeasured* measured) {
    double host = 0, device = 0;
    for (int n = 0; n < p->graph->node_count; n++) {
        if (p->side[n] >= 0)
            device += (double)p->device[n];
        else
            host += (double)p->host[n];
    }
    lite_cl_measured_fit(measured, host, device, p->result.partition_count,
                         10 * p->device_side.rates.partition);
}

// ---- Measuring ----

static bool takes_any(const LiteClPlacing* p) {
    for (int n = 0; n < p->graph->node_count; n++) {
        if (p->side[n] >= 0) return true;
    }
    return false;
}

// Would the device be so much slower that a trial is not worth the compilation of its programs? All that is
// known of it are estimates. Small graphs may have taught what is not true of large ones, so both have to say
// so, those with and those without what was learned. Leaves the cut of the former.
static TfLiteStatus see_hope(LiteClPlacing* p, const LiteClMeasured* measured, bool* is_hopeless,
                             const LiteReporter* reporter) {
    enum { TIMES = 5 }; // estimates of either side are good to a factor of two or three
    *is_hopeless = true;
    for (int learned = 0; learned < 2; learned++) {
        p->plainly = learned == 0;
        lite_cl_placing_fill(p, measured);
        LITE_TRY(cut(p, kOclitePartitionCost, reporter));
        *is_hopeless &= !takes_any(p) && p->result.all_ns / TIMES > p->result.host_ns;
    }
    return kTfLiteOk;
}

// What a trial of the present cut takes: an inference that prepares, and one or two that count.
static void expect(const LiteClPlacing* p, LiteClGraphTrial* trial) {
    trial->expected_ns = 3 * p->result.total_ns;
}

// That both sides work at once is tried where it promises at least a tenth. Both may need the same cores,
// which only a trial can show.
static TfLiteStatus measure_overlapped(LiteClPlacing* p, TfLiteContext* context, LiteClGraphTrial* trial,
                                       const LiteReporter* reporter) {
    if (p->shared->options.overlap == kLiteClOverlapOff || lite_overlap_service(context) == NULL)
        return kTfLiteOk;
    const int64_t apart = p->result.total_ns;
    LITE_TRY(cut(p, kOclitePartitionOverlap, reporter));
    if (p->result.total_ns > apart / 10 * 9 || !takes_any(p)) return kTfLiteOk;
    trial->overlapped = true;
    expect(p, trial);
    (void)lite_cl_trial_device(p->shared, context, trial, &trial->measured->overlapped_run);
    return kTfLiteOk;
}

// A mixture that is not ahead by a twentieth is not taken.
static bool promises_much(const LiteClPlacing* p) {
    const int64_t host = p->result.host_ns, all = p->result.all_ns, better = all < host ? all : host;
    return p->result.total_ns <= better - better / 20;
}

// Another program may have disturbed a trial for all of its time. So both sides are tried once more, unless
// one of them is far ahead.
static void confirm(const LiteClPlacing* p, TfLiteContext* context, LiteClGraphTrial* trial) {
    LiteClMeasured* measured = trial->measured;
    int64_t* const runs[] = {&measured->all_run, &measured->chosen_run, &measured->overlapped_run};
    int best = 0;
    for (int r = 1; r < 3; r++) {
        if (*runs[r] >= 0 && *runs[r] < *runs[best]) best = r;
    }
    if (*runs[best] / 2 > measured->host_run || measured->host_run / 2 > *runs[best]) return;
    trial->chosen = best > 0;
    trial->overlapped = best == 2;
    if (2 * trial->expected_ns > trial->left_ns) return;
    (void)lite_cl_trial_host(context, trial);
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
static TfLiteStatus measure(LiteClPlacing* p, TfLiteContext* context, const char* key,
                            LiteClMeasured* measured, const LiteReporter* reporter) {
    const int64_t long_ns = 20000000; // in which it does not matter that launches are timed
    LiteClGraphTrial trial = {.key = key, .measured = measured, .times = true, .left_ns = 1000000000};
    int64_t timed = -1;
    bool is_hopeless;
    if (has_kernels(p->graph) || lite_cl_trial_host(context, &trial) != kTfLiteOk) return kTfLiteOk;
    trial.times = false;
    if (measured->host_run < long_ns) (void)lite_cl_trial_host(context, &trial);
    trial.times = true;
    LITE_TRY(see_hope(p, measured, &is_hopeless, reporter));
    if (is_hopeless) return kTfLiteOk;
    trial.expected_ns = 0;
    if (lite_cl_trial_device(p->shared, context, &trial, &timed) != kTfLiteOk) return kTfLiteOk;
    trial.times = false;
    measured->all_run = timed;
    if (timed < long_ns && lite_cl_trial_device(p->shared, context, &trial, &measured->all_run) != kTfLiteOk)
        return kTfLiteOk;
    lite_cl_placing_fill(p, measured);
    LITE_TRY(cut(p, kOclitePartitionAll, reporter));
    fit(p, measured);
    lite_cl_placing_fill(p, measured);
    LITE_TRY(cut(p, kOclitePartitionCost, reporter));
    trial.chosen = true;
    expect(p, &trial);
    if (!is_some(p, true) && !is_some(p, false) && promises_much(p))
        (void)lite_cl_trial_device(p->shared, context, &trial, &measured->chosen_run);
    LITE_TRY(measure_overlapped(p, context, &trial, reporter));
    confirm(p, context, &trial);
    return kTfLiteOk;
}

static TfLiteStatus look_up(LiteClPlacing* p, TfLiteContext* context, const char* key, int node_count,
                            LiteClMeasured* measured, const LiteReporter* reporter) {
    LiteClDevice* device = p->shared->device;
    if (lite_cl_measured_find(device, key, node_count, measured)) return kTfLiteOk;
    if (!lite_cl_measured_init(measured, node_count)) return out_of_memory(reporter);
    if (lite_cl_decisions_revisions(&p->shared->decisions, p->graph->number) > MOST_REVISIONS)
        return kTfLiteOk;
    LITE_TRY(measure(p, context, key, measured, reporter));
    lite_cl_placing_learn(p, measured);
    if (lite_cl_trial_offered(context)) lite_cl_measured_keep(device, key, measured);
    return kTfLiteOk;
}

// ---- Modes ----

static void leave_all(const LiteClPlacing* p, const LiteClChoice* choice, const char* why) {
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

static TfLiteStatus place_child(LiteClPlacing* p, const char* key, const LiteClChoice* choice,
                                const LiteReporter* reporter) {
    const LiteClGraphTrial* trial = p->shared->trial;
    if (strcmp(key, trial->key) != 0) {
        leave_all(p, choice, "another graph is measured");
        return kTfLiteOk;
    }
    if (!trial->chosen) return kTfLiteOk;
    lite_cl_placing_fill(p, trial->measured);
    LITE_TRY(cut(p, trial->overlapped ? kOclitePartitionOverlap : kOclitePartitionCost, reporter));
    p->graph->overlaps |= trial->overlapped;
    explain(p, trial->measured, choice);
    return kTfLiteOk;
}

// For the partitions, which see how long they take. `key` NULL: the times are estimates.
static bool watch(LiteClPlacing* p, const char* key) {
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

static TfLiteStatus place_by_cost(LiteClPlacing* p, TfLiteContext* context, const char* key,
                                  const LiteClChoice* choice, const LiteReporter* reporter) {
    LiteClMeasured measured = {0};
    int64_t expected = -1;
    bool is_hopeless;
    LITE_TRY(see_hope(p, NULL, &is_hopeless, reporter));
    if (!is_hopeless) {
        const int count = count_indices(p->graph);
        TfLiteStatus status = look_up(p, context, key, count, &measured, reporter);
        if (status == kTfLiteOk) {
            lite_cl_placing_fill(p, &measured);
            status = cut(p, kOclitePartitionCost, reporter);
        }
        if (status == kTfLiteOk) {
            const OclitePartitionMode mode = fastest(p, &measured);
            p->graph->overlaps |= mode == kOclitePartitionOverlap;
            if (mode != kOclitePartitionCost) status = cut(p, mode, reporter);
            expected = run_of(mode, &measured);
        }
        if (status != kTfLiteOk) {
            lite_cl_measured_free(&measured);
            return status;
        }
    }
    explain(p, &measured, choice);
    const char* kept = measured.all_run >= 0 ? key : NULL;
    lite_cl_measured_free(&measured);
    if (!watch(p, kept)) return out_of_memory(reporter);
    lite_cl_decisions_note_basis(&p->shared->decisions, p->graph, expected);
    lite_cl_trial_watch(context);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_place(LiteClShared* shared, TfLiteContext* context, LiteClGraph* graph,
                           const LiteClChoice* choice, const LiteReporter* reporter) {
    LiteClPlacing placing = {.shared = shared, .graph = graph};
    LiteClPlacing* p = &placing;
    const OclitePartitionMode mode = shared->options.partition;
    graph->overlaps = shared->options.overlap == kLiteClOverlapOn;
    if (mode == kOclitePartitionNone) leave_all(p, choice, "left to the host by the option partition=none");
    if (!LITE_CL_HAS_COSTS || (mode != kOclitePartitionCost && shared->trial == NULL) ||
        !is_any(choice->taken, graph->node_count))
        return kTfLiteOk;
    const int threads = context->recommended_num_threads;
    lite_cl_placing_recall(p, threads);
    bool* supported = lite_arena_alloc(&graph->arena, (size_t)graph->node_count, sizeof *supported);
    if (supported == NULL || !lite_cl_placing_describe(p)) return out_of_memory(reporter);
    memcpy(supported, choice->taken, (size_t)graph->node_count * sizeof *supported);
    p->supported = supported;
    char* key = lite_cl_measured_key(graph, supported, shared->options.precision, threads);
    if (key == NULL) return out_of_memory(reporter);
    const TfLiteStatus status = shared->trial != NULL ? place_child(p, key, choice, reporter)
                                                      : place_by_cost(p, context, key, choice, reporter);
    lite_free(key);
    return status;
}
