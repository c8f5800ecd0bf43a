// SPDX-License-Identifier: Apache-2.0
// Functions of FLOAT16. The reference's default kernels round to FLOAT16 after each step and have constants
// of that type; its reference kernels do not have these functions.
#ifndef KERNELS_CPU_LOOPS_HALF_MATH_H_
#define KERNELS_CPU_LOOPS_HALF_MATH_H_

#include "kernels-cpu/loops/vector_math.h"

static inline float lite_rounded_to_half(float x) {
    return lite_f16_to_f32(lite_f32_to_f16(x));
}

// 2^(x / log(2)), whose exponent is that of a normal half; NaN gives 0.
static inline float lite_exp_half(float x) {
    const float t = lite_rounded_to_half(x * 1.4423828125f);
    const float y = t >= 15.5f ? INFINITY : lite_expf(t * 0.693147181f);
    return t >= -14.5f ? y : 0.0f;
}

// The bits of x * sqrt(2) are taken for exponent and mantissa even where it is subnormal, infinite or NaN.
static inline float lite_log_half(float x) {
    const uint16_t scaled = lite_f32_to_f16(x * 1.4140625f);
    const float exponent = (float)((scaled >> 10) - 15);
    const float mantissa = 1.0f + (float)(scaled & 0x3FF) * 0x1p-10f;
    const float near_1 = lite_rounded_to_half(mantissa * 0.70703125f); // in [sqrt(1/2), sqrt(2)]
    const float y = lite_rounded_to_half(lite_logf(near_1)) + exponent * 0.693359375f;
    const float negative = scaled < 0x8400 ? -INFINITY : NAN; // subnormals count as 0
    return scaled >= 0x8000 ? negative : x == 0.0f ? -INFINITY : y;
}

static inline float lite_hard_swish_half(float x) {
    const float sum = lite_rounded_to_half(x + 3.0f);
    return lite_rounded_to_half(x * 0.1666259765625f) * (sum < 0.0f ? 0.0f : sum > 6.0f ? 6.0f : sum);
}

#endif
