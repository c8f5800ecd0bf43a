// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/measure.h"

#include <stdio.h>

#include "core/base/memory.h"
#include "core/base/overlap.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/contest.h"
#include "tensorflow/lite/builtin_ops.h"

enum {
    MOST_REVISIONS = 4, // so often a graph is measured again after large resizes; then estimates have to do,
    MOST_ESTIMATES = 8, // which until then are compared with the host where they say the device
    MOST_CHECKS = 4,    // so many later processes look whether what is kept is true
};
static const int64_t all_trials_ns = 1000000000, race_ns = 400000000, check_ns = 100000000;

OclitePartitionMode lite_cl_way_mode(LiteClWay way) {
    static const OclitePartitionMode modes[] = {kOclitePartitionNone, kOclitePartitionAll,
                                                kOclitePartitionCost, kOclitePartitionOverlap};
    return modes[way];
}

// ---- The fastest ----

static int64_t better_of(const LiteClPlacing* p) {
    return p->result.all_ns < p->result.host_ns ? p->result.all_ns : p->result.host_ns;
}

// A mixture has to be ahead by some hundredths: it has its time from more than one race.
static int64_t count_run(const LiteClMeasured* measured, LiteClWay way) {
    const int64_t run = measured->run[way];
    return way == kLiteClHost || way == kLiteClAll || run < 0 ? run : run + run / 33;
}

// The best of the measured ways but one. kLiteClWays: there is none.
static LiteClWay find_best(const LiteClMeasured* measured, LiteClWay but) {
    LiteClWay best = kLiteClWays;
    for (int w = 0; w < kLiteClWays; w++) {
        const int64_t run = count_run(measured, (LiteClWay)w);
        if (run < 0 || w == (int)but) continue;
        if (best == kLiteClWays || run < count_run(measured, best)) best = (LiteClWay)w;
    }
    return best;
}

// What whole inferences have shown counts more than what their nodes say. Where nothing was measured, a
// mixture has to promise much, because estimates are good to a factor of two or three.
LiteClWay lite_cl_measure_fastest(const LiteClPlacing* p, const LiteClMeasured* measured) {
    if (measured->node_count > 0 && measured->run[kLiteClHost] >= 0) return find_best(measured, kLiteClWays);
    if (p->result.total_ns <= better_of(p) / 3 * 2) return kLiteClChosen;
    return p->result.all_ns < p->result.host_ns ? kLiteClAll : kLiteClHost;
}

// ---- Races ----

// What a race has shown is noted as what the second takes: in the first's measure, so that all ways have one.
static void note_race(LiteClMeasured* measured, LiteClWay first, LiteClWay second, const LiteClRace* race) {
    const int64_t ratio = lite_cl_race_ratio(race);
    if (ratio == 0 || measured->run[first] < 0) return;
    measured->run[second] = (int64_t)((double)measured->run[first] * (double)ratio / LITE_CL_RACE_ONE);
}

// Is there time for some inferences of either? `second_ns` is expected.
static bool has_time(const LiteClContest* contest, LiteClWay first, int64_t second_ns) {
    return 3 * (contest->trial->measured->run[first] + second_ns) <= contest->trial->left_ns;
}

static void race(LiteClContest* contest, LiteClWay first, LiteClWay second, int64_t second_ns) {
    LiteClMeasured* measured = contest->trial->measured;
    LiteClRace race;
    if (!has_time(contest, first, second_ns) ||
        lite_cl_contest_race(contest, first, second, race_ns, &race) != kTfLiteOk)
        return;
    // The first race says what the host takes with nobody timing its nodes.
    if (second == kLiteClAll && lite_cl_race_first_ns(&race) >= 0)
        measured->run[first] = lite_cl_race_first_ns(&race);
    note_race(measured, first, second, &race);
}

