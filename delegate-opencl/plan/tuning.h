// SPDX-License-Identifier: Apache-2.0
// tuning=1: finds the fastest way to launch a product (a convolution or fully connected layer) on the device.
// It launches each way on scratch memory while the plan is built. The answers are kept with the device, for
// all delegates of the process, and in its cache folder when it has one.
#ifndef DELEGATE_OPENCL_PLAN_TUNING_H_
#define DELEGATE_OPENCL_PLAN_TUNING_H_

#include "delegate-opencl/device/tuned.h"
#include "delegate-opencl/plan/plan.h"

// Adds the launch to a plan that has nothing else. With variant->clblast it is a product of CLBlast.
typedef TfLiteStatus (*LiteClTuningLaunch)(const void* state, LiteClPlan* plan, const LiteClVariant* variant);

// *variant is the way that is taken without measuring, and becomes the fastest. A way that cannot be launched
// is passed over.
void lite_cl_tuning_choose(LiteClDevice* device, const LiteClTuningKey* key, LiteClTuningLaunch launch,
                           const void* state, LiteClVariant* variant);

#endif
