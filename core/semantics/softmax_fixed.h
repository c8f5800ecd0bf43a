// SPDX-License-Identifier: Apache-2.0
// Exponential and logarithm in fixed point, bit for bit as the reference's SOFTMAX and LOG_SOFTMAX use them.
#ifndef CORE_SEMANTICS_SOFTMAX_FIXED_H_
#define CORE_SEMANTICS_SOFTMAX_FIXED_H_

#include <math.h>
#include <stdbool.h>

#include "core/semantics/fixedpoint.h"

#define LITE_SOFTMAX_INPUT_BITS 5 // integer bits of what the exponential takes
#define LITE_SOFTMAX_SUM_BITS 12  // integer bits of sums of exponentials

// exp(x) for x in [-1/4, 0), no integer bits: a Taylor series around -1/8.
static inline int32_t lite_exp_quarter(int32_t x) {
    const int32_t exp_eighth = 1895147668; // exp(-1/8)
    const int32_t third = 715827883;
    const int32_t y = x + (1 << 28);
    const int32_t y2 = lite_doubling_high_mul(y, y);
    const int32_t y3 = lite_doubling_high_mul(y2, y);
    const int32_t y4 = lite_doubling_high_mul(y2, y2);
    const int32_t inner = lite_doubling_high_mul(lite_rounding_shift_right(y4, 2) + y3, third) + y2;
    const int32_t series = y + lite_rounding_shift_right(inner, 1);
    return exp_eighth + lite_doubling_high_mul(exp_eighth, series);
}

// exp(x) for x <= 0 with 5 integer bits; the result has none. The part below 1/4 by the series, the rest by
// one factor for each bit of the number of quarters.
static inline int32_t lite_exp_negative(int32_t x) {
    static const int32_t factors[7] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
    if (x == 0) return INT32_MAX;
    const int32_t quarter = 1 << 24;
    const int32_t rest = (x & (quarter - 1)) - quarter;
    int32_t result = lite_exp_quarter(lite_scale_pot(rest, LITE_SOFTMAX_INPUT_BITS));
    const uint32_t quarters = ((uint32_t)rest - (uint32_t)x) >> 24;
    for (int i = 0; i < 7; i++) {
        if (quarters >> i & 1) result = lite_doubling_high_mul(result, factors[i]);
    }
    return result;
}

// log(x) with 5 integer bits for x >= 1 with 12: x is written as r * 2^n with r near 1 in two ways, the
// better of which is expanded as a quotient of polynomials in r - sqrt(sqrt(1/2)). No branches: loops of it
// are vectorised.
static inline int32_t lite_log(int32_t x) {
    const int32_t log2 = 1488522236, sqrt_sqrt_half = 1805811301, sqrt_half = 1518500250;
    const int32_t alpha_n = 117049297, alpha_d = 127690142, alpha_i = 1057819769, alpha_f = 638450708;
    const int sum_bits = LITE_SOFTMAX_INPUT_BITS + 1; // one more than the result has
    const int32_t quarter = 1 << (29 - sum_bits), one = 1 << (31 - sum_bits);
    const int a_zeros = lite_leading_zeros(x);
    const int b_headroom = lite_leading_zeros(lite_high_product(x, sqrt_half)) - 1;
    const int32_t a_half = lite_high_product((int32_t)((uint32_t)x << (a_zeros - 1)), sqrt_half);
    const int32_t a = lite_saturating_shift_left(a_half, 1);
    const int32_t b = lite_saturating_shift_left(x, b_headroom);
    const int32_t a_exponent = (LITE_SOFTMAX_SUM_BITS - a_zeros) * one + quarter;
    const int32_t b_exponent = (LITE_SOFTMAX_SUM_BITS - b_headroom) * one - quarter;
    const int32_t r = a < b ? a : b;
    const int32_t exponent = a_exponent > b_exponent ? a_exponent : b_exponent;
    const int32_t p = (int32_t)(((uint32_t)r + (uint32_t)sqrt_sqrt_half + 1) >> 1);
    const int32_t q = (int32_t)((uint32_t)(r - sqrt_sqrt_half) * 2);
    const int32_t q2 = lite_high_product(q, q);
    const int32_t numerator = lite_high_product(q, r) + lite_high_product(lite_high_product(q, q2), alpha_n);
    const int32_t inner = alpha_i + q + lite_high_product(alpha_d, q2);
    const int32_t denominator = lite_high_product(p, inner) + lite_high_product(alpha_f, q);
    const int32_t quotient = lite_high_product(lite_rounding_shift_right(numerator, sum_bits),
                                               lite_one_over_one_plus(denominator));
    const int32_t result = lite_wrapping_add(lite_high_product(exponent, log2), quotient);
    return lite_saturating_shift_left(result, 1);
}

