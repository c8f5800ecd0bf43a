// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/measure.h"

#include <stdio.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/compare.h"
#include "tensorflow/lite/builtin_ops.h"

enum {
    MOST_REVISIONS = 4, // so often a graph is measured again after large resizes; then estimates have to do,
    MOST_ESTIMATES = 8, // which until then are compared with the host where they say the device
    MOST_CHECKS = 4,    // so many later processes look whether what is kept is true
};
static const int64_t check_ns = 100000000;

// What whole inferences have shown counts more than what their nodes say. Where nothing was measured, a
// mixture has to promise much, because estimates are good to a factor of two or three.
LiteClWay lite_cl_measure_fastest(const LiteClPlacing* p, const LiteClMeasured* measured) {
    if (measured->node_count > 0 && measured->run[kLiteClHost] >= 0)
        return lite_cl_compare_best(measured, kLiteClWays);
    if (p->result.total_ns <= lite_cl_compare_pure_ns(p) / 3 * 2) return kLiteClChosen;
    return p->result.all_ns < p->result.host_ns ? kLiteClAll : kLiteClHost;
}

// ---- Trials ----

// All that is known of the device are estimates. Small graphs may have taught what is not true of large ones,
// so both have to say so, those with and those without what was learned; the cut is that of the former.
TfLiteStatus lite_cl_measure_hope(LiteClPlacing* p, const LiteClMeasured* measured, bool* is_hopeless,
                                  const LiteReporter* reporter) {
    enum { TIMES = 5 }; // estimates of either side are good to a factor of two or three
    *is_hopeless = true;
    for (int learned = 0; learned < 2; learned++) {
        p->plainly = learned == 0;
        lite_cl_placing_fill(p, measured);
        LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionCost, reporter));
        *is_hopeless &= !lite_cl_placing_takes_any(p) && p->result.all_ns / TIMES > p->result.host_ns;
    }
    return kTfLiteOk;
}

// Trials have one delegate. They do not show a graph of which another delegate has taken a part.
static bool has_kernels(const LiteClGraph* graph) {
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].code == kTfLiteBuiltinDelegate) return true;
    }
    return false;
}

// Measures as far as it can.
static TfLiteStatus try_ways(LiteClPlacing* p, TfLiteContext* context, const char* key,
                             LiteClMeasured* measured, const LiteReporter* reporter) {
    LiteClGraphTrial trial = {.key = key, .measured = measured, .left_ns = LITE_CL_TRIALS_NS};
    LiteClContest contest = {.shared = p->shared, .context = context, .trial = &trial};
    bool is_hopeless;
    if (has_kernels(p->graph) || lite_cl_trial_host(context, &trial) != kTfLiteOk) return kTfLiteOk;
    const uint64_t begin = lite_clock_ns();
    LITE_TRY(lite_cl_measure_hope(p, measured, &is_hopeless, reporter));
    trial.left_ns -= (int64_t)(lite_clock_ns() - begin);
    if (is_hopeless || lite_cl_trial_device(p->shared, context, &trial) != kTfLiteOk) return kTfLiteOk;
    const TfLiteStatus status = lite_cl_compare(p, &contest, reporter);
    lite_cl_contest_end(&contest);
    return status;
}

// ---- What is kept ----

// A race of two ways, of which something is known or was estimated.
static bool race_again(LiteClPlacing* p, TfLiteContext* context, const char* key, LiteClMeasured* measured,
                       LiteClWay first, LiteClWay second, LiteClRace* race) {
    const int64_t pairs = measured->run[first] >= 0 ? 3 * (measured->run[first] + measured->run[second]) : 0;
    LiteClGraphTrial trial = {.key = key, .measured = measured, .left_ns = LITE_CL_TRIALS_NS};
    LiteClContest contest = {.shared = p->shared, .context = context, .trial = &trial};
    if (pairs > LITE_CL_TRIALS_NS / 2) return false;
    const TfLiteStatus status =
        lite_cl_contest_race(&contest, first, second, pairs > check_ns ? pairs : check_ns, race);
    lite_cl_contest_end(&contest);
    return status == kTfLiteOk && lite_cl_race_ratio(race) > 0 &&
           (race->rounds > 1 || lite_cl_race_is_certain(race));
}

// Of the ratios that processes have seen since the first of them, or one that contradicts, the mean counts.
// One race cannot say more than a quarter.
static void merge(LiteClMeasured* measured, LiteClWay first, LiteClWay second, const LiteClRace* race) {
    const double known = (double)measured->run[second] / (double)measured->run[first];
    double now = (double)lite_cl_race_ratio(race) / LITE_CL_RACE_ONE;
    now = now < known / 1.25 ? known / 1.25 : now < known * 1.25 ? now : known * 1.25;
    const bool contradicts = known < 1 ? now > 1.05 : now < 0.95;
    const double mean = known + (now - known) / (double)(2 + measured->checks);
    measured->run[second] = (int64_t)(mean * (double)measured->run[first]);
    measured->checks = contradicts ? 0 : measured->checks + 1;
}

