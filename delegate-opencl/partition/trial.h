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
    LiteClWay way;            // to place the graph, as far as it is measured
    bool times;               // times nodes and launches, and adds them to `measured`
    int64_t left_ns;          // for further trials
} LiteClGraphTrial;

// Does the host offer trials?
bool lite_cl_trial_offered(TfLiteContext* context);

// Has the host ask, before it gives memory to the graph anew, whether the graph is to be placed again
// (basis.h).
void lite_cl_trial_watch(TfLiteContext* context);

// Measure an inference and the nodes, timing which makes it slower: on the host, and with all on the device
// that it can run. Errors where the model cannot run by itself, or the host does not offer it: then nothing
// is measured. Programs are compiled for the first trial on the device: then its preparation does not count.
TfLiteStatus lite_cl_trial_host(TfLiteContext* context, LiteClGraphTrial* trial);
TfLiteStatus lite_cl_trial_device(const LiteClShared* shared, TfLiteContext* context,
                                  LiteClGraphTrial* trial);

#endif
