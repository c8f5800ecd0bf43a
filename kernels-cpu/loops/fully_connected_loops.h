// SPDX-License-Identifier: Apache-2.0
// How FULLY_CONNECTED scales sums to 8 bits: unlike convolutions in double precision, as the reference does.
#ifndef KERNELS_CPU_LOOPS_FULLY_CONNECTED_LOOPS_H_
#define KERNELS_CPU_LOOPS_FULLY_CONNECTED_LOOPS_H_

#include <stdint.h>

// out[i] = clamp(round(sums[i] * scales[i]) + zero_point), halves away from zero; low and high are those of
// the type or of an activation in it. The arrays do not overlap.
typedef void (*LiteScaleSums)(int count, const int32_t* sums, const double* scales, int32_t zero_point,
                              int32_t low, int32_t high, uint8_t* out);
LiteScaleSums lite_scale_sums(void);

#endif
