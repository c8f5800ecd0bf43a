// SPDX-License-Identifier: Apache-2.0
// Measures a graph on both sides: its model runs in interpreters of the trial's own (core/base/trial.h),
// without the delegate, and with children of it, which take of this graph what they are told to, and nothing
// of others.
#ifndef DELEGATE_OPENCL_PARTITION_TRIAL_H_
#define DELEGATE_OPENCL_PARTITION_TRIAL_H_

#include "delegate-opencl/cost/measured.h"
#include "delegate-opencl/partition/shared.h"

// What a child does.
typedef struct LiteClGraphTrial {
    const char* key;          // of the graph (lite_cl_measured_key)
    LiteClMeasured* measured; // of it
    bool chosen;              // takes what costs least; else all that the device can run
    bool overlapped;          // of that, what it does when the host goes on while the device works
    bool times;               // times nodes and launches, and adds them to `measured`
    int64_t left_ns;          // for further trials
    int64_t expected_ns;      // of the next one
} LiteClGraphTrial;

// Does the host offer trials?
bool lite_cl_trial_offered(TfLiteContext* context);

// Has the host ask, before it gives memory to the graph anew, whether the graph is to be placed again
// (basis.h).
void lite_cl_trial_watch(TfLiteContext* context);

// Measures an inference on the host, and the nodes there if trial->times, which makes it slower; what is
// measured already becomes the shorter of both times. An error where the model cannot run by itself, or the
// host does not offer it: then nothing is measured.
TfLiteStatus lite_cl_trial_host(TfLiteContext* context, LiteClGraphTrial* trial);

// Runs the model with a child of the delegate. *run: nanoseconds of an inference, as above; -1 at first. An
// error when no time is left. Programs are compiled and weights packed for the first such trial, which does
// not count.
TfLiteStatus lite_cl_trial_device(const LiteClShared* shared, TfLiteContext* context, LiteClGraphTrial* trial,
                                  int64_t* run);

#endif
