// SPDX-License-Identifier: Apache-2.0
// Fused activations of float operators that allow all of them, not only ranges.
#ifndef KERNELS_CPU_SUPPORT_ACTIVATION_H_
#define KERNELS_CPU_SUPPORT_ACTIVATION_H_

#include <math.h>

#include "tensorflow/lite/c/builtin_op_data.h"

// NaN becomes the lower end of a range, as in the reference's recurrent operators.
static inline float lite_activate(TfLiteFusedActivation activation, float x) {
    switch (activation) {
    case kTfLiteActRelu:
        return x > 0.0f ? x : 0.0f;
    case kTfLiteActReluN1To1:
        return x > 1.0f ? 1.0f : x > -1.0f ? x : -1.0f;
    case kTfLiteActRelu6:
        return x > 6.0f ? 6.0f : x > 0.0f ? x : 0.0f;
    case kTfLiteActTanh:
        return tanhf(x);
    case kTfLiteActSignBit:
        return signbit(x) ? 1.0f : 0.0f;
    case kTfLiteActSigmoid:
        return 1.0f / (1.0f + expf(-x));
    default:
        return x;
    }
}

#endif
