// SPDX-License-Identifier: Apache-2.0
// Inputs, outputs and variables of a run: between the host's memory and the device's, or shared by them.
//
// Where kernels can work on the host's memory (memory.h) a buffer stands for it, and is mapped between runs.
// Elsewhere the plan has device memory, which is copied: through a mapping where the device and the host have
// the same memory, so that the driver makes no copy of its own, else by the queue.
#ifndef DELEGATE_OPENCL_PLAN_TRANSFER_H_
#define DELEGATE_OPENCL_PLAN_TRANSFER_H_

#include "delegate-opencl/plan/plan.h"

// One run of a plan.
typedef struct LiteClRun {
    LiteClPlan* plan;
    const LiteCl* cl;
    cl_command_queue queue;
    const TfLiteOpaqueContext* context;
    const LiteReporter* reporter;
    cl_uint event_count; // of kernels, with a profile
    bool cancelled;
} LiteClRun;

// Memory of the plan, at least `bytes` bytes, that the queue uses in place of the host's.
TfLiteStatus lite_cl_transfer_stage(const LiteClRun* run, LiteClStorage* storage, size_t bytes);

// Enqueues what brings a storage to the device before the steps, and back behind them.
TfLiteStatus lite_cl_transfer_in(const LiteClRun* run, int index);
TfLiteStatus lite_cl_transfer_out(const LiteClRun* run, int index);

// After a run has ended well: copies outputs that are in other memory than the host's, then variables, when
// nothing can fail any more.
TfLiteStatus lite_cl_transfer_end(const LiteClRun* run);

#endif