static bool is_first_time(LiteClDevice* device, const char* key) {
    char note[256];
    char seen = 1;
    snprintf(note, sizeof note, "seen %.240s", key);
    if (lite_cl_note_find(device, note, &seen, sizeof seen)) return false;
    lite_cl_note_keep(device, note, &seen, sizeof seen, false);
    return true;
}

// For some races the time of the process before was too short.
static TfLiteStatus compare_again(LiteClPlacing* p, TfLiteContext* context, const char* key,
                                  LiteClMeasured* measured, const LiteReporter* reporter) {
    LiteClGraphTrial trial = {.key = key, .measured = measured, .left_ns = LITE_CL_TRIALS_NS};
    LiteClContest contest = {.shared = p->shared, .context = context, .trial = &trial};
    const TfLiteStatus status = lite_cl_compare(p, &contest, reporter);
    lite_cl_contest_end(&contest);
    measured->checks++;
    lite_cl_measured_keep(p->shared->device, key, measured, true);
    return status;
}

// Times that another process has measured may be those of a disturbed machine. So some later ones look again,
// each once and briefly, where the two best ways are near each other or the host is not the best.
static void check_kept(LiteClPlacing* p, TfLiteContext* context, const char* key, LiteClMeasured* measured) {
    const bool is_known = measured->run[kLiteClHost] > 0;
    const LiteClWay best = is_known ? lite_cl_compare_best(measured, kLiteClWays) : kLiteClWays;
    LiteClWay other = best != kLiteClWays ? lite_cl_compare_best(measured, best) : kLiteClWays;
    if (other == kLiteClWays || measured->run[best] <= 0) return;
    const bool is_close = measured->run[other] - measured->run[best] < measured->run[best] / 8;
    if (!is_close && best == kLiteClHost) return;
    if (!is_close) other = kLiteClHost;
    const LiteClWay first = best < other ? best : other, second = best < other ? other : best;
    LiteClRace race;
    if (!race_again(p, context, key, measured, first, second, &race)) return;
    merge(measured, first, second, &race);
    lite_cl_measured_keep(p->shared->device, key, measured, true);
}

// Estimates may have placed nodes on the device that are faster on the host.
static TfLiteStatus check_estimated(LiteClPlacing* p, TfLiteContext* context, const char* key,
                                    LiteClMeasured* measured, bool may_race, const LiteReporter* reporter) {
    LiteClRace race;
    lite_cl_placing_fill(p, measured);
    LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionCost, reporter));
    const LiteClWay way = lite_cl_measure_fastest(p, measured);
    if (way == kLiteClHost || !may_race || !lite_cl_trial_offered(context) || has_kernels(p->graph) ||
        !race_again(p, context, key, measured, kLiteClHost, way, &race))
        return kTfLiteOk;
    (void)is_first_time(p->shared->device, key);
    measured->run[kLiteClHost] = lite_cl_race_first_ns(&race);
    lite_cl_compare_note(measured, kLiteClHost, way, &race);
    lite_cl_measured_keep(p->shared->device, key, measured, false);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_measure(LiteClPlacing* p, TfLiteContext* context, const char* key,
                             LiteClMeasured* measured, const LiteReporter* reporter) {
    LiteClDevice* device = p->shared->device;
    int node_count = 0;
    for (int n = 0; n < p->graph->node_count; n++) {
        if (p->graph->nodes[n].index >= node_count) node_count = p->graph->nodes[n].index + 1;
    }
    if (lite_cl_measured_find(device, key, node_count, measured)) {
        if (measured->checks >= MOST_CHECKS || has_kernels(p->graph) || !lite_cl_trial_offered(context) ||
            !is_first_time(device, key))
            return kTfLiteOk;
        if (measured->untried != 0) return compare_again(p, context, key, measured, reporter);
        check_kept(p, context, key, measured);
        return kTfLiteOk;
    }
    if (!lite_cl_measured_init(measured, node_count)) return lite_report(reporter, "OpenCL: out of memory");
    const int revisions = lite_cl_decisions_revisions(&p->shared->decisions, p->graph->number);
    const bool is_new = revisions <= MOST_REVISIONS;
    const TfLiteStatus status =
        is_new ? try_ways(p, context, key, measured, reporter)
               : check_estimated(p, context, key, measured, revisions <= MOST_ESTIMATES, reporter);
    if (status != kTfLiteOk) lite_cl_measured_free(measured);
    if (status != kTfLiteOk || !is_new) return status;
    lite_cl_placing_learn(p, measured);
    (void)is_first_time(device, key);
    if (lite_cl_trial_offered(context)) lite_cl_measured_keep(device, key, measured, true);
    return kTfLiteOk;
}
