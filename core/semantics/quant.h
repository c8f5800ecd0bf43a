// SPDX-License-Identifier: Apache-2.0
// Fixed-point arithmetic of quantized operators, bit for bit as the reference kernels compute it.
//
// real = scale * (q - zero_point). A real multiplier m is held as an integer multiplier in [2^30, 2^31) and a
// shift: m = multiplier * 2^(shift - 31). Products are rounded twice (the doubling high multiply, then the
// right shift), each time to nearest with ties away from zero, which is what the reference does on x86-64.
#ifndef CORE_SEMANTICS_QUANT_H_
#define CORE_SEMANTICS_QUANT_H_

#include <stdbool.h>
#include <stdint.h>

#include "core/base/shape.h"
#include "core/base/status.h"
#include "tensorflow/lite/c/builtin_op_data.h"

typedef struct LiteMultiplier {
    int32_t value; // 0, or in [2^30, 2^31)
    int32_t shift; // positive: left
} LiteMultiplier;

// The multiplier nearest to `real` (>= 0 and finite; negative values are allowed and give a negative
// `value`). Multipliers under 2^-32 become 0; shifts over 30 saturate.
LiteMultiplier lite_quantize_multiplier(double real);

// What is left of a multiplier when the result is divided by `elements` (at least 1), as a mean is: the
// number goes into the multiplier, as far as its bits allow.
LiteMultiplier lite_divide_multiplier(LiteMultiplier m, int64_t elements);

// (a * b * 2) >> 32, rounded to nearest with halves up; INT32_MIN * INT32_MIN saturates. No branches, and
// only the lower half of a 64-bit shift is used: loops of it are vectorised.
static inline int32_t lite_doubling_high_mul(int32_t a, int32_t b) {
    const int64_t rounded = (int64_t)a * b + (INT64_C(1) << 30);
    const int32_t high = (int32_t)(uint32_t)((uint64_t)rounded >> 31);
    return a == INT32_MIN && b == INT32_MIN ? INT32_MAX : high;
}

// x / 2^exponent rounded to nearest, ties away from zero; exponent in [0, 31].
static inline int32_t lite_rounding_shift_right(int32_t x, int exponent) {
    const int32_t mask = (int32_t)((INT64_C(1) << exponent) - 1);
    const int32_t remainder = x & mask;
    const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

// x * m. A left shift wraps as 32-bit arithmetic does in the reference (no undefined behaviour here).
static inline int32_t lite_multiply(int32_t x, LiteMultiplier m) {
    const int left = m.shift > 0 ? m.shift : 0;
    const int right = m.shift > 0 ? 0 : -m.shift;
    const int32_t shifted = (int32_t)((uint32_t)x << left);
    return lite_rounding_shift_right(lite_doubling_high_mul(shifted, m.value), right);
}

// x * m for accumulators of int16 kernels: |x| < 2^47, one rounding, the multiplier reduced to 16 bits first.
int32_t lite_multiply_i64(int64_t x, LiteMultiplier m);

// NaN stays. In two steps, of which compilers make an instruction each, for whole vectors.
static inline float lite_clamp_f32(float x, float low, float high) {
    const float raised = x < low ? low : x;
    return raised > high ? high : raised;
}

static inline int32_t lite_clamp_i32(int32_t x, int32_t low, int32_t high) {
    return x < low ? low : x > high ? high : x;
}

// Range that a fused activation clamps to. Float: RELU6 [0, 6], RELU_N1_TO_1 [-1, 1], RELU and none without
// bound but for infinities.
void lite_activation_range_f32(TfLiteFusedActivation activation, float* low, float* high);

// The same in quantized units: round(bound / scale) + zero_point, within the type's limits.
// kTfLiteError for other types or activations (TANH, SIGN_BIT, SIGMOID have no range).
TfLiteStatus lite_activation_range_quantized(TfLiteFusedActivation activation, TfLiteType type, float scale,
                                             int32_t zero_point, int32_t* low, int32_t* high);

// What bytes of one quantization are in another, by single precision as the reference's UINT8 CONCATENATION
// does it.
void lite_rescale_table(float scale, int32_t zero_point, float to_scale, int32_t to_zero_point,
                        uint8_t table[256]);

#endif
