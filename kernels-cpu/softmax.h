// SPDX-License-Identifier: Apache-2.0
// Rows of SOFTMAX and LOG_SOFTMAX.
#ifndef KERNELS_CPU_SOFTMAX_H_
#define KERNELS_CPU_SOFTMAX_H_

#include <stdbool.h>
#include <stdint.h>

#include "core/base/softmax_fixed.h"
#include "tensorflow/lite/c/common.h"

// Rows of `depth` >= 1 floats; beta is 1 for the logarithm. The arrays do not overlap.
typedef void (*LiteSoftmaxRows)(const float* in, int64_t rows, int64_t depth, float beta, float* out);
LiteSoftmaxRows lite_softmax_rows(bool logarithm);

// What quantized rows depend on.
typedef struct LiteSoftmaxFixed {
    LiteSoftmaxTable table;
    LiteSoftmaxScale scale; // this and what follows: LOG_SOFTMAX alone
    LiteMultiplier reverse; // from the exponential's argument to a difference of inputs
} LiteSoftmaxFixed;

// For LOG_SOFTMAX the exponentials' arguments are INT32_MIN where differences are below diff_min. False where
// lite_softmax_scale is.
bool lite_softmax_fixed(double beta, double scale, LiteSoftmaxFixed* fixed);

// Rows of UINT8 or INT8 elements. The results are of the same type, or INT16 without the logarithm.
typedef void (*LiteSoftmaxFixedRows)(const LiteSoftmaxFixed* fixed, const void* in, int64_t rows,
                                     int64_t depth, void* out);
LiteSoftmaxFixedRows lite_softmax_fixed_rows(TfLiteType input, TfLiteType output, bool logarithm);

#endif
