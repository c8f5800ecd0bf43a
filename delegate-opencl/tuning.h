// SPDX-License-Identifier: Apache-2.0
// tuning=1: of the ways to launch a product (convolutions, fully connected layers) the device's fastest,
// found by launching them on memory of no importance while the plan is built. The answers are kept with the
// device, for all delegates of the process, and in its cache folder when it has one.
#ifndef DELEGATE_OPENCL_TUNING_H_
#define DELEGATE_OPENCL_TUNING_H_

#include "delegate-opencl/plan.h"
#include "delegate-opencl/tune.h"

// A way to launch it.
typedef struct LiteClVariant {
    const LiteClTile* tile;
    int spread; // see LiteClLaunch
} LiteClVariant;

// What the answer depends on.
typedef struct LiteClTuningKey {
    TfLiteType type;
    bool bytes;
    int rows;
    int columns;
    int depth;
    int groups;
    bool addend;
} LiteClTuningKey;

// Adds the launch to a plan that has nothing else.
typedef TfLiteStatus (*LiteClTuningLaunch)(const void* state, LiteClPlan* plan, const LiteClVariant* variant);

// *variant, at first the one that is taken without measuring, becomes the fastest. One that cannot be
// launched is passed over.
void lite_cl_tuning_choose(LiteClDevice* device, const LiteClTuningKey* key, LiteClTuningLaunch launch,
                           const void* state, LiteClVariant* variant);

// Forgets all answers. Only for the end of the device.
void lite_cl_tuning_release(LiteClDevice* device);

#endif
