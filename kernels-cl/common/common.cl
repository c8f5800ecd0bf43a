// SPDX-License-Identifier: Apache-2.0
// What all kernels share. The prelude may define
//   VW   floats per vector: 1, 2, 4, 8 or 16
// and the compiler's options PROCESSOR, where the device is one. That does not say that it compiles for the
// host's instructions: Intel's runtime compiles for SPIR first.
#include "kernels-cl/args/common.h"
#include "kernels-cl/common/vectors.cl"

#include "kernels-cl/common/builtins.cl" // for which it matters what vectors are

#ifndef VW
#define VW 1
#endif
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#include "kernels-cl/common/kernel.cl"

#if VW == 1
typedef float vector;
typedef int integers;
typedef long longs;
#define CONVERT(type, v) ((type)(v))
#else
typedef PASTE(float, VW) vector;
typedef PASTE(int, VW) integers;
typedef PASTE(long, VW) longs;
#define CONVERT_(type, v) PASTE(convert_##type, VW)(v)
#define CONVERT(type, v) CONVERT_(type, v)
#endif

// Vectors of VW at any multiple of their elements' size, and of 4 or 8 floats or bytes of a buffer.
#if VW == 1
#define VLOAD(p) (*(p))
#define VSTORE(v, p) (*(p) = (v))
#elif !defined(LOOSE_VECTORS) // see vectors.cl
#define VLOAD(p) PASTE(vload, VW)(0, (p))
#define VSTORE(v, p) PASTE(vstore, VW)((v), 0, (p))
#define VLOAD_PART(n, p) vload##n(0, (p))
#define VSTORE_PART(n, v, p) vstore##n((v), 0, (p))
#endif

// No load or store moves across it. Left alone, compilers for CPUs do all loads of a step at once, and then
// have no registers for the sums: they go through memory in each step, which halves the speed.
#if defined(__x86_64__) || defined(__aarch64__)
#define IN_ORDER() __asm__ volatile("" ::: "memory")
#else
#define IN_ORDER()
#endif

// Weights are read once in an inference: without it, CPUs wait for them at the beginning of every page.
#define AHEAD 32 // steps of a product
// Parts of the depth of a product with one row that are summed up side by side: a core reads that many places
// of the weights faster than one (Zen 3, 4 MB from the third cache, GB/s: 10, two parts 12, three 13, four
// 12).
#define PARTS_OF_DEPTH 3
#if defined(__x86_64__) || defined(__aarch64__)
#define PREFETCH(p) __builtin_prefetch((const void*)(size_t)(p))
#else
#define PREFETCH(p)
#endif

// Vectors of float16, computed with as float. HALVES: the device has the type; its conversions
// are faster than the functions for those that do not (Intel's runtime, mobilenet_v1_0.25 as float16: 2.0
// ms, 3.1 to 4.8 by the functions, on two busy cores).
#ifdef HALVES
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define LOAD_HALF(p, i) ((float)(p)[i])
#define STORE_HALF(p, i, v) ((p)[i] = (half)(v))
#define VLOAD_HALF(p) CONVERT(float, VLOAD(p))
#define VSTORE_HALF(v, p) VSTORE(CONVERT(half, v), p)
#else
#define LOAD_HALF(p, i) vload_half(i, p)
#define STORE_HALF(p, i, v) vstore_half(v, i, p)
#if VW == 1
#define VLOAD_HALF(p) vload_half(0, p)
#define VSTORE_HALF(v, p) vstore_half(v, 0, p)
#elif defined(__x86_64__) || defined(__aarch64__)
// PoCL's vload_half<n> takes its address for one of vectors, and may fault. That of bits does not.
#define LOAD_HALVES(space)                                                                                   \
    inline __attribute__((overloadable)) vector load_halves(const space half* p) {                           \
        const PASTE(ushort, VW) bits = VLOAD((const space ushort*)p);                                        \
        return PASTE(vload_half, VW)(0, (const half*)&bits);                                                 \
    }
LOAD_HALVES(__global)
LOAD_HALVES(__local)
LOAD_HALVES(__private)
#define VLOAD_HALF(p) load_halves(p)
#define VSTORE_HALF(v, p) PASTE(vstore_half, VW)(v, 0, p)
#else
#define VLOAD_HALF(p) PASTE(vload_half, VW)(0, p)
#define VSTORE_HALF(v, p) PASTE(vstore_half, VW)(v, 0, p)
#endif
#endif

// Rounded to nearest even; NaN stays NaN.
inline ushort to_bfloat16(float x) {
    const uint bits = as_uint(x);
    return isnan(x) ? bits >> 16 | 0x40 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

// For what has to be in registers.
#define INLINE __attribute__((always_inline)) inline

// NaN passes, as in the reference kernels (fmin and fmax would drop it).
#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

inline vector clamp_vector(vector v, float low, float high) {
    const vector bottom = low, top = high;
    v = v < bottom ? bottom : v;
    return v > top ? top : v;
}

#ifdef QUANTIZED
// The functions of core/semantics/quant.h.
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

// doubling_high_mul of vectors, but of INT_MIN by itself.
#if VW == 16 || VW == 8
#if VW == 16
typedef long8 half_longs;
#define SWAP_PAIRS(v) (v).s1032547698badcfe
#else
typedef long4 half_longs;
#define SWAP_PAIRS(v) (v).s10325476
#endif
inline integers doubling_high_each(integers x, integers y) {
    // Elements of even and of odd places apart: processors multiply to 64 bits in just this way. Odd ones
    // change places with even ones first: of a shift alone compilers do not see that it leaves 32 bits.
    const integers swapped_x = SWAP_PAIRS(x), swapped_y = SWAP_PAIRS(y);
    const half_longs a = __builtin_astype(x, half_longs), b = __builtin_astype(y, half_longs);
    const half_longs c = __builtin_astype(swapped_x, half_longs), d = __builtin_astype(swapped_y, half_longs);
    const half_longs even = (a << 32 >> 32) * (b << 32 >> 32) + (1L << 30);
    const half_longs odd = (c << 32 >> 32) * (d << 32 >> 32) + (1L << 30);
    return __builtin_astype((even >> 31 & 0xFFFFFFFFL) | (odd << 1 & ~0xFFFFFFFFL), integers);
}
#else
inline integers doubling_high_each(integers x, integers y) {
    return CONVERT(int, (CONVERT(long, x) * CONVERT(long, y) + (1L << 30)) >> 31);
}
#endif

// multiply() of a vector, for multipliers that are not negative.
inline integers multiply_each(integers x, integers value, integers shift) {
    const integers zero = 0, one = 1, left = max(shift, zero), right = max(-shift, zero);
    const integers high = doubling_high_each(x << left, value);
    const integers mask = ~((integers)-1 << right);
    const integers threshold = (mask >> 1) + (high < 0 ? one : zero);
    return (high >> right) + ((high & mask) > threshold ? one : zero);
}

inline integers add_wrapping(integers x, integers y) {
    return CONVERT(int, CONVERT(uint, x) + CONVERT(uint, y));
}

// Sums of products in the output's scale, around its zero point, within its limits.
inline integers requantize(integers sum, integers value, integers shift, int zero_point, int low, int high) {
    const integers scaled = add_wrapping(multiply_each(sum, value, shift), (integers)zero_point);
    return clamp(scaled, (integers)low, (integers)high);
}
#endif

// Any number is above NaN.
inline bool above(float a, float b) {
    return isnan(b) ? !isnan(a) : a > b;
}
