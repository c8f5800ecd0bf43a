// SPDX-License-Identifier: Apache-2.0
// What SOFTMAX and LOG_SOFTMAX of 8-bit elements compute once for all rows.
#ifndef KERNELS_CPU_SUPPORT_SOFTMAX_FIXED_H_
#define KERNELS_CPU_SUPPORT_SOFTMAX_FIXED_H_

#include <stdbool.h>

#include "core/semantics/softmax_fixed.h"

// What quantized rows depend on.
typedef struct LiteSoftmaxFixed {
    LiteSoftmaxTable table;
    LiteSoftmaxScale scale; // this and what follows: LOG_SOFTMAX alone
    LiteMultiplier reverse; // from the exponential's argument to a difference of inputs
} LiteSoftmaxFixed;

// The table of SOFTMAX with `beta`, or of LOG_SOFTMAX with beta 1. For LOG_SOFTMAX, exponentials whose
// difference is below diff_min have the argument INT32_MIN. False where lite_softmax_scale is.
bool lite_softmax_fixed_init(double beta, double scale, LiteSoftmaxFixed* fixed);

#endif
