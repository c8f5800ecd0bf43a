// SPDX-License-Identifier: Apache-2.0
// Functions in 16-bit fixed point, bit for bit as the reference's LSTM computes them: a value with n integer
// bits is held as value * 2^(15 - n), here in an int32 so that loops are vectorised.
#ifndef CORE_SEMANTICS_FIXED16_H_
#define CORE_SEMANTICS_FIXED16_H_

#include <stdint.h>

#include "core/semantics/quant.h"

static inline int32_t lite_saturate_i16(int32_t x) {
    return lite_clamp_i32(x, INT16_MIN, INT16_MAX);
}

// x * m with halves up in both roundings, as the reference's vector instructions do.
static inline int32_t lite_multiply_half_up(int32_t x, LiteMultiplier m) {
    const int left = m.shift > 0 ? m.shift : 0;
    const int right = m.shift > 0 ? 0 : -m.shift;
    const int64_t high = lite_doubling_high_mul((int32_t)((uint32_t)x << left), m.value);
    return (int32_t)((high + ((INT64_C(1) << right) >> 1)) >> right);
}

// a * b / 2^15, rounded to nearest with halves up.
static inline int32_t lite_mul16(int32_t a, int32_t b) {
    const int32_t product = (a * b + (1 << 14)) >> 15;
    return product < INT16_MAX ? product : INT16_MAX;
}

static inline int32_t lite_shift_left16(int32_t x, int exponent) {
    return lite_saturate_i16(x * (1 << exponent));
}

// exp(x) for x in [-1/4, 0), no integer bits: a Taylor series around -1/8.
static inline int32_t lite_exp_quarter16(int32_t x) {
    const int32_t exp_eighth = 28918, third = 10923;
    const int32_t y = x + (1 << 12);
    const int32_t y2 = lite_mul16(y, y);
    const int32_t y3 = lite_mul16(y2, y);
    const int32_t y4 = lite_mul16(y2, y2);
    const int32_t inner = lite_mul16(lite_rounding_shift_right(y4, 2) + y3, third) + y2;
    const int32_t series = y + lite_rounding_shift_right(inner, 1);
    return lite_saturate_i16(exp_eighth + lite_mul16(exp_eighth, series));
}

// exp(x) for x <= 0 with `integer_bits` in [1, 7]; the result has none. The part below 1/4 by the series, the
// rest by one factor for each bit of the number of quarters.
static inline int32_t lite_exp_negative16(int32_t x, int integer_bits) {
    static const int32_t factors[7] = {25520, 19875, 12055, 4435, 600, 11, 0};
    const int quarter_bits = 13 - integer_bits;
    const int32_t quarter = 1 << quarter_bits;
    const int32_t rest = (x & (quarter - 1)) - quarter;
    const int32_t quarters = rest - x;
    int32_t result = lite_exp_quarter16(lite_shift_left16(rest, integer_bits));
    for (int i = 0; i < integer_bits + 2 && i < 7; i++) {
        const int32_t scaled = lite_mul16(result, factors[i]);
        result = quarters >> (quarter_bits + i) & 1 ? scaled : result;
    }
    if (integer_bits > 5 && x < -(1 << (20 - integer_bits))) result = 0;
    return x == 0 ? INT16_MAX : result;
}

// 1 / ((1 + x) / 2) with two integer bits for x in [0, 1): three steps of Newton's method.
static inline int32_t lite_two_over_one_plus16(int32_t x) {
    const int32_t c48_17 = 23130, c32_17 = 15420, one = 1 << 13; // two integer bits
    const int32_t half_denominator = (x + INT16_MAX + 1) >> 1;
    int32_t y = c48_17 + lite_mul16(half_denominator, -c32_17);
    for (int i = 0; i < 3; i++) {
        const int32_t error = one - lite_mul16(half_denominator, y);
        y += lite_shift_left16(lite_mul16(y, error), 2);
    }
    return y;
}

// 1 / (1 + exp(-x)) for three integer bits; the result has none.
static inline int32_t lite_sigmoid16(int32_t x) {
    const int32_t e = lite_exp_negative16(x > 0 ? -x : x, 3);
    const int32_t positive = lite_shift_left16(lite_two_over_one_plus16(e), 1);
    const int32_t y = x > 0 ? positive : INT16_MAX - positive;
    return x == 0 ? 1 << 14 : y;
}

// tanh(x) for `integer_bits` in [0, 6]; the result has none.
static inline int32_t lite_tanh16(int32_t x, int integer_bits) {
    const int32_t e = lite_exp_negative16(x < 0 ? x : -x, integer_bits + 1);
    const int32_t y = lite_shift_left16(lite_two_over_one_plus16(e) - (1 << 13), 2);
    return x == 0 ? 0 : x < 0 ? -y : y;
}

#endif
