// SPDX-License-Identifier: Apache-2.0
// Answers of the tuning (plan/tuning.h), which all delegates of the process share: the fastest way to launch
// each product that was measured on a device.
#ifndef DELEGATE_OPENCL_DEVICE_TUNED_H_
#define DELEGATE_OPENCL_DEVICE_TUNED_H_

#include "delegate-opencl/device/tune.h"
#include "tensorflow/lite/c/c_api_types.h"

// A way to launch a product.
typedef struct LiteClVariant {
    const LiteClTile* tile;
    int spread;   // items of a work-group in all; 0: as suits the device
    bool clblast; // by CLBlast, in place of all that
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
    bool clblast; // may compute it
    bool direct;  // it has no tiles of ours
} LiteClTuningKey;

// Looks up what was kept; false when nothing was.
bool lite_cl_tuned_find(LiteClDevice* device, const LiteClTuningKey* key, LiteClVariant* variant);
// Keeps an answer. Without memory nothing is kept, and the product is measured again.
void lite_cl_tuned_keep(LiteClDevice* device, const LiteClTuningKey* key, const LiteClVariant* variant);
// Forgets all answers. Only for the end of the device.
void lite_cl_tuned_release(LiteClDevice* device);

#endif
