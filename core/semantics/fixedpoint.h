// SPDX-License-Identifier: Apache-2.0
// Functions in fixed point arithmetic, bit for bit as the reference kernels compute them: a value with n
// integer bits is held as value * 2^(31 - n) in an int32.
#ifndef CORE_SEMANTICS_FIXEDPOINT_H_
#define CORE_SEMANTICS_FIXEDPOINT_H_

#include <stdint.h>

#include "core/semantics/half.h"
#include "core/semantics/quant.h"

static inline int32_t lite_saturate_i32(int64_t x) {
    return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (int32_t)x;
}

// x + y and x - y modulo 2^32: sums of hostile zero points must not be undefined.
static inline int32_t lite_wrapping_add(int32_t x, int32_t y) {
    return (int32_t)((uint32_t)x + (uint32_t)y);
}

static inline int32_t lite_wrapping_sub(int32_t x, int32_t y) {
    return (int32_t)((uint32_t)x - (uint32_t)y);
}

// x * 2^exponent, saturated; exponent in [0, 31]. 32 bits and no branches: loops of it are vectorised.
static inline int32_t lite_saturating_shift_left(int32_t x, int exponent) {
    const int32_t most = INT32_MAX >> exponent;
    const uint32_t limited = (uint32_t)lite_clamp_i32(x, -most - 1, most);
    const uint32_t low_bits = (UINT32_C(1) << exponent) - 1; // ones in INT32_MAX
    return (int32_t)(limited << exponent | (low_bits & (0U - (x > most))));
}

// The zero bits above the highest one of x > 0, in loops that become vectors: from the exponent of x as a
// float, which is not rounded up to the next power of two where the second bit is 0.
static inline int lite_leading_zeros(int32_t x) {
    return 158 - (int)(lite_float_to_bits((float)(x & ~(x >> 1))) >> 23);
}

// lite_doubling_high_mul where a and b are never both INT32_MIN: functions of many of them are vectorised.
static inline int32_t lite_high_product(int32_t a, int32_t b) {
    return (int32_t)(uint32_t)((uint64_t)((int64_t)a * b + (INT64_C(1) << 30)) >> 31);
}

// One of Newton's steps to y = 1 / denominator, with two integer bits.
static inline int32_t lite_reciprocal_step(int32_t y, int32_t denominator) {
    const int32_t error = (1 << 29) - lite_high_product(denominator, y);
    return y + lite_saturating_shift_left(lite_high_product(y, error), 2);
}

// 1 / (1 + x) for x in [0, 1), no integer bits in either: three steps, written out for loops to be
// vectorised.
static inline int32_t lite_one_over_one_plus(int32_t x) {
    const int32_t half_denominator = (int32_t)(((uint32_t)x + (UINT32_C(1) << 31)) >> 1);
    const int32_t c48_17 = 1515870810, c32_17 = 1010580540; // two integer bits
    int32_t y = c48_17 + lite_high_product(half_denominator, -c32_17);
    y = lite_reciprocal_step(y, half_denominator);
    y = lite_reciprocal_step(y, half_denominator);
    y = lite_reciprocal_step(y, half_denominator);
    return lite_saturating_shift_left(y, 1);
}

// The reciprocal of x > 0 with 31 - `shift` fractional bits: 1 / x = result * 2^-(31 + shift).
static inline int32_t lite_reciprocal(int32_t x, int* shift) {
    const int leading_zeros = lite_leading_zeros(x);
    *shift = 31 - leading_zeros;
    return lite_one_over_one_plus((int32_t)(((uint32_t)x << leading_zeros) - (UINT32_C(1) << 31)));
}

// x * 2^exponent: rounded to nearest for negative exponents, saturated for positive ones.
static inline int32_t lite_scale_pot(int32_t x, int exponent) {
    if (exponent < -31) return 0;
    if (exponent <= 0) return lite_rounding_shift_right(x, -exponent);
    return lite_saturating_shift_left(x, exponent > 31 ? 31 : exponent);
}

// x / 2^exponent as the reference kernels round it in a type of `bits` bits. Where the exponent is too large
// for the type, their mask becomes all ones and x86-64 shifts modulo 32, so that results are not near 0; ours
// are meant to equal theirs.
static inline int32_t lite_reference_shift_right(int32_t x, int exponent, int bits) {
    if (exponent < bits) return lite_scale_pot(x, -exponent);
    return (x >> (exponent & 31)) + (x >= 0 ? 1 : 0);
}

// 1 / sqrt(x) for x >= 1 as a multiplier: value * 2^(shift - 31), by five steps of Newton's method with three
// integer bits.
static inline LiteMultiplier lite_inverse_sqrt(int32_t x) {
    if (x <= 1) return (LiteMultiplier){INT32_MAX, 0};
    int shift = 11;
    for (; x >= 1 << 29; x /= 4) shift++;
    const int pairs = (__builtin_clz((uint32_t)x) - 1) / 2 - 1;
    shift -= pairs;
    const int32_t half_x = lite_rounding_shift_right((int32_t)((uint32_t)x << 2 * pairs) >> 1, 1);
    const int32_t three_halves = (1 << 28) + (1 << 27);
    int32_t y = 1 << 28;
    for (int i = 0; i < 5; i++) {
        const int32_t cube = lite_doubling_high_mul(lite_doubling_high_mul(y, y), y);
        const int32_t y3 = lite_saturate_i32((int64_t)cube * 64);
        const int32_t next = lite_doubling_high_mul(three_halves, y) - lite_doubling_high_mul(half_x, y3);
        y = lite_saturate_i32((int64_t)next * 8);
    }
    y = lite_doubling_high_mul(y, 1518500250); // sqrt(2) / 2
    if (shift < 0) {
        y = (int32_t)((uint32_t)y << -shift);
        shift = 0;
    }
    return (LiteMultiplier){y, -shift};
}

#endif