// How differences of quantized inputs become arguments of the exponential.
typedef struct LiteSoftmaxScale {
    LiteMultiplier multiplier;
    int32_t diff_min; // differences below have no weight
} LiteSoftmaxScale;

// beta * scale in 5 integer bits; false when that is not over 2^-26.
static inline bool lite_softmax_scale(double beta, double scale, LiteSoftmaxScale* out) {
    const double unit = (double)(1 << (31 - LITE_SOFTMAX_INPUT_BITS));
    double real = beta * scale * unit;
    if (!(real > 1.0)) return false;
    if (real > 2147483647.0) real = 2147483647.0;
    out->multiplier = lite_quantize_multiplier(real);
    const double largest = (double)((1 << LITE_SOFTMAX_INPUT_BITS) - 1) * unit;
    out->diff_min = -(int32_t)floor(largest / (double)(INT64_C(1) << out->multiplier.shift));
    return true;
}

// What depends on the difference d of an 8-bit input and its row's largest value, at index -d.
typedef struct LiteSoftmaxTable {
    int32_t scaled[256];  // the exponential's argument
    int32_t exps[256];    // 0 for differences below diff_min
    int32_t addends[256]; // the same as the reference adds it up
} LiteSoftmaxTable;

static inline void lite_softmax_table(const LiteSoftmaxScale* scale, LiteSoftmaxTable* table) {
    for (int i = 0; i < 256; i++) {
        table->scaled[i] = lite_multiply(-i, scale->multiplier);
        table->exps[i] = -i < scale->diff_min ? 0 : lite_exp_negative(table->scaled[i]);
        table->addends[i] = lite_rounding_shift_right(table->exps[i], LITE_SOFTMAX_SUM_BITS);
    }
}

// The same of INT16, interpolated: functions at the ends of 512 steps, in units of 2^-15.
enum { LITE_SOFTMAX_STEPS = 513 };
typedef struct LiteSoftmaxTable16 {
    LiteMultiplier multiplier;               // a difference of 10 becomes 65535
    int16_t exps[LITE_SOFTMAX_STEPS];        // exp(x) in [-10, 0]
    int16_t reciprocals[LITE_SOFTMAX_STEPS]; // 1 / (1 + x) in [0, 1]
} LiteSoftmaxTable16;

// False when beta * scale is no factor.
bool lite_softmax_table16(float beta, float scale, LiteSoftmaxTable16* table);

// Is that the quantization that a result of this type has? Any, of UINT8.
bool lite_softmax_output(TfLiteType type, float scale, int32_t zero_point);

// LOG_SOFTMAX: from the exponential's argument to a difference of inputs.
LiteMultiplier lite_log_softmax_reverse(const LiteSoftmaxScale* scale);

// The largest value of a row and the sum of its exponentials, which saturates.
#define LITE_SUM_OF_EXPS(NAME, TYPE)                                                                         \
    static int32_t NAME(const TYPE* in, int64_t depth, const LiteSoftmaxTable* table, TYPE* max) {           \
        TYPE most = in[0];                                                                                   \
        for (int64_t i = 1; i < depth; i++) most = in[i] > most ? in[i] : most;                              \
        int64_t sum = 0;                                                                                     \
        for (int64_t i = 0; i < depth; i++) sum += table->addends[most - in[i]];                             \
        *max = most;                                                                                         \
        return lite_saturate_i32(sum);                                                                       \
    }

#endif
