// SPDX-License-Identifier: Apache-2.0
// What all partitions of a delegate share.
#ifndef DELEGATE_OPENCL_PARTITION_SHARED_H_
#define DELEGATE_OPENCL_PARTITION_SHARED_H_

#include <stdatomic.h>

#include "delegate-opencl/device/health.h"
#include "delegate-opencl/options/options.h"
#include "delegate-opencl/partition/account_state.h"
#include "delegate-opencl/partition/decisions.h"
#include "delegate-opencl/plan/binding.h"
#include "delegate-opencl/plan/profile.h"
#include "delegate-opencl/selftest/selftest.h"

// Whom to tell how far it is, see oclite_opencl_delegate_set_progress.
typedef struct LiteClListener {
    void (*tell)(void* user_data, const OcliteOpenclProgress* progress); // NULL: nobody
    void* user_data;
} LiteClListener;

struct LiteClGraphTrial; // trial.h

typedef struct LiteClShared {
    LiteClOptions options;
    LiteClDevice* device;
    LiteClSelftest selftest;
    LiteClHealth health;
    LiteClProfiler profiler;
    atomic_size_t memory; // bytes that the partitions have on the device
    LiteClBindings bindings;
    LiteClDecisions decisions;
    LiteClAccount account;
    LiteClListener listener;
    atomic_bool lists_checked;      // against a model
    atomic_bool halves_checked;     // see halves.h
    char warning[LITE_CL_WARNING];  // options that have no effect on the device, "" without any
    struct LiteClGraphTrial* trial; // whose child the delegate is; NULL: it is nobody's
    // Makes such children, which live no longer than this delegate. NULL after a failure.
    TfLiteDelegate* (*create_child)(const struct LiteClShared* shared, struct LiteClGraphTrial* trial);
    void (*delete_child)(TfLiteDelegate* child);
} LiteClShared;

// What the partitions of one of our delegates share.
static inline LiteClShared* lite_cl_shared_of(const TfLiteDelegate* delegate) {
    return delegate->data_;
}

#endif
