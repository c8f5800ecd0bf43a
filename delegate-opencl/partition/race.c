// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/race.h"

// Beyond this factor something else was measured. It also keeps the arithmetic within its numbers.
enum { FACTOR = 1000 };
#define MOST_NS (INT64_MAX / LITE_CL_RACE_ONE / 2)

void lite_cl_race_begin(LiteClRace* race, int64_t budget_ns) {
    *race = (LiteClRace){.left_ns = budget_ns};
}

static int64_t ratio_of(int64_t first_ns, int64_t second_ns) {
    if (second_ns / FACTOR >= first_ns) return (int64_t)FACTOR * LITE_CL_RACE_ONE;
    const int64_t ratio = second_ns * LITE_CL_RACE_ONE / first_ns;
    return ratio > LITE_CL_RACE_ONE / FACTOR ? ratio : LITE_CL_RACE_ONE / FACTOR;
}

void lite_cl_race_add(LiteClRace* race, int64_t first_ns, int64_t second_ns, int64_t spent_ns) {
    race->left_ns -= spent_ns > 0 && race->left_ns > INT64_MIN / 2 ? spent_ns : 0;
    race->rounds++;
    if (first_ns <= 0 || second_ns <= 0 || race->count == LITE_CL_RACE_MOST) return;
    const int64_t first = first_ns < MOST_NS ? first_ns : MOST_NS;
    const int32_t ratio = (int32_t)ratio_of(first, second_ns < MOST_NS ? second_ns : MOST_NS);
    int at = race->count;
    for (; at > 0 && race->ratios[at - 1] > ratio; at--) race->ratios[at] = race->ratios[at - 1];
    race->ratios[at] = ratio;
    for (at = race->count; at > 0 && race->first_ns[at - 1] > first; at--)
        race->first_ns[at] = race->first_ns[at - 1];
    race->first_ns[at] = first;
    race->count++;
}

void lite_cl_race_give_up(LiteClRace* race, int way) {
    race->is_out[way] = true;
}

// Of `count` ratios that rise.
static int count_below(const LiteClRace* race, int32_t bound) {
    int below = 0;
    while (below < race->count && race->ratios[below] < bound) below++;
    return below;
}

// Few pairs are enough where all of them say that one takes half as long again, which a change between the
// turns of a pair can say of one pair, but not of all.
static bool is_far(const LiteClRace* race) {
    enum { FEW = 3, FAR = LITE_CL_RACE_ONE / 2 * 3, NEAR = LITE_CL_RACE_ONE / 3 * 2 };
    return race->count >= FEW && (race->ratios[0] >= FAR || race->ratios[race->count - 1] <= NEAR);
}

// Were neither ahead, the number of pairs in favour of one would be half of them, give or take half the root
// of their number. This asks for 2.6 times that, since it is asked after every pair.
static bool is_ahead(const LiteClRace* race) {
    const int below = count_below(race, LITE_CL_RACE_ONE);
    const int above = race->count - count_below(race, LITE_CL_RACE_ONE + 1);
    const int difference = below > above ? below - above : above - below;
    return 4 * difference * difference >= 27 * race->count && race->count > 0;
}

// So are the limits of the median: as many pairs lie beyond either as chance can move it by.
static bool is_tie(const LiteClRace* race) {
    enum { LITTLE = LITE_CL_RACE_ONE / 25 };
    int beyond = race->count / 2;
    while (beyond >= 0 && (race->count - 2 * beyond) * (race->count - 2 * beyond) < 4 * race->count) beyond--;
    return beyond >= 0 && race->ratios[beyond] >= LITE_CL_RACE_ONE - LITTLE &&
           race->ratios[race->count - 1 - beyond] <= LITE_CL_RACE_ONE + LITTLE;
}

bool lite_cl_race_is_certain(const LiteClRace* race) {
    return race->is_out[0] || race->is_out[1] || is_far(race) || is_ahead(race) || is_tie(race);
}

bool lite_cl_race_is_over(const LiteClRace* race) {
    return race->left_ns <= 0 || race->rounds >= LITE_CL_RACE_MOST || lite_cl_race_is_certain(race);
}

int64_t lite_cl_race_ratio(const LiteClRace* race) {
    const int64_t most = (int64_t)FACTOR * LITE_CL_RACE_ONE;
    if (race->is_out[0] != race->is_out[1]) return race->is_out[1] ? most : LITE_CL_RACE_ONE / FACTOR;
    if (race->count == 0 || race->is_out[0]) return 0;
    return ((int64_t)race->ratios[(race->count - 1) / 2] + race->ratios[race->count / 2]) / 2;
}

int64_t lite_cl_race_first_ns(const LiteClRace* race) {
    return race->count > 0 ? race->first_ns[race->count / 2] : -1;
}
