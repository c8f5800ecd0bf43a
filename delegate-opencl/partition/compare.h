// SPDX-License-Identifier: Apache-2.0
// Which way to compute a graph takes the least time: what the times of its nodes promise, and races between
// those that promise enough.
#ifndef DELEGATE_OPENCL_PARTITION_COMPARE_H_
#define DELEGATE_OPENCL_PARTITION_COMPARE_H_

#include "delegate-opencl/partition/contest.h"
#include "delegate-opencl/partition/placing.h"

// What all trials of a graph may take together, and one of its races.
#define LITE_CL_TRIALS_NS INT64_C(1000000000)
#define LITE_CL_RACE_NS INT64_C(400000000)

// The mode of the partitioner that a way is.
OclitePartitionMode lite_cl_way_mode(LiteClWay way);

// The better of the placement with nothing on the device and the one with everything there, by p->result.
int64_t lite_cl_compare_pure_ns(const LiteClPlacing* p);

// The best of the ways that were measured, but one. kLiteClWays: there is none.
LiteClWay lite_cl_compare_best(const LiteClMeasured* measured, LiteClWay but);

// Is there time for some inferences of the first, which was measured, and the second, which is expected to
// take so long, within `most_ns` and what the trial has left?
bool lite_cl_compare_has_time(const LiteClContest* contest, LiteClWay first, int64_t second_ns,
                              int64_t most_ns);
// They race, within that, and what the second takes is noted in the first one's measure, unless nothing comes
// of it: then false.
bool lite_cl_compare_race(LiteClContest* contest, LiteClWay first, LiteClWay second, int64_t most_ns);
// Notes what a race has shown.
void lite_cl_compare_note(LiteClMeasured* measured, LiteClWay first, LiteClWay second,
                          const LiteClRace* race);

// After trials on either side: races. Those for which no time is left are noted as untried.
TfLiteStatus lite_cl_compare(LiteClPlacing* p, LiteClContest* contest, const LiteReporter* reporter);

#endif
