// SPDX-License-Identifier: Apache-2.0
// Which of two ways to compute the same takes less time, on a machine that others use, too.
//
// Both take turns of some milliseconds. A processor that becomes slower for a while, or another program's
// work, then concerns a turn of either way alike, or, where it begins in between, one pair of many. So what
// counts is not how long turns take, but what the second way takes of each pair as against the first, and of
// these ratios the median:
//
//     first    |--8 ms--|        |--8 ms--|--8 ms--|           pairs: the order changes, so that what
//     second            |--8 ms--|                 |--8 ms--|  grows or fades in a pair cancels out
//              '---- a pair ----' '---- a pair ----'
//
// The race is over when the median is certain enough, or does not matter, or the time is up. All of it is
// arithmetic on integers: who takes the turns, and by which clock, is the caller's.
#ifndef DELEGATE_OPENCL_PARTITION_RACE_H_
#define DELEGATE_OPENCL_PARTITION_RACE_H_

#include <stdbool.h>
#include <stdint.h>

enum {
    LITE_CL_RACE_TURN_NS = 8000000, // what a turn is to last
    LITE_CL_RACE_MOST = 64,         // pairs
    LITE_CL_RACE_ONE = 1 << 16,     // the ratio of two that take alike
};

// All zero it has no time, and is over.
typedef struct LiteClRace {
    int64_t left_ns;                     // for further pairs
    int rounds;                          // pairs that there were, whatever they said
    int count;                           // of those that say something
    bool is_out[2];                      // does not get to the end of an inference, or fails
    int32_t ratios[LITE_CL_RACE_MOST];   // the second over the first, in parts of LITE_CL_RACE_ONE, rising
    int64_t first_ns[LITE_CL_RACE_MOST]; // rising
} LiteClRace;

void lite_cl_race_begin(LiteClRace* race, int64_t budget_ns);
// What an inference took in a turn of either, and what both turns took together. A time that is none (0, or
// below, as of a clock that was set back) makes a pair that says nothing.
void lite_cl_race_add(LiteClRace* race, int64_t first_ns, int64_t second_ns, int64_t spent_ns);
// The first (0) or the second (1) has failed.
void lite_cl_race_give_up(LiteClRace* race, int way);
// Is the time up, or the result certain?
bool lite_cl_race_is_over(const LiteClRace* race);
// Would more pairs, as far as can be told, say the same: one is ahead, or they are the same to 4 %?
bool lite_cl_race_is_certain(const LiteClRace* race);
// What the second takes as against the first, in parts of LITE_CL_RACE_ONE; 0: not known.
int64_t lite_cl_race_ratio(const LiteClRace* race);
// What an inference of the first takes, in the middle; -1: not known.
int64_t lite_cl_race_first_ns(const LiteClRace* race);

#endif
