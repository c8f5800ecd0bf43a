// SPDX-License-Identifier: Apache-2.0
// Functions of math.h without branches and calls, so that loops over them are vectorised. Within 3 units in
// the last place (erfc: relative error of 1e-5), infinities and NaN included. The same bits on every
// instruction set.
#ifndef KERNELS_CPU_VECTOR_MATH_H_
#define KERNELS_CPU_VECTOR_MATH_H_

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/half.h"

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

// x = n * log(2) + rest, |rest| <= log(2) / 2 and a little; n as an integral float.
static inline float lite_exp_split(float x, float* rest) {
    const float magic = 12582912.0f; // 1.5 * 2^23: adding it rounds to integers
    const float n = (x * 1.44269504088896341f + magic) - magic;
    *rest = (x - n * 0.693359375f) - n * -2.12194440e-4f; // log(2) in two parts, n times the first is exact
    return n;
}

// exp(r) - 1 for |r| <= log(2) / 2.
static inline float lite_expm1_rest(float r) {
    const float q =
        0.5f + r * (0.166665734f + r * (0.0416664568f + r * (0.00836377647f + r * 0.00139345445f)));
    return r + r * r * q;
}

// 2^n for an integral n in [-126, 127].
static inline float lite_exp2_integer(float n) {
    return lite_float_from_bits((uint32_t)((int32_t)n + 127) << 23);
}

static inline float lite_expf(float x) {
    // Beyond the limits the result is 0 or infinity anyhow; NaN passes the comparisons.
    const float limited = x < -104.0f ? -104.0f : x > 89.0f ? 89.0f : x;
    float rest;
    const float n = lite_exp_split(limited != limited ? 0.0f : limited, &rest);
    // Twice half the power of 2: either is in range, also where the result is not.
    const float half = (float)((int32_t)n >> 1);
    const float y = (1.0f + lite_expm1_rest(rest)) * lite_exp2_integer(half) * lite_exp2_integer(n - half);
    return limited != limited ? limited : y;
}

// The exponent and f with x = 2^exponent * (1 + f), 1 + f in [sqrt(1/2), sqrt(2)], then a polynomial in f.
static inline float lite_logf(float x) {
    const bool tiny = x < 1.17549435e-38f;
    const uint32_t bits = lite_float_to_bits(tiny ? x * 8388608.0f : x);
    const uint32_t shifted = bits - 0x3F3504F3u; // the bits of sqrt(1/2)
    const float exponent = (float)((int32_t)shifted >> 23) - (tiny ? 23.0f : 0.0f);
    const float f = lite_float_from_bits((shifted & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    const float square = f * f;
    const float rest = p * f * square - 2.12194440e-4f * exponent - 0.5f * square;
    const float y = f + rest + 0.693359375f * exponent;
    const float special = x == 0.0f ? -INFINITY : x < 0.0f ? NAN : x; // infinity and NaN stay
    return x > 0.0f && x < INFINITY ? y : special;
}

// sin(x), or cos(x), for |x| <= LITE_WAVE_LIMIT: x = n * pi / 2 + rest, pi / 2 in three parts, n times the
// first two of which are exact.
#define LITE_WAVE_LIMIT 8192.0f
static inline float lite_wavef(float x, int32_t quarters) {
    const float magic = 12582912.0f;
    const float n = (x * 0.636619772f + magic) - magic;
    const float r = ((x - n * 1.5703125f) - n * 4.8375129699707031e-4f) - n * 7.5497899548918822e-8f;
    const float z = r * r;
    const float sine = r + r * z * (-1.6666654611e-1f + z * (8.3321608736e-3f - z * 1.9515295891e-4f));
    const float cosine =
        1.0f - 0.5f * z + z * z * (4.166664568e-2f + z * (-1.388731625e-3f + z * 2.443315711e-5f));
    const int32_t quadrant = (int32_t)n + quarters;
    const float y = (quadrant & 1) != 0 ? cosine : sine;
    return (quadrant & 2) != 0 ? -y : y;
}

// For x up to 88.
static inline float lite_expm1f(float x) {
    const float limited = x < -30.0f ? -30.0f : x > 88.0f ? 88.0f : x;
    float rest;
    const float n = lite_exp_split(limited != limited ? 0.0f : limited, &rest);
    const float power = lite_exp2_integer(n);
    const float y = power * lite_expm1_rest(rest) + (power - 1.0f);
    return limited != limited ? limited : y;
}

static inline float lite_tanhf(float x) {
    const float magnitude = fabsf(x) < 20.0f ? fabsf(x) : 20.0f;
    const float e = lite_expm1f(2.0f * magnitude);
    const float y = copysignf(e / (e + 2.0f), x);
    return x != x ? x : y;
}

// t * exp(-x * x + polynomial(t)) with t = 1 / (1 + |x| / 2).
static inline float lite_erfcf(float x) {
    const float magnitude = fabsf(x);
    const float t = 1.0f / (1.0f + 0.5f * magnitude);
    float p = 0.165509898f;
    p = p * t - 0.791463094f;
    p = p * t + 1.4132031f;
    p = p * t - 1.03165751f;
    p = p * t + 0.1914623f;
    p = p * t - 0.139631482f;
    p = p * t + 0.0811646084f;
    p = p * t + 0.377223408f;
    p = p * t + 0.999686355f;
    p = p * t - 1.26549752f;
    const float y = t * lite_expf(p - magnitude * magnitude);
    return x < 0.0f ? 2.0f - y : y;
}

#endif
