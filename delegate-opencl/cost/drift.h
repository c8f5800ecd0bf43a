// SPDX-License-Identifier: Apache-2.0
// Whether partitions keep to the times for which they were made. Where one is slower all the time, what was
// measured of the graph is forgotten, and the delegate measures again when it is next applied to it. Of a
// graph that was not measured they teach how good estimates are.
#ifndef DELEGATE_OPENCL_COST_DRIFT_H_
#define DELEGATE_OPENCL_COST_DRIFT_H_

#include "delegate-opencl/device/device.h"
#include "delegate-opencl/graph/graph.h"

// The shortest of so many runs is no accident; more than MOST are not looked at.
enum { LITE_CL_DRIFT_RUNS = 16, LITE_CL_DRIFT_MOST = 1000 };

// Less than a fifth, and some microseconds, is an accident.
static inline bool lite_cl_is_slower(int64_t least_ns, int runs, int64_t expected_ns) {
    return runs >= LITE_CL_DRIFT_RUNS && least_ns > expected_ns + expected_ns / 5 + 20000;
}

// Of a partition. All zero it watches nothing.
typedef struct LiteClDrift {
    bool watches;     // the next run
    char* key;        // of what was measured, owned; NULL: nothing was
    int64_t expected; // nanoseconds
    int64_t beside;   // of these, what a partition takes beside its nodes
    int64_t least;    // of the runs
    int runs;
} LiteClDrift;

// Begins for the nodes of `partition`, which are some of `whole`. Without memory nothing is watched.
void lite_cl_drift_begin(LiteClDrift* drift, const LiteClGraph* whole, const LiteClGraph* partition);
// Notes a run that has succeeded.
static inline void lite_cl_drift_note(LiteClDrift* drift, int64_t ns) {
    if (drift->runs == 0 || ns < drift->least) drift->least = ns;
    if (++drift->runs == LITE_CL_DRIFT_MOST) drift->watches = false;
}
// The nodes get other shapes, for which the times do not hold.
static inline void lite_cl_drift_stop(LiteClDrift* drift) {
    drift->watches = false;
    drift->runs = 0;
}
void lite_cl_drift_end(LiteClDrift* drift, LiteClDevice* device, const LiteClGraph* partition);

#endif
