// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/place.h"

#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/compare.h"
#include "delegate-opencl/partition/measure.h"
#include "delegate-opencl/partition/trial.h"

static TfLiteStatus out_of_memory(const LiteReporter* reporter) {
    return lite_report(reporter, "OpenCL: out of memory");
}

// ---- The choice ----

static void note_times(const LiteClPlacing* p, const LiteClMeasured* measured, LiteClNodeTimes* times) {
    for (int n = 0; n < p->graph->node_count; n++) {
        times[n] =
            (LiteClNodeTimes){p->host[n], p->device[n], lite_cl_placing_has_time(p, measured, n, false),
                              lite_cl_placing_has_time(p, measured, n, true)};
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
    placement->chosen_run_ns = measured->run[kLiteClChosen];
    placement->host_run_ns = measured->run[kLiteClHost];
    placement->all_run_ns = measured->run[kLiteClAll];
    placement->overlapped_run_ns = measured->run[kLiteClOverlapped];
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

static TfLiteStatus place_child(LiteClPlacing* p, const char* key, const LiteClChoice* choice,
                                const LiteReporter* reporter) {
    const LiteClGraphTrial* trial = p->shared->trial;
    if (strcmp(key, trial->key) != 0) {
        leave_all(p, choice, "another graph is measured");
        return kTfLiteOk;
    }
    if (trial->way == kLiteClAll) return kTfLiteOk;
    lite_cl_placing_fill(p, trial->measured);
    LITE_TRY(lite_cl_placing_cut(p, lite_cl_way_mode(trial->way), reporter));
    p->graph->overlaps |= trial->way == kLiteClOverlapped;
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

// The way that takes least, as far as is known.
static TfLiteStatus take_fastest(LiteClPlacing* p, const LiteClMeasured* measured, LiteClExpected* expected,
                                 const LiteReporter* reporter) {
    lite_cl_placing_fill(p, measured);
    LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionCost, reporter));
    const LiteClWay way = lite_cl_measure_fastest(p, measured);
    p->graph->overlaps |= way == kLiteClOverlapped;
    if (way != kLiteClChosen) LITE_TRY(lite_cl_placing_cut(p, lite_cl_way_mode(way), reporter));
    expected->inference_ns = measured->run[way];
    if (way != kLiteClHost) expected->host_ns = measured->run[kLiteClHost];
    return kTfLiteOk;
}

static TfLiteStatus place_by_cost(LiteClPlacing* p, TfLiteContext* context, const char* key,
                                  const LiteClChoice* choice, const LiteReporter* reporter) {
    LiteClMeasured measured = {0};
    LiteClExpected expected = {-1, -1};
    bool is_hopeless;
    LITE_TRY(lite_cl_measure_hope(p, NULL, &is_hopeless, reporter));
    if (!is_hopeless) {
        LITE_TRY(lite_cl_measure(p, context, key, &measured, reporter));
        const TfLiteStatus status = take_fastest(p, &measured, &expected, reporter);
        if (status != kTfLiteOk) {
            lite_cl_measured_free(&measured);
            return status;
        }
    }
    explain(p, &measured, choice);
    const char* kept = measured.node_count > 0 && measured.run[kLiteClAll] >= 0 ? key : NULL;
    lite_cl_measured_free(&measured);
    if (!watch(p, kept)) return out_of_memory(reporter);
    lite_cl_decisions_note_basis(&p->shared->decisions, p->graph, &expected);
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
    const bool is_ours = shared->trial != NULL || lite_cl_trial_offered(context);
    bool* supported = lite_arena_alloc(&graph->arena, (size_t)graph->node_count, sizeof *supported);
    if (supported == NULL || !lite_cl_placing_recall(p, threads, is_ours) || !lite_cl_placing_describe(p))
        return out_of_memory(reporter);
    memcpy(supported, choice->taken, (size_t)graph->node_count * sizeof *supported);
    p->supported = supported;
    char* key = lite_cl_measured_key(graph, supported, shared->options.precision, threads);
    if (key == NULL) return out_of_memory(reporter);
    const TfLiteStatus status = shared->trial != NULL ? place_child(p, key, choice, reporter)
                                                      : place_by_cost(p, context, key, choice, reporter);
    lite_free(key);
    return status;
}
