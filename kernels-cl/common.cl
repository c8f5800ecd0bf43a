// SPDX-License-Identifier: Apache-2.0
// What all families share. The prelude may define
//   VW   floats per vector: 1, 4, 8 or 16
// and the formulas of core/elementwise.def are written with the F_ functions.
#ifndef VW
#define VW 1
#endif

#if VW == 1
typedef float vector;
#define VLOAD(p) (*(p))
#define VSTORE(v, p) (*(p) = (v))
#else
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
typedef PASTE(float, VW) vector;
#define VLOAD(p) PASTE(vload, VW)(0, (p))
#define VSTORE(v, p) PASTE(vstore, VW)((v), 0, (p))
#endif

// NaN passes, as in the reference kernels (fmin and fmax would drop it).
#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

inline vector clamp_vector(vector v, float low, float high) {
    const vector bottom = low, top = high;
    v = v < bottom ? bottom : v;
    return v > top ? top : v;
}

#ifdef QUANTIZED
// The functions of core/base/quant.h.
inline int doubling_high_mul(int a, int b) {
    const long rounded = (long)a * b + (1L << 30);
    return a == INT_MIN && b == INT_MIN ? INT_MAX : (int)(rounded >> 31);
}

inline int rounding_shift_right(int x, int exponent) {
    const int mask = (int)((1L << exponent) - 1);
    const int threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> exponent) + ((x & mask) > threshold ? 1 : 0);
}

inline int multiply(int x, LiteClMultiplier m) {
    const int left = max(m.shift, 0), right = max(-m.shift, 0);
    return rounding_shift_right(doubling_high_mul((int)((uint)x << left), m.value), right);
}
#endif

// The first `count` elements of v; nothing when count < 1.
inline void store_first(vector v, int count, __global float* p) {
    if (count >= VW) {
        VSTORE(v, p);
        return;
    }
#if VW >= 16
    if (count >= 8) {
        vstore8(v.lo, 0, p);
        p += 8;
        count -= 8;
        v.lo = v.hi;
    }
#endif
#if VW >= 8
    if (count >= 4) {
        vstore4(v.s0123, 0, p);
        p += 4;
        count -= 4;
        v.s0123 = v.s4567;
    }
#endif
#if VW > 1
    if (count >= 1) p[0] = v.s0;
    if (count >= 2) p[1] = v.s1;
#endif
#if VW >= 4
    if (count >= 3) p[2] = v.s2;
#endif
}

#define F_ATAN(v) atan(v)
#define F_ATAN2(v, w) atan2(v, w)
#define F_CEIL(v) ceil(v)
#define F_COS(v) cos(v)
#define F_ERF(v) erf(v)
#define F_ERFC(v) erfc(v)
#define F_EXP(v) exp(v)
#define F_EXPM1(v) expm1(v)
#define F_FABS(v) fabs(v)
#define F_FLOOR(v) floor(v)
#define F_FMOD(v, w) fmod(v, w)
#define F_LOG(v) log(v)
#define F_POW(v, w) pow(v, w)
#define F_RINT(v) rint(v)
#define F_SIN(v) sin(v)
#define F_SQRT(v) sqrt(v)
// Exactly 1 where it rounds to 1: tanh() may be some units off, which GELU multiplies by its argument.
#define F_TANH(v) (fabs(v) > 9.1f ? copysign(1.0f, v) : tanh(v))
