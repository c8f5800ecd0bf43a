// SPDX-License-Identifier: Apache-2.0
// What micro_tmpl.h asks for, with 512-bit vectors; masked moves do not touch memory beyond their part.
#ifndef KERNELS_CPU_MICRO_AVX512_PARTS_H_
#define KERNELS_CPU_MICRO_AVX512_PARTS_H_

#include <immintrin.h>
#include <stdint.h>

#define MICRO_MASK(count) ((__mmask16)((1u << (count)) - 1))
#define MICRO_LOAD_PART(from, count) ((VI)_mm512_maskz_loadu_epi32(MICRO_MASK(count), from))
#define MICRO_STORE_PART(to, v, count) _mm512_mask_storeu_epi32(to, MICRO_MASK(count), (__m512i)(v))
#define MICRO_LOAD_BYTES(from, count) ((VI8)_mm_maskz_loadu_epi8(MICRO_MASK(count), from))
#define MICRO_EXTEND_I8(v) ((VI)_mm512_cvtepi8_epi32((__m128i)(v)))
#define MICRO_EXTEND_U8(v) ((VI)_mm512_cvtepu8_epi32((__m128i)(v)))
#define MICRO_STORE_BYTES(to, v, count)                                                                      \
    _mm512_mask_cvtepi32_storeu_epi8(to, (count) < 16 ? MICRO_MASK(count) : (__mmask16)0xFFFF, (__m512i)(v))

#define MICRO_ANY(v) (_mm512_movepi32_mask((__m512i)(v)) != 0)

// Products of even and odd lanes in 64 bits; the bits from 31 on are the result of either.
static inline __m512i micro_high_mul(__m512i x, __m512i y) {
    const __m512i half = _mm512_set1_epi64(1 << 30);
    const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(x, y), half);
    const __m512i odd =
        _mm512_add_epi64(_mm512_mul_epi32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32)), half);
    return _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 31), _mm512_slli_epi64(odd, 1));
}
#define MICRO_HIGH_MUL(x, y) ((VI)micro_high_mul((__m512i)(x), (__m512i)(y)))

#define MICRO_ODD(x) ((__m512i)_mm512_movehdup_ps((__m512)(x)))

// The same for the upper halves: those of the even lanes move down between those of the odd ones.
static inline __m512i micro_high_half(__m512i x, __m512i y) {
    const __m512i half = _mm512_set1_epi64(INT64_C(1) << 31);
    const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(x, y), half);
    const __m512i odd = _mm512_add_epi64(_mm512_mul_epi32(MICRO_ODD(x), MICRO_ODD(y)), half);
    return (__m512i)_mm512_mask_movehdup_ps((__m512)odd, 0x5555, (__m512)even);
}
#define MICRO_HIGH_HALF(x, y) ((VI)micro_high_half((__m512i)(x), (__m512i)(y)))

// v[0] ... v[3] interleaved by fours in the packing, brought into order at the end.
static inline __m512i micro_halve(__m512i x, __m512i y, __m512i z, __m512i u, __m512i offset, __m512i low,
                                  __m512i high, __m512i flip) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i xy = _mm512_srai_epi16(_mm512_adds_epi16(_mm512_packs_epi32(x, y), offset), 1);
    const __m512i zu = _mm512_srai_epi16(_mm512_adds_epi16(_mm512_packs_epi32(z, u), offset), 1);
    const __m512i bytes = _mm512_min_epi8(_mm512_max_epi8(_mm512_packs_epi16(xy, zu), low), high);
    return _mm512_permutexvar_epi32(order, _mm512_xor_si512(bytes, flip));
}
#define MICRO_HALVE(v, e)                                                                                    \
    ((VI)micro_halve((__m512i)(v)[0], (__m512i)(v)[1], (__m512i)(v)[2], (__m512i)(v)[3],                     \
                     _mm512_set1_epi16((e)->offset), _mm512_set1_epi8((e)->low),                             \
                     _mm512_set1_epi8((e)->high), _mm512_set1_epi8((e)->flip)))

#define MICRO_STORE_HALF(to, v, i)                                                                           \
    _mm256_storeu_si256((__m256i*)(void*)(to), _mm512_extracti64x4_epi64((__m512i)(v), i))
#define MICRO_STORE_QUARTER(to, v, i, count)                                                                 \
    micro_store_quarter(to, _mm512_extracti32x4_epi32((__m512i)(v), i), count)
static inline __attribute__((always_inline)) void micro_store_quarter(uint8_t* to, __m128i v, int count) {
    if (count < 16) {
        _mm_mask_storeu_epi8(to, MICRO_MASK(count), v);
    } else {
        _mm_storeu_si128((__m128i*)(void*)to, v);
    }
}

#endif
