// SPDX-License-Identifier: Apache-2.0
// Float rows of SOFTMAX and LOG_SOFTMAX.
#ifndef KERNELS_CPU_LOOPS_SOFTMAX_LOOPS_H_
#define KERNELS_CPU_LOOPS_SOFTMAX_LOOPS_H_

#include <stdbool.h>
#include <stdint.h>

// Rows of `depth` >= 1 floats; beta is 1 for the logarithm. The arrays do not overlap.
typedef void (*LiteSoftmaxRows)(const float* in, int64_t rows, int64_t depth, float beta, float* out);
LiteSoftmaxRows lite_softmax_rows(bool logarithm);

#endif
