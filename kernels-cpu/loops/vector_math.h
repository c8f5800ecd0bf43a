// SPDX-License-Identifier: Apache-2.0
// Functions of math.h without branches and calls, so that loops over them are vectorised. Within 3 units in
// the last place (GELU: relative error of 1e-5), infinities and NaN included.
#ifndef KERNELS_CPU_LOOPS_VECTOR_MATH_H_
#define KERNELS_CPU_LOOPS_VECTOR_MATH_H_

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/semantics/half.h"

// x where `first` is true, y elsewhere. Compilers make no branch of this, which would keep a loop scalar.
static inline float lite_choose(bool first, float x, float y) {
    const uint32_t mask = 0U - first;
    return lite_float_from_bits((lite_float_to_bits(x) & mask) | (lite_float_to_bits(y) & ~mask));
}

// roundf(x) for -2^31 <= x < 2^31.
static inline int32_t lite_round_to_integer(float x) {
    const int32_t whole = (int32_t)x;
    const float rest = x - (float)whole; // exact, and 0 where adding 1 would overflow
    return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

// a * b + c: in one instruction, and rounded once, in loops that are compiled for processors that have it.
static inline float lite_multiply_add(float a, float b, float c) {
#ifdef __FMA__
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

// x between low < 0 and high > 0, which are not NaN, where x is. As integers floats are ordered by their
// magnitudes, and comparisons of integers become one instruction each.
static inline float lite_limit(float x, float low, float high) {
    const uint32_t bits = lite_float_to_bits(x), lowest = lite_float_to_bits(low);
    const int32_t above = (int32_t)(bits < lowest ? bits : lowest);
    const int32_t highest = (int32_t)lite_float_to_bits(high);
    return lite_float_from_bits((uint32_t)(above < highest ? above : highest));
}

// The less of the two as integers, in whose order floats are that are not negative, before NaN; negative ones
// stay. Of two comparisons of floats compilers make more than two instructions each.
static inline float lite_limit_above(float x, float high) {
    const int32_t bits = (int32_t)lite_float_to_bits(x), highest = (int32_t)lite_float_to_bits(high);
    return lite_float_from_bits((uint32_t)(bits < highest ? bits : highest));
}

// The bits of the least normal number and of infinity, between which those of positive normal ones are.
#define LITE_MIN_NORMAL 0x00800000u
#define LITE_INFINITE 0x7F800000u

// Adding this to |x| < 2^22 rounds x to an integer, which the lowest bits of the sum then hold.
#define LITE_ROUNDING 12582912.0f // 1.5 * 2^23

// x = n * log(2) + rest, |rest| <= log(2) / 2 and a little; returns n + LITE_ROUNDING + offset.
static inline float lite_exp_split(float x, float offset, float* rest) {
    const float rounded = lite_multiply_add(x, 1.44269504088896341f, LITE_ROUNDING + offset);
    const float n = rounded - (LITE_ROUNDING + offset);
    // log(2) in two parts, n times the first is exact
    *rest = lite_multiply_add(n, 2.12194440e-4f, lite_multiply_add(n, -0.693359375f, x));
    return rounded;
}

// exp(r) - 1 for |r| <= log(2) / 2. Horner's rule would be a longer chain.
static inline float lite_expm1_rest(float r) {
    const float square = r * r;
    const float low = lite_multiply_add(r, 0.166665734f, 0.5f);
    const float high = lite_multiply_add(r, 0.00836377647f, 0.0416664568f);
    const float highest = lite_multiply_add(square, 0.00139345445f, high);
    return lite_multiply_add(square, lite_multiply_add(square, highest, low), r);
}

// 2^(n - 127) for an n in the lowest bits, 0 < n < 255; 0 for 0 and infinity for 255.
static inline float lite_exp2_biased(uint32_t n) {
    return lite_float_from_bits(n << 23);
}

// Large numbers are limited by their n, so that what is left of infinity and NaN is that again.
static inline float lite_expf(float x) {
    const float offset = LITE_ROUNDING + 254.0f, limited = x < -104.0f ? -104.0f : x;
    const float above = lite_multiply_add(limited, 1.44269504088896341f, offset);
    const float rounded = lite_limit_above(above, offset + 128.0f), n = rounded - offset;
    const float rest = lite_multiply_add(n, 2.12194440e-4f, lite_multiply_add(n, -0.693359375f, limited));
    // Twice half the power of 2: either is in range, also where the result is not.
    const uint32_t bits = lite_float_to_bits(rounded), half = bits << 22 & LITE_INFINITE;
    const float power = lite_float_from_bits(half), other = lite_float_from_bits((bits << 23) - half);
    return lite_multiply_add(power, lite_expm1_rest(rest), power) * other;
}

// exp(x), but 0 where that is subnormal, and infinity from 2^127.5 on; anything for NaN.
static inline float lite_exp_normalf(float x) {
    float rest;
    const float rounded = lite_exp_split(lite_limit(x, -88.0f, 89.0f), 127.0f, &rest);
    return (1.0f + lite_expm1_rest(rest)) * lite_exp2_biased(lite_float_to_bits(rounded));
}

// The same for x <= 0 or NaN, which stays.
static inline float lite_exp_fallingf(float x) {
    float rest;
    const float rounded = lite_exp_split(x < -88.0f ? -88.0f : x, 127.0f, &rest);
    const float power = lite_exp2_biased(lite_float_to_bits(rounded));
    return lite_multiply_add(power, lite_expm1_rest(rest), power);
}

// 1 / (1 + exp(-x)), with the polynomial of a rest of the other sign.
static inline float lite_logisticf(float x) {
    const float offset = LITE_ROUNDING + 127.0f, limited = 88.0f < x ? 88.0f : x;
    const float above = lite_multiply_add(limited, -1.44269504088896341f, offset);
    const float rounded = lite_limit_above(above, offset + 128.0f), n = offset - rounded;
    const float r = lite_multiply_add(n, 2.12194440e-4f, lite_multiply_add(n, -0.693359375f, limited));
    const float square = r * r;
    const float low = lite_multiply_add(r, -0.166665734f, 0.5f);
    const float high = lite_multiply_add(r, -0.00836377647f, 0.0416664568f);
    const float highest = lite_multiply_add(square, 0.00139345445f, high);
    const float rest = lite_multiply_add(square, lite_multiply_add(square, highest, low), -r);
    const float power = lite_exp2_biased(lite_float_to_bits(rounded));
    return 1.0f / lite_multiply_add(1.0f + rest, power, 1.0f);
}

// For x from the least normal number on: the exponent and f with x = 2^exponent * (1 + f), 1 + f in
// [sqrt(1/2), sqrt(2)], then a polynomial in f.
static inline float lite_log_normalf(float x) {
    const uint32_t shifted = lite_float_to_bits(x) - 0x3F3504F3u; // the bits of sqrt(1/2)
    const float exponent = (float)((int32_t)shifted >> 23);
    const float f = lite_float_from_bits((shifted & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;
    const float square = f * f, fourth = square * square;
    const float p01 = lite_multiply_add(f, -2.4999993993e-1f, 3.3333331174e-1f);
    const float p23 = lite_multiply_add(f, -1.6668057665e-1f, 2.0000714765e-1f);
    const float p45 = lite_multiply_add(f, -1.2420140846e-1f, 1.4249322787e-1f);
    const float p67 = lite_multiply_add(f, -1.1514610310e-1f, 1.1676998740e-1f);
    const float high = lite_multiply_add(fourth, 7.0376836292e-2f, lite_multiply_add(square, p67, p45));
    const float p = lite_multiply_add(fourth, high, lite_multiply_add(square, p23, p01));
    const float rest = lite_multiply_add(exponent, -2.12194440e-4f, p * f * square);
    return lite_multiply_add(exponent, 0.693359375f, f + lite_multiply_add(square, -0.5f, rest));
}

static inline float lite_logf(float x) {
    const bool tiny = x < 1.17549435e-38f;
    const float normal = lite_log_normalf(x * lite_choose(tiny, 8388608.0f, 1.0f));
    const float y = normal - lite_choose(tiny, 15.9423852f, 0.0f); // 23 * log(2)
    const float positive = lite_choose(x > 0.0f, y, lite_choose(x == 0.0f, -INFINITY, NAN));
    return lite_choose(x < INFINITY, positive, x); // infinity and NaN stay
}

// For x from the least normal number on: an estimate, one step of Newton's method with the constants of the
// least error for it, and one of the third order.
static inline float lite_rsqrt_normalf(float x) {
    const float estimate = lite_float_from_bits(0x5F1FFFF9u - (lite_float_to_bits(x) >> 1));
    const float factor = lite_multiply_add(-(x * estimate), estimate, 2.38924456f);
    const float y = 0.703952253f * estimate * factor;
    const float off = lite_multiply_add(-(x * y), y, 1.0f);
    return lite_multiply_add(y * off, lite_multiply_add(off, 0.375f, 0.5f), y);
}

// x^y for a positive, normal x and a finite y: 2^(y * log2(x)), in double precision.
static inline float lite_pow_normalf(float x, float y) {
    const uint32_t shifted = lite_float_to_bits(x) - 0x3F3504F3u; // the bits of sqrt(1/2)
    const double f = (double)lite_float_from_bits((shifted & 0x007FFFFFu) + 0x3F3504F3u);
    // log(f) = 2 * (s + s^3 / 3 + s^5 / 5 ...)
    const double s = (f - 1.0) / (f + 1.0), square = s * s, fourth = square * square;
    const double high = 0.32059889797532520 + square * 0.26230818925253880;
    const double low = 2.8853900817779268 + square * 0.96179669392597560;
    const double middle = 0.57707801635558536 + square * 0.41219858311113240;
    const double power =
        (double)y * ((double)((int32_t)shifted >> 23) + s * (low + fourth * (middle + fourth * high)));
    const double above = power > -160.0 ? power : -160.0, limited = above < 160.0 ? above : 160.0;
    const double rounded = limited + 6755399441055744.0; // 1.5 * 2^52, as LITE_ROUNDING
    const double r = limited - (rounded - 6755399441055744.0), r2 = r * r, r4 = r2 * r2;
    const double p01 = 1.0 + r * 0.69314718055994531, p23 = 0.24022650695910071 + r * 0.055504108664821580;
    const double p45 = 0.0096181291076284772 + r * 0.0013333558146428443;
    const double p67 = 1.5403530393381610e-4 + r * 1.5252733804059841e-5;
    uint64_t bits;
    memcpy(&bits, &rounded, sizeof(bits));
    bits = (bits + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof(scale));
    return (float)((p01 + r2 * p23 + r4 * (p45 + r2 * p67)) * scale);
}

// sin(x), or cos(x), for |x| <= LITE_WAVE_LIMIT: x = n * pi / 2 + rest, pi / 2 in three parts, n times the
// first two of which are exact.
#define LITE_WAVE_LIMIT 8192.0f
static inline float lite_wavef(float x, uint32_t quarters) {
    const float rounded = lite_multiply_add(x, 0.636619772f, LITE_ROUNDING);
    const float n = rounded - LITE_ROUNDING;
    const float near = lite_multiply_add(n, -4.8375129699707031e-4f, lite_multiply_add(n, -1.5703125f, x));
    const float r = lite_multiply_add(n, -7.5497899548918822e-8f, near);
    const float z = r * r;
    const float odd = lite_multiply_add(z, -1.9515295891e-4f, 8.3321608736e-3f);
    const float sine = lite_multiply_add(r * z, lite_multiply_add(z, odd, -1.6666654611e-1f), r);
    const float even = lite_multiply_add(z, 2.443315711e-5f, -1.388731625e-3f);
    const float two = lite_multiply_add(z, -0.5f, 1.0f);
    const float cosine = lite_multiply_add(z * z, lite_multiply_add(z, even, 4.166664568e-2f), two);
    const uint32_t quadrant = lite_float_to_bits(rounded) + quarters;
    const float y = (quadrant & 1) != 0 ? cosine : sine;
    return lite_float_from_bits(lite_float_to_bits(y) ^ (quadrant & 2) << 30);
}

// For x between -88 and 88.
static inline float lite_expm1_limited(float x) {
    float rest;
    const float rounded = lite_exp_split(x, 127.0f, &rest);
    const float power = lite_exp2_biased(lite_float_to_bits(rounded));
    return lite_multiply_add(power, lite_expm1_rest(rest), power - 1.0f);
}

// For x up to 88.
static inline float lite_expm1f(float x) {
    return x != x ? x : lite_expm1_limited(lite_limit(x, -30.0f, 88.0f));
}

// With e = exp(2|x|) - 1, whose polynomial has the powers of 2 in its coefficients. Other than in exp, n
// times log(2) in one piece will do: the larger n is, the less the result depends on the rest.
static inline float lite_tanhf(float x) {
    const float magnitude = fabsf(x);
    const float m = 10.0f < magnitude ? 10.0f : magnitude; // NaN stays
    const float rounded = lite_multiply_add(m, 2.88539008177792681f, LITE_ROUNDING + 127.0f);
    const float n = rounded - (LITE_ROUNDING + 127.0f);
    const float r = lite_multiply_add(n, -0.34657359027997265f, m), square = r * r;
    const float low = lite_multiply_add(r, 4.0f * 0.333331468f, 2.0f);
    const float high = lite_multiply_add(r, 32.0f * 0.00836377647f, 16.0f * 0.0416664568f);
    const float highest = lite_multiply_add(square, 64.0f * 0.00139345445f, high);
    const float rest = lite_multiply_add(square, lite_multiply_add(square, highest, low), 2.0f * r);
    const float power = lite_exp2_biased(lite_float_to_bits(rounded));
    const float e = lite_multiply_add(power, rest, power - 1.0f);
    return copysignf(e / (e + 2.0f), x);
}

// x * P(x), P(-|x|) = exp(-x * x / 2) * t * polynomial(t) with t = 1 / (1 + 0.35 * |x|): for positive x that
// is taken away from x. Where |x| is large enough for the exponential to be 0, it is limited.
static inline float lite_geluf(float x) {
    const int32_t bits = (int32_t)(lite_float_to_bits(x) & 0x7FFFFFFFu);
    const int32_t most = (int32_t)lite_float_to_bits(13.27f);
    const float m = lite_float_from_bits((uint32_t)(bits < most ? bits : most));
    const float t = 1.0f / lite_multiply_add(m, 0.35f, 1.0f), t2 = t * t;
    // 2^(n + r)
    const float half = m * -0.72134752044448170f;
    const float rounded = lite_multiply_add(half, m, LITE_ROUNDING + 127.0f);
    const float r = lite_multiply_add(half, m, (LITE_ROUNDING + 127.0f) - rounded), r2 = r * r;
    const float e01 = lite_multiply_add(r, 0.693146944f, 1.00000012f);
    const float e23 = lite_multiply_add(r, 0.0555071309f, 0.240221202f);
    const float e45 = lite_multiply_add(r, 0.00132764713f, 0.00967554096f);
    const float e = lite_multiply_add(r2, lite_multiply_add(r2, e45, e23), e01);
    const float power = lite_exp2_biased(lite_float_to_bits(rounded));
    const float p01 = lite_multiply_add(t, 0.13625166f, 0.1398241f);
    const float p23 = lite_multiply_add(t, 0.00162283f, 0.14619221f);
    const float p45 = lite_multiply_add(t, -0.19038506f, 0.22034873f);
    const float p456 = lite_multiply_add(t2, 0.04614561f, p45);
    const float p = lite_multiply_add(t2, lite_multiply_add(t2, p456, p23), p01);
    const float tail = (p * t) * (e * power);
    return lite_multiply_add(-m, tail, x < 0.0f ? x * 0.0f : x); // of -infinity NaN, as x * erfc(..) is
}

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
static inline float lite_gelu_tanhf(float x) {
    const float doubled = x * lite_multiply_add(x * x, 0.0713548163f, 1.5957691216f);
    return x / (1.0f + lite_exp_normalf(-doubled));
}

#endif
