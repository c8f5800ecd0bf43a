// SPDX-License-Identifier: Apache-2.0
// The F_ functions, with which formulas of core/elementwise.def are written.
//
// On processors (PROCESSOR) implementations call a function for each element of a loop, or branch, so that
// nothing of the loop is done in vectors (PoCL, 8 lanes: LOG, TANH and EXPM1 8 to 10 ns an element, ERFC 36,
// POW 80). There these are our own, by the methods of kernels-cpu/loops/vector_math.h: no branches, no calls,
// no tables. Within 2 units in the last place, log and tanh 3, erfc 6; results under the least normal number
// are within one unit of it. Infinities and NaN go where math.h has them. Products and sums may be
// contracted, or not.

#ifdef PROCESSOR
#define OWN_FUNCTIONS
// Adding this to |x| < 2^22 rounds x to an integer, which the lowest bits of the sum then hold.
#define ROUNDING 12582912.0f // 1.5 * 2^23
// log(2) in two parts: so many times the first is exact.
#define MOST_OF_LOG_2 0.693359375f
#define REST_OF_LOG_2 -2.12194440e-4f

// By bits: Intel's compiler makes no vectors of a loop that calls fabs().
inline float magnitude_of(float x) {
    return as_float(as_uint(x) & 0x7FFFFFFFu);
}

// Of floats, and of vectors: x * 2^n for -252 <= n <= 254 in two steps, as both powers are in range, also
// where the result is not; exp(r) - 1 for |r| <= log(2) / 2 and a little, where Horner's rule would be a
// longer chain; exp(x).
#define DEFINE_EXP(scale_by_power, expm1_near_zero, own_exp, real, whole, as_real, as_whole)                 \
    inline real scale_by_power(real x, whole n) {                                                            \
        const whole part = n >> 1;                                                                           \
        return x * as_real((part + 127) << 23) * as_real((n - part + 127) << 23);                            \
    }                                                                                                        \
    inline real expm1_near_zero(real r) {                                                                    \
        const real square = r * r;                                                                           \
        const real low = r * 0.166665734f + 0.5f, high = r * 0.00836377647f + 0.0416664568f;                 \
        return square * (square * (square * 0.00139345445f + high) + low) + r;                               \
    }                                                                                                        \
    inline real own_exp(real x) {                                                                            \
        const real least = -104.0f, most = 89.0f;                                                            \
        const real above = x < least ? least : x, limited = above > most ? most : above; /* NaN stays */     \
        const real rounded = limited * 1.44269504f + ROUNDING, n = rounded - ROUNDING;                       \
        const real r = n * -REST_OF_LOG_2 + (n * -MOST_OF_LOG_2 + limited);                                  \
        return scale_by_power(1.0f + expm1_near_zero(r), as_whole(rounded) - as_int(ROUNDING));              \
    }
DEFINE_EXP(scale_by_power, expm1_near_zero, own_exp, float, int, as_float, as_int)
#if VW > 1
DEFINE_EXP(scale_vector, expm1_of_vector, exp_of_vector, vector, integers, PASTE(as_float, VW),
           PASTE(as_int, VW))
#else
#define exp_of_vector(v) own_exp(v)
#endif

// Half of the power of 2 nearest to exp(x), which is in range for all x in [-86, 89]. What exp(x) is beyond
// the power, as a part of it, goes to *rest.
inline float half_power(float x, float* rest) {
    const float rounded = x * 1.44269504f + ROUNDING, n = rounded - ROUNDING;
    *rest = expm1_near_zero(n * -REST_OF_LOG_2 + (n * -MOST_OF_LOG_2 + x));
    return as_float((uint)(as_int(rounded) - as_int(ROUNDING) + 126) << 23);
}

inline float own_expm1(float x) {
    const float above = x < -30.0f ? -30.0f : x;
    float rest;
    const float power = half_power(above > 89.0f ? 89.0f : above, &rest);
    const float y = 2.0f * (power * rest + (power - 0.5f));
    return x == 0.0f ? x : y; // -0, too
}

// What is less than any number is 0, also times a large x.
inline float own_logistic(float x) {
    const float above = x < -88.0f ? -88.0f : x; // NaN stays
    float rest;
    const float power = half_power(above > 86.0f ? -86.0f : -above, &rest);
    const float y = 0.5f / (0.5f + (power * rest + power));
    return x < -104.0f ? 0.0f : y;
}

