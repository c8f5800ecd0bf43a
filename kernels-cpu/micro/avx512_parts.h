// SPDX-License-Identifier: Apache-2.0
// What micro_tmpl.h asks for, with 512-bit vectors; masked moves do not touch memory beyond their part.
#ifndef KERNELS_CPU_MICRO_AVX512_PARTS_H_
#define KERNELS_CPU_MICRO_AVX512_PARTS_H_

#include <immintrin.h>

#define MICRO_MASK(count) ((__mmask16)((1u << (count)) - 1))
#define MICRO_LOAD_PART(from, count) ((VI)_mm512_maskz_loadu_epi32(MICRO_MASK(count), from))
#define MICRO_STORE_PART(to, v, count) _mm512_mask_storeu_epi32(to, MICRO_MASK(count), (__m512i)(v))
#define MICRO_LOAD_BYTES(from, count) ((VI8)_mm_maskz_loadu_epi8(MICRO_MASK(count), from))
#define MICRO_EXTEND_I8(v) ((VI)_mm512_cvtepi8_epi32((__m128i)(v)))
#define MICRO_EXTEND_U8(v) ((VI)_mm512_cvtepu8_epi32((__m128i)(v)))
#define MICRO_STORE_BYTES(to, v, count)                                                                      \
    _mm512_mask_cvtepi32_storeu_epi8(to, (count) < 16 ? MICRO_MASK(count) : (__mmask16)0xFFFF, (__m512i)(v))

#define MICRO_MIN(x, y) ((VI)_mm512_min_epi32((__m512i)(x), (__m512i)(y)))
#define MICRO_MAX(x, y) ((VI)_mm512_max_epi32((__m512i)(x), (__m512i)(y)))

// Products of even and odd lanes in 64 bits; the bits from 31 on are the result of either.
static inline __m512i micro_high_mul(__m512i x, __m512i y) {
    const __m512i half = _mm512_set1_epi64(1 << 30);
    const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(x, y), half);
    const __m512i odd =
        _mm512_add_epi64(_mm512_mul_epi32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32)), half);
    return _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 31), _mm512_slli_epi64(odd, 1));
}
#define MICRO_HIGH_MUL(x, y) ((VI)micro_high_mul((__m512i)(x), (__m512i)(y)))

#endif
