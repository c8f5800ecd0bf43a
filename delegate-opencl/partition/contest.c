// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/contest.h"

#include "core/base/system.h"

void lite_cl_contest_drop(LiteClContest* contest, LiteClWay way) {
    if (contest->ways[way].entry != NULL)
        lite_trial_service(contest->context)->leave(contest->ways[way].entry);
    if (contest->ways[way].child != NULL) contest->shared->delete_child(contest->ways[way].child);
    contest->ways[way].entry = NULL;
    contest->ways[way].child = NULL;
}

void lite_cl_contest_end(LiteClContest* contest) {
    for (int w = 0; w < kLiteClWays; w++) lite_cl_contest_drop(contest, (LiteClWay)w);
}

static TfLiteStatus enter(LiteClContest* contest, LiteClWay way) {
    const LiteClShared* shared = contest->shared;
    if (contest->ways[way].entry != NULL) return kTfLiteOk;
    contest->trial->way = way;
    contest->trial->times = false;
    if (way != kLiteClHost) {
        contest->ways[way].child = shared->create_child(shared, contest->trial);
        if (contest->ways[way].child == NULL) return kTfLiteError;
    }
    const TfLiteStatus status =
        lite_trial_service(contest->context)
            ->enter(contest->context, contest->ways[way].child, &contest->ways[way].entry);
    if (status != kTfLiteOk) lite_cl_contest_drop(contest, way);
    return status;
}

// Turns of both, in an order that changes. *spent_ns: what they took.
static TfLiteStatus run_pair(const LiteClContest* contest, const LiteClWay* ways, LiteClRace* race,
                             int64_t* spent_ns) {
    const LiteTrialService* service = lite_trial_service(contest->context);
    const uint64_t begin = lite_clock_ns();
    int64_t ns[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const int side = race->rounds % 2 == 0 ? i : 1 - i;
        const TfLiteStatus status =
            service->take_turn(contest->ways[ways[side]].entry, LITE_CL_RACE_TURN_NS, &ns[side]);
        if (status == kTfLiteCancelled) return status;
        if (status != kTfLiteOk) lite_cl_race_give_up(race, side);
    }
    *spent_ns = (int64_t)(lite_clock_ns() - begin);
    lite_cl_race_add(race, ns[0], ns[1], *spent_ns);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_contest_race(LiteClContest* contest, LiteClWay first, LiteClWay second, int64_t most_ns,
                                  LiteClRace* race) {
    const LiteTrialService* service = lite_trial_service(contest->context);
    const LiteClWay ways[] = {first, second};
    const uint64_t begin = lite_clock_ns();
    if (service == NULL || contest->shared->create_child == NULL) return kTfLiteError;
    TfLiteStatus status = enter(contest, first);
    if (status == kTfLiteOk) status = enter(contest, second);
    int64_t* left = &contest->trial->left_ns;
    *left -= (int64_t)(lite_clock_ns() - begin);
    lite_cl_race_begin(race, *left < most_ns ? *left : most_ns);
    const int64_t had = race->left_ns;
    // What would take too long is not begun.
    for (int64_t spent = 0; status == kTfLiteOk && !lite_cl_race_is_over(race) && spent <= race->left_ns;)
        status = run_pair(contest, ways, race, &spent);
    *left -= had - race->left_ns;
    return status;
}