// By e = exp(2 |x|) - 1.
inline float own_tanh(float x) {
    const float magnitude = magnitude_of(x), e = own_expm1(2.0f * (magnitude > 10.0f ? 10.0f : magnitude));
    return as_float(as_uint(e / (e + 2.0f)) | (as_uint(x) & 0x80000000u));
}

// The exponent and f with x = 2^exponent * (1 + f), 1 + f in [sqrt(1/2), sqrt(2)], then a polynomial in f.
inline float own_log(float x) {
    const bool tiny = x < 1.17549435e-38f;
    const uint shifted = as_uint(tiny ? x * 8388608.0f : x) - 0x3F3504F3u; // the bits of sqrt(1/2)
    const float exponent = (float)((int)shifted >> 23) - (tiny ? 23.0f : 0.0f);
    const float f = as_float((shifted & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;
    const float square = f * f, fourth = square * square;
    const float p01 = f * -2.4999993993e-1f + 3.3333331174e-1f;
    const float p23 = f * -1.6668057665e-1f + 2.0000714765e-1f;
    const float p45 = f * -1.2420140846e-1f + 1.4249322787e-1f;
    const float p67 = f * -1.1514610310e-1f + 1.1676998740e-1f;
    const float high = fourth * 7.0376836292e-2f + (square * p67 + p45);
    const float p = fourth * high + (square * p23 + p01);
    const float rest = exponent * REST_OF_LOG_2 + p * f * square;
    const float y = exponent * MOST_OF_LOG_2 + (f + (square * -0.5f + rest));
    const float positive = x > 0.0f ? y : x == 0.0f ? -INFINITY : NAN;
    return x < INFINITY ? positive : x;
}

// Of z = |x|: exp(-z * z) * t * polynomial(t) with t = 1 / (1 + 0.3 z). The square is that of z's upper bits,
// exactly, and what the others add to it.
inline float own_erfc(float x) {
    const float magnitude = magnitude_of(x), z = magnitude > 10.1f ? 10.1f : magnitude;
    const float t = 1.0f / (z * 0.3f + 1.0f), t2 = t * t, t4 = t2 * t2;
    const float upper = as_float(as_uint(z) & 0xFFFFF000u);
    const float others = (z - upper) * (z + upper);
    const float rounded = (z * z) * -1.44269504f + ROUNDING, n = rounded - ROUNDING;
    const float r = (n * -REST_OF_LOG_2 + (n * -MOST_OF_LOG_2 - upper * upper)) - others;
    const float p01 = t * 0.170717794f + 0.169187828f, p23 = t * 0.214980112f + 0.148323368f;
    const float p45 = t * 0.54786627f - 0.0947632578f, p67 = t * 0.485614688f - 0.512394126f;
    const float low = t2 * p23 + p01, high = t4 * -0.129532695f + (t2 * p67 + p45);
    const float p = (t4 * high + low) * t;
    const float tail = scale_by_power(expm1_near_zero(r) * p + p, as_int(rounded) - as_int(ROUNDING));
    return x < 0.0f ? 2.0f - tail : tail;
}

// sin(x), or with quarters = 1 cos(x), for |x| <= WAVE_LIMIT: x = n * pi / 2 + rest, pi / 2 in three parts, n
// times the first two of which are exact. Within 2e-7.
#define WAVE_LIMIT 8192.0f
inline float own_wave(float x, uint quarters) {
    const float rounded = x * 0.636619772f + ROUNDING, n = rounded - ROUNDING;
    const float near = n * -4.8375129699707031e-4f + (n * -1.5703125f + x);
    const float r = n * -7.5497899548918822e-8f + near, z = r * r;
    const float sine = r * z * (z * (z * -1.9515295891e-4f + 8.3321608736e-3f) - 1.6666654611e-1f) + r;
    const float even = z * 2.443315711e-5f - 1.388731625e-3f;
    const float cosine = z * z * (z * even + 4.166664568e-2f) + (z * -0.5f + 1.0f);
    const uint quadrant = as_uint(rounded) + quarters;
    const float y = (quadrant & 1) != 0 ? cosine : sine;
    return as_float(as_uint(y) ^ (quadrant & 2) << 30);
}

#define F_ERFC(v) own_erfc(v)
#define F_EXP(v) own_exp(v)
#define F_EXPM1(v) own_expm1(v)
#define F_LOGISTIC(v) own_logistic(v)
#define F_LOG(v) own_log(v)
#define F_TANH(v) own_tanh(v)
#else
#define exp_of_vector(v) exp(v)
#define F_ERFC(v) erfc(v)
#define F_EXP(v) exp(v)
#define F_EXPM1(v) expm1(v)
#define F_LOGISTIC(v) (1.0f / (1.0f + exp(-(v))))
#define F_LOG(v) log(v)
// Exactly 1 where it rounds to 1: tanh() may be some units off, which GELU multiplies by its argument.
#define F_TANH(v) (fabs(v) > 9.1f ? copysign(1.0f, v) : tanh(v))
#endif

#if defined(OWN_FUNCTIONS) && defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// 2^(y * log2(|x|)) in double precision, and the cases of the standard that differ from that.
inline float own_pow(float x, float y) {
    const float magnitude = fabs(x);
    const bool tiny = magnitude < 1.17549435e-38f;
    const uint shifted = as_uint(tiny ? magnitude * 8388608.0f : magnitude) - 0x3F3504F3u;
    const double f = (double)as_float((shifted & 0x007FFFFFu) + 0x3F3504F3u);
    const double exponent = (double)(((int)shifted >> 23) - (tiny ? 23 : 0));
    // log(f) = 2 * (s + s^3 / 3 + s^5 / 5 ...)
    const double s = (f - 1.0) / (f + 1.0), square = s * s, fourth = square * square;
    const double high = 0.32059889797532520 + square * 0.26230818925253880;
    const double low = 2.8853900817779268 + square * 0.96179669392597560;
    const double middle = 0.57707801635558536 + square * 0.41219858311113240;
    const double of_normal = exponent + s * (low + fourth * (middle + fourth * high));
    const double log2 = magnitude == 0.0f ? -1e300 : magnitude < INFINITY ? of_normal : 1e300;
    const double product = magnitude == 1.0f || y == 0.0f ? 0.0 : (double)y * log2;
    const double above = product < -160.0 ? -160.0 : product, power = above > 160.0 ? 160.0 : above;
    const double rounded = power + 6755399441055744.0; // 1.5 * 2^52, as ROUNDING
    const double r = power - (rounded - 6755399441055744.0), r2 = r * r, r4 = r2 * r2;
    const double p01 = 1.0 + r * 0.69314718055994531, p23 = 0.24022650695910071 + r * 0.055504108664821580;
    const double p45 = 0.0096181291076284772 + r * 0.0013333558146428443;
    const double p67 = 1.5403530393381610e-4 + r * 1.5252733804059841e-5;
    const double scale = as_double((as_ulong(rounded) + 1023) << 52);
    const float result = (float)((p01 + r2 * p23 + r4 * (p45 + r2 * p67)) * scale);
    const bool whole = rint(y) == y, odd = whole && rint(y * 0.5f) != y * 0.5f;
    const uint sign = odd ? as_uint(x) & 0x80000000u : 0u;
    const bool outside = x < 0.0f && x > -INFINITY && !whole;
    const bool unknown = (isnan(x) && y != 0.0f) || (isnan(y) && x != 1.0f) || outside;
    return unknown ? NAN : as_float(as_uint(result) | sign);
}
#define F_POW(v, w) own_pow(v, w)
#else
#define F_POW(v, w) pow(v, w)
#endif

// floor(a / b) of the exact quotient, as double precision has it: what a / b rounds to an integer may lie
// below it. Bits are compared, as arithmetic may take a denormal number for 0.
inline float floor_quotient(float a, float b) {
    const float nearest = rint(a / b);
    const float rest = nearest == 0.0f && !isinf(b) ? a : fma(-nearest, b, a);
    const uint bits = as_uint(rest) ^ (as_uint(b) & 0x80000000u);
    const bool is_below = bits - 0x80000001u < 0x7F800000u; // NaN, of infinities, is no rest
    return is_below ? nearest - 1.0f : nearest;
}

#define F_ATAN(v) atan(v)
#define F_ATAN2(v, w) atan2(v, w)
#define F_CEIL(v) ceil(v)
#define F_COS(v) cos(v)
#define F_ERF(v) erf(v)
#define F_FABS(v) fabs(v)
#define F_FLOOR(v) floor(v)
#define F_FLOOR_DIV(v, w) floor_quotient(v, w)
#define F_LIMIT(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
#define F_FMOD(v, w) fmod(v, w)
#define F_RINT(v) rint(v)
#define F_SIN(v) sin(v)
#define F_SQRT(v) sqrt(v)
#define F_STORED(v) (v) // of FLOAT32
