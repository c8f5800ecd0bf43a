// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/compare.h"

#include "core/base/overlap.h"
#include "core/base/system.h"

OclitePartitionMode lite_cl_way_mode(LiteClWay way) {
    static const OclitePartitionMode modes[] = {kOclitePartitionNone, kOclitePartitionAll,
                                                kOclitePartitionCost, kOclitePartitionOverlap};
    return modes[way];
}

int64_t lite_cl_compare_pure_ns(const LiteClPlacing* p) {
    return p->result.all_ns < p->result.host_ns ? p->result.all_ns : p->result.host_ns;
}

// A mixture has to be ahead by some hundredths: it has its time from more than one race.
static int64_t count_run(const LiteClMeasured* measured, LiteClWay way) {
    const int64_t run = measured->run[way];
    return way == kLiteClHost || way == kLiteClAll || run < 0 ? run : run + run / 33;
}

LiteClWay lite_cl_compare_best(const LiteClMeasured* measured, LiteClWay but) {
    LiteClWay best = kLiteClWays;
    for (int w = 0; w < kLiteClWays; w++) {
        const int64_t run = count_run(measured, (LiteClWay)w);
        if (run < 0 || w == (int)but) continue;
        if (best == kLiteClWays || run < count_run(measured, best)) best = (LiteClWay)w;
    }
    return best;
}

// ---- Races ----

void lite_cl_compare_note(LiteClMeasured* measured, LiteClWay first, LiteClWay second,
                          const LiteClRace* race) {
    const int64_t ratio = lite_cl_race_ratio(race);
    if (ratio == 0 || measured->run[first] < 0) return;
    measured->run[second] = (int64_t)((double)measured->run[first] * (double)ratio / LITE_CL_RACE_ONE);
}

static int64_t least_of(int64_t a, int64_t b) {
    return a < b ? a : b;
}

bool lite_cl_compare_has_time(const LiteClContest* contest, LiteClWay first, int64_t second_ns,
                              int64_t most_ns) {
    const LiteClGraphTrial* trial = contest->trial;
    const int64_t first_ns = trial->measured->run[first];
    const int inferences = second_ns < first_ns / 4 * 3 ? 2 : 3; // the first of them before the race
    return inferences * (first_ns + second_ns) <= least_of(trial->left_ns, most_ns);
}

// The first race says what the host takes with nobody timing its nodes. What was compared with it before
// changes with it.
static void set_first(LiteClMeasured* measured, LiteClWay first, int64_t ns) {
    for (int w = kLiteClChosen; w < kLiteClWays && measured->run[first] > 0; w++) {
        if (measured->run[w] > 0)
            measured->run[w] =
                (int64_t)((double)measured->run[w] * (double)ns / (double)measured->run[first]);
    }
    measured->run[first] = ns;
}

bool lite_cl_compare_race(LiteClContest* contest, LiteClWay first, LiteClWay second, int64_t most_ns) {
    LiteClMeasured* measured = contest->trial->measured;
    LiteClRace race;
    if (lite_cl_contest_race(contest, first, second, least_of(most_ns, LITE_CL_RACE_NS), &race) != kTfLiteOk)
        return false;
    if (second == kLiteClAll && lite_cl_race_first_ns(&race) >= 0)
        set_first(measured, first, lite_cl_race_first_ns(&race));
    lite_cl_compare_note(measured, first, second, &race);
    return true;
}

// The others leave.
static LiteClWay keep_best(LiteClContest* contest) {
    const LiteClWay best = lite_cl_compare_best(contest->trial->measured, kLiteClWays);
    for (int w = 0; w < kLiteClWays; w++) {
        if (w != (int)best) lite_cl_contest_drop(contest, (LiteClWay)w);
    }
    return best;
}

// ---- Promises ----

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

// What the mixtures would take by the times of the nodes; -1, where that is not worth a race: less than a
// twentieth, and for both sides at once, which may need the same cores, less than a tenth.
static TfLiteStatus find_promises(LiteClPlacing* p, LiteClContest* contest, int64_t* promised,
                                  const LiteReporter* reporter) {
    LiteClMeasured* measured = contest->trial->measured;
    const uint64_t begin = lite_clock_ns();
    for (int w = 0; w < kLiteClWays; w++) promised[w] = -1;
    lite_cl_measured_fit_host(measured);
    lite_cl_placing_fill(p, measured);
    LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionAll, reporter));
    fit(p, measured);
    lite_cl_placing_fill(p, measured);
    LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionCost, reporter));
    const int64_t apart = p->result.total_ns, pure = lite_cl_compare_pure_ns(p);
    if (!is_some(p, true) && !is_some(p, false) && apart <= pure - pure / 20) promised[kLiteClChosen] = apart;
    if (p->shared->options.overlap != kLiteClOverlapOff && lite_overlap_service(contest->context) != NULL) {
        LITE_TRY(lite_cl_placing_cut(p, kOclitePartitionOverlap, reporter));
        if (p->result.total_ns <= apart / 10 * 9 && lite_cl_placing_takes_any(p))
            promised[kLiteClOverlapped] = p->result.total_ns;
    }
    contest->trial->left_ns -= (int64_t)(lite_clock_ns() - begin);
    return kTfLiteOk;
}

static LiteClWay most_promising(const int64_t* promised) {
    LiteClWay best = kLiteClWays;
    for (int w = 0; w < kLiteClWays; w++) {
        if (promised[w] >= 0 && (best == kLiteClWays || promised[w] < promised[best])) best = (LiteClWay)w;
    }
    return best;
}

// The most promising first, each with the best so far.
static void race_promising(LiteClContest* contest, int64_t* promised, LiteClWay best) {
    LiteClMeasured* measured = contest->trial->measured;
    LiteClWay next;
    for (; (next = most_promising(promised)) != kLiteClWays && best != kLiteClWays; promised[next] = -1) {
        const int64_t left = contest->trial->left_ns;
        if (measured->run[next] >= 0 || promised[next] >= count_run(measured, best)) continue;
        if (!lite_cl_compare_has_time(contest, best, promised[next], left))
            measured->untried |= 1 << next;
        else if (lite_cl_compare_race(contest, best, next, left))
            best = keep_best(contest);
    }
}

TfLiteStatus lite_cl_compare(LiteClPlacing* p, LiteClContest* contest, const LiteReporter* reporter) {
    enum { INFERENCES = 3 }; // of either in a short race, the first one before it
    LiteClMeasured* measured = contest->trial->measured;
    int64_t promised[kLiteClWays];
    LITE_TRY(find_promises(p, contest, promised, reporter));
    int64_t left = contest->trial->left_ns;
    const LiteClWay next = most_promising(promised);
    measured->untried = 0;
    if (next != kLiteClWays && measured->run[next] < 0)
        left -= INFERENCES * (measured->run[kLiteClHost] + promised[next]);
    if (!lite_cl_compare_has_time(contest, kLiteClHost, measured->run[kLiteClAll], left))
        measured->untried |= 1 << kLiteClAll;
    else if (lite_cl_compare_race(contest, kLiteClHost, kLiteClAll, left))
        LITE_TRY(find_promises(p, contest, promised, reporter));
    race_promising(contest, promised, keep_best(contest));
    return kTfLiteOk;
}
