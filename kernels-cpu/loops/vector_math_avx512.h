// SPDX-License-Identifier: Apache-2.0
// Functions of vector_math.h in vectors of AVX-512, with instructions that compilers do not choose by
// themselves: a table of 32 powers in two registers, scaling by a power of 2, and estimates in place of
// divisions. Within the same errors.
#ifndef KERNELS_CPU_LOOPS_VECTOR_MATH_AVX512_H_
#define KERNELS_CPU_LOOPS_VECTOR_MATH_AVX512_H_

#include <immintrin.h>

// 2^(i / 32)
static const float lite_roots_of_2[32] = {
    1.0f,        1.02189715f, 1.04427378f, 1.0671404f,  1.09050773f, 1.11438674f, 1.13878863f, 1.16372486f,
    1.18920712f, 1.21524736f, 1.24185781f, 1.26905096f, 1.29683955f, 1.32523664f, 1.35425555f, 1.38390988f,
    1.41421356f, 1.44518081f, 1.47682615f, 1.50916443f, 1.54221083f, 1.57598085f, 1.61049033f, 1.64575548f,
    1.68179283f, 1.7186193f,  1.75625216f, 1.79470908f, 1.83400809f, 1.87416763f, 1.91520656f, 1.95714412f};

// exp(x) for |x| <= 1000 and NaN: x = n * log(2) + rest, n a multiple of 1 / 32. Of exp(rest) - 1 the
// polynomial has its least error with the factor that is not quite 1.
static inline __m512 lite_exp_limited_512(__m512 x) {
    const __m512 rounding = _mm512_set1_ps(393216.0f); // 1.5 * 2^18: its last bit stands for 1 / 32
    const __m512 rounded = _mm512_fmadd_ps(x, _mm512_set1_ps(1.44269504088896341f), rounding);
    const __m512 n = _mm512_sub_ps(rounded, rounding);
    const __m512 near = _mm512_fmadd_ps(n, _mm512_set1_ps(-0.693147182464599609f), x);
    const __m512 rest = _mm512_fmadd_ps(n, _mm512_set1_ps(1.90465429995776e-9f), near);
    const __m512 root = _mm512_permutex2var_ps(_mm512_loadu_ps(lite_roots_of_2), _mm512_castps_si512(rounded),
                                               _mm512_loadu_ps(lite_roots_of_2 + 16));
    const __m512 factor = _mm512_fmadd_ps(rest, _mm512_set1_ps(0.5f), _mm512_set1_ps(1.0000147f));
    return _mm512_scalef_ps(_mm512_fmadd_ps(factor, _mm512_mul_ps(rest, root), root), n);
}

// Minima and maxima give their second operand where one is NaN.
static inline __m512 lite_expf_512(__m512 x) {
    const __m512 above = _mm512_max_ps(_mm512_set1_ps(-105.0f), x);
    return lite_exp_limited_512(_mm512_min_ps(_mm512_set1_ps(105.0f), above));
}

// With e = exp(-|x|), 1 / (1 + e) or, for negative x, e / (1 + e): an estimate and one step of Newton's
// method.
static inline __m512 lite_logisticf_512(__m512 x) {
    const __m512 one = _mm512_set1_ps(1.0f);
    const __m512 below = _mm512_or_ps(x, _mm512_set1_ps(-0.0f)); // -|x|
    const __m512 e = lite_exp_limited_512(_mm512_max_ps(_mm512_set1_ps(-105.0f), below));
    const __m512 sum = _mm512_add_ps(e, one), estimate = _mm512_rcp14_ps(sum);
    const __m512 y = _mm512_fmadd_ps(estimate, _mm512_fnmadd_ps(sum, estimate, one), estimate);
    return _mm512_mask_mul_ps(y, _mm512_movepi32_mask(_mm512_castps_si512(x)), y, e);
}

#endif