// Of two the slower one leaves.
static LiteClWay keep_faster(LiteClContest* contest, LiteClWay first, LiteClWay second) {
    const LiteClMeasured* measured = contest->trial->measured;
    const bool is_second =
        measured->run[second] >= 0 && count_run(measured, second) < count_run(measured, first);
    lite_cl_contest_drop(contest, is_second ? first : second);
    return is_second ? second : first;
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

static bool is_some(const LiteClPlacing* p, bool all) {
    bool same = true;
    for (int n = 0; n < p->graph->node_count; n++) {
        const bool wanted = all ? p->supported[n] : p->supported[n] && p->host[n] == OCLITE_PARTITION_NEVER;
        same = same && wanted == (p->side[n] >= 0);
    }
    return same;
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

// That both sides work at once is tried where it promises at least a tenth. Both may need the same cores,
// which only a trial can show.
static TfLiteStatus race_overlapped(LiteClPlacing* p, LiteClContest* contest, LiteClWay best,
                                    const LiteReporter* reporter) {
    if (p->shared->options.overlap == kLiteClOverlapOff || lite_overlap_service(contest->context) == NULL)
        return kTfLiteOk;
    const int64_t apart = p->result.total_ns;
    LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionOverlap, reporter));
    if (p->result.total_ns <= apart / 10 * 9 && lite_cl_placing_takes_any(p))
        race(contest, best, kLiteClOverlapped, p->result.total_ns);
    return kTfLiteOk;
}

static TfLiteStatus compare(LiteClPlacing* p, LiteClContest* contest, const LiteReporter* reporter) {
    LiteClMeasured* measured = contest->trial->measured;
    race(contest, kLiteClHost, kLiteClAll, measured->run[kLiteClAll]);
    LiteClWay best = keep_faster(contest, kLiteClHost, kLiteClAll);
    lite_cl_placing_fill(p, measured);
    LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionAll, reporter));
    fit(p, measured);
    lite_cl_placing_fill(p, measured);
    LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionCost, reporter));
    // A mixture that promises little is not worth a trial.
    if (!is_some(p, true) && !is_some(p, false) && p->result.total_ns <= better_of(p) - better_of(p) / 20) {
        race(contest, best, kLiteClChosen, p->result.total_ns);
        best = keep_faster(contest, best, kLiteClChosen);
    }
    return race_overlapped(p, contest, best, reporter);
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
    LiteClGraphTrial trial = {.key = key, .measured = measured, .left_ns = all_trials_ns};
    LiteClContest contest = {.shared = p->shared, .context = context, .trial = &trial};
    bool is_hopeless;
    if (has_kernels(p->graph) || lite_cl_trial_host(context, &trial) != kTfLiteOk) return kTfLiteOk;
    LITE_TRY(lite_cl_measure_hope(p, measured, &is_hopeless, reporter));
    if (is_hopeless || lite_cl_trial_device(p->shared, context, &trial) != kTfLiteOk) return kTfLiteOk;
    const TfLiteStatus status = compare(p, &contest, reporter);
    lite_cl_contest_end(&contest);
    return status;
}

// ---- What is kept ----

// A race of two ways, of which something is known or was estimated.
static bool race_again(LiteClPlacing* p, TfLiteContext* context, const char* key, LiteClMeasured* measured,
                       LiteClWay first, LiteClWay second, LiteClRace* race) {
    const int64_t pairs = measured->run[first] >= 0 ? 3 * (measured->run[first] + measured->run[second]) : 0;
    LiteClGraphTrial trial = {.key = key, .measured = measured, .left_ns = all_trials_ns};
    LiteClContest contest = {.shared = p->shared, .context = context, .trial = &trial};
    if (pairs > all_trials_ns / 2) return false;
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

// Times that another process has measured may be those of a disturbed machine. So some later ones look again,
// each once and briefly, where the two best ways are near each other or the host is not the best.
static void check_kept(LiteClPlacing* p, TfLiteContext* context, const char* key, LiteClMeasured* measured) {
    const LiteClWay best = measured->run[kLiteClHost] > 0 ? find_best(measured, kLiteClWays) : kLiteClWays;
    LiteClWay other = best != kLiteClWays ? find_best(measured, best) : kLiteClWays;
    if (other == kLiteClWays || measured->run[best] <= 0 || measured->checks >= MOST_CHECKS) return;
    const bool is_close = measured->run[other] - measured->run[best] < measured->run[best] / 8;
    if (!is_close && best == kLiteClHost) return;
    if (!is_close) other = kLiteClHost;
    if (!lite_cl_trial_offered(context) || !is_first_time(p->shared->device, key)) return;
    const LiteClWay first = best < other ? best : other, second = best < other ? other : best;
    LiteClRace race;
    if (has_kernels(p->graph) || !race_again(p, context, key, measured, first, second, &race)) return;
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
    note_race(measured, kLiteClHost, way, &race);
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
