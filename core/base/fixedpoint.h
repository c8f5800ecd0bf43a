// SPDX-License-Identifier: Apache-2.0
// Functions in fixed point arithmetic, bit for bit as the reference kernels compute them: a value with n
// integer bits is held as value * 2^(31 - n) in an int32.
#ifndef CORE_BASE_FIXEDPOINT_H_
#define CORE_BASE_FIXEDPOINT_H_

#include <stdint.h>

#include "core/base/quant.h"

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

// 1 / (1 + x) for x in [0, 1), no integer bits in either: three steps of Newton's method.
static inline int32_t lite_one_over_one_plus(int32_t x) {
    const int32_t half_denominator = (int32_t)(((int64_t)x + INT32_MAX + 1) / 2);
    const int32_t c48_17 = 1515870810, c32_17 = 1010580540, one = 1 << 29; // two integer bits
    int32_t y = c48_17 + lite_doubling_high_mul(half_denominator, -c32_17);
    for (int i = 0; i < 3; i++) {
        const int32_t error = one - lite_doubling_high_mul(half_denominator, y);
        y += lite_saturate_i32((int64_t)lite_doubling_high_mul(y, error) * 4);
    }
    return lite_saturate_i32((int64_t)y * 2);
}

// The reciprocal of x > 0 with 31 - `shift` fractional bits: 1 / x = result * 2^-(31 + shift).
static inline int32_t lite_reciprocal(int32_t x, int* shift) {
    const int leading_zeros = __builtin_clz((uint32_t)x);
    *shift = 31 - leading_zeros;
    return lite_one_over_one_plus((int32_t)(((uint32_t)x << leading_zeros) - (UINT32_C(1) << 31)));
}

// x * 2^exponent: rounded to nearest for negative exponents, saturated for positive ones.
static inline int32_t lite_scale_pot(int32_t x, int exponent) {
    if (exponent < -31) return 0;
    if (exponent <= 0) return lite_rounding_shift_right(x, -exponent);
    if (exponent > 31) exponent = 31;
    return lite_saturate_i32((int64_t)x * (INT64_C(1) << exponent));
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
