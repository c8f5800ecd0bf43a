// SPDX-License-Identifier: Apache-2.0
// Ways to compute a graph, each in an interpreter of the trial's own, which take turns (race.h).
#ifndef DELEGATE_OPENCL_PARTITION_CONTEST_H_
#define DELEGATE_OPENCL_PARTITION_CONTEST_H_

#include "core/base/trial.h"
#include "delegate-opencl/partition/race.h"
#include "delegate-opencl/partition/trial.h"

typedef struct LiteClContest {
    const LiteClShared* shared;
    TfLiteContext* context;
    LiteClGraphTrial* trial; // its left_ns becomes less
    struct {
        TfLiteDelegate* child;
        LiteTrialEntry* entry; // NULL: it has none yet
    } ways[kLiteClWays];
} LiteClContest;

// Lets two ways take turns until one is ahead, for at most so long, or so long as the trial has. What has no
// interpreter yet gets one, as the trial's measured times say now. An error when that is not possible, or the
// program cancels: then nothing is known.
TfLiteStatus lite_cl_contest_race(LiteClContest* contest, LiteClWay first, LiteClWay second, int64_t most_ns,
                                  LiteClRace* race);
// Gives up the interpreter of a way.
void lite_cl_contest_drop(LiteClContest* contest, LiteClWay way);
void lite_cl_contest_end(LiteClContest* contest);

#endif
