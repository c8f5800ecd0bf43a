// SPDX-License-Identifier: Apache-2.0
// What the reference's GPU delegate is told about precision and speed, and what follows from it here.
#ifndef DELEGATE_OPENCL_OPTIONS_PRIORITIES_H_
#define DELEGATE_OPENCL_OPTIONS_PRIORITIES_H_

#include <stdbool.h>

#include "core/base/status.h"
#include "delegate-opencl/graph/graph.h"

typedef struct LiteClPriorities {
    bool given;                    // any of what follows has been said
    int is_precision_loss_allowed; // -1: the order decides
    int order[3];                  // TfLiteGpuInferencePriority
} LiteClPriorities;

// Those of TfLiteGpuDelegateOptionsV2Default.
LiteClPriorities lite_cl_priorities_default(void);

// Checks them as the reference does. *precision becomes float32 where precision comes first, and float16
// where it does not, or where its loss is allowed.
TfLiteStatus lite_cl_priorities_precision(const LiteClPriorities* priorities, LiteClPrecision* precision,
                                          const LiteReporter* reporter);

#endif
