// SPDX-License-Identifier: Apache-2.0
// What micro_tmpl.h asks for, with 512-bit vectors; masked moves do not touch memory beyond their part.
#ifndef KERNELS_CPU_MICRO_AVX512_PARTS_H_
#define KERNELS_CPU_MICRO_AVX512_PARTS_H_

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define MICRO_MASK(count) ((__mmask16)((1u << (count)) - 1))
#define MICRO_LOAD_PART(from, count) ((VI)_mm512_maskz_loadu_epi32(MICRO_MASK(count), from))
#define MICRO_STORE_PART(to, v, count) _mm512_mask_storeu_epi32(to, MICRO_MASK(count), (__m512i)(v))
#define MICRO_LARGER(x, y) ((VF)_mm512_max_ps((__m512)(x), (__m512)(y)))
#define MICRO_SMALLER(x, y) ((VF)_mm512_min_ps((__m512)(x), (__m512)(y)))
#define MICRO_WIDEN_F16(from) ((VF)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i*)(const void*)(from))))
#define MICRO_WIDEN_BF16(from)                                                                               \
    ((VF)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(const void*)(from))),   \
                           16))
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

static inline __attribute__((always_inline)) __m512i micro_fixed(__m512i sum, __m512 scale, __m512 half,
                                                                 int32_t start) {
    const __m512 x = _mm512_cvtepi32_ps(sum);
    // All bits but the sign from one, the sign from the other: (mask & half) | (~mask & x)
    const __m512i mask = _mm512_set1_epi32(INT32_MAX);
    half = (__m512)_mm512_ternarylogic_epi32(mask, (__m512i)half, (__m512i)x, 0xCA);
    // The sign of one with the smaller of both sizes.
    const __m512 scaled = _mm512_range_ps(_mm512_fmadd_ps(x, scale, half), _mm512_set1_ps(0x40000000), 2);
    return _mm512_add_epi32(_mm512_cvtps_epi32(scaled), _mm512_set1_epi32(start));
}

static inline __attribute__((always_inline)) __m512i micro_fixed_relu(__m512i sum, __m512 scale,
                                                                      __m512 from) {
    const __m512 x = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), scale, from);
    return _mm512_cvtps_epi32(_mm512_min_ps(x, _mm512_set1_ps(0x40008000)));
}
#define MICRO_FIXED(relu, sum, s)                                                                            \
    ((VI)((relu) ? micro_fixed_relu((__m512i)(sum), (__m512)(s)->scale, (__m512)(s)->from)                   \
                 : micro_fixed((__m512i)(sum), (__m512)(s)->scale, (__m512)(s)->half, (s)->start)))

static inline bool micro_is_near(__m512i x, __m512i y, __m512i z, __m512i u, int bits, int32_t margin) {
    const __m512i above = _mm512_set1_epi32((1 << bits) - margin);
    __mmask16 far = _mm512_test_epi32_mask(x, above);
    far = _mm512_mask_test_epi32_mask(far, y, above);
    far = _mm512_mask_test_epi32_mask(far, z, above);
    far = _mm512_mask_test_epi32_mask(far, u, above);
    return far != 0xFFFF;
}
#define MICRO_IS_NEAR(v, bits, margin)                                                                       \
    micro_is_near((__m512i)(v)[0], (__m512i)(v)[1], (__m512i)(v)[2], (__m512i)(v)[3], bits, margin)

static inline __attribute__((always_inline)) __m512i
micro_pack(__m512i x, __m512i y, __m512i z, __m512i u, int shift, __m512i low, __m512i high, __m512i flip) {
    const __m128i bytes = _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
    // The lower half from one, the upper from the other: (mask & y) | (~mask & x)
    const __m512i mask = _mm512_set1_epi32((int32_t)0xFFFF0000);
    __m512i xy = _mm512_ternarylogic_epi32(mask, y, _mm512_srli_epi32(x, 16), 0xCA);
    __m512i zu = _mm512_ternarylogic_epi32(mask, u, _mm512_srli_epi32(z, 16), 0xCA);
    if (shift > 0) {
        xy = _mm512_sra_epi16(xy, _mm_cvtsi32_si128(shift));
        zu = _mm512_sra_epi16(zu, _mm_cvtsi32_si128(shift));
    }
    __m512i v = _mm512_shuffle_epi8(_mm512_packs_epi16(xy, zu), _mm512_broadcast_i32x4(bytes));
    v = _mm512_min_epi8(_mm512_max_epi8(v, low), high);
    return _mm512_xor_si512(v, flip);
}
#define MICRO_PACK(v, shift, e)                                                                              \
    ((VI)micro_pack((__m512i)(v)[0], (__m512i)(v)[1], (__m512i)(v)[2], (__m512i)(v)[3], shift,               \
                    (__m512i)(e)->low, (__m512i)(e)->high, (__m512i)(e)->flip))

static inline __m512i micro_order(__m512i v) {
    const __m512i fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(fours, v);
}
#define MICRO_ORDER(v) ((VI)micro_order((__m512i)(v)))

#define MICRO_SPREAD(a, b, v) micro_spread((__m512i)(a), (__m512i)(b), (__m512i*)(v))
static inline __attribute__((always_inline)) void micro_spread(__m512i a, __m512i b, __m512i* v) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i low = _mm512_unpacklo_epi8(a, b), high = _mm512_unpackhi_epi8(a, b);
    v[0] = _mm512_unpacklo_epi8(low, zero);
    v[1] = _mm512_unpackhi_epi8(low, zero);
    v[2] = _mm512_unpacklo_epi8(high, zero);
    v[3] = _mm512_unpackhi_epi8(high, zero);
}

#define MICRO_NEAREST(x) ((VI)_mm512_cvtps_epi32((__m512)(x)))
#define MICRO_MULTIPLY(a, b, za, zb, v)                                                                      \
    micro_multiply((__m512i)(a), (__m512i)(b), (__m512i)(za), (__m512i)(zb), (__m512i*)(v))
static inline __attribute__((always_inline)) void micro_multiply(__m512i a, __m512i b, __m512i za, __m512i zb,
                                                                 __m512i* v) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i a_low = _mm512_sub_epi16(_mm512_unpacklo_epi8(a, zero), za),
                  a_high = _mm512_sub_epi16(_mm512_unpackhi_epi8(a, zero), za);
    const __m512i b_low = _mm512_sub_epi16(_mm512_unpacklo_epi8(b, zero), zb),
                  b_high = _mm512_sub_epi16(_mm512_unpackhi_epi8(b, zero), zb);
    const __m512i lower = _mm512_mullo_epi16(a_low, b_low), upper = _mm512_mulhi_epi16(a_low, b_low);
    const __m512i lower_2 = _mm512_mullo_epi16(a_high, b_high), upper_2 = _mm512_mulhi_epi16(a_high, b_high);
    v[0] = _mm512_unpacklo_epi16(lower, upper);
    v[1] = _mm512_unpackhi_epi16(lower, upper);
    v[2] = _mm512_unpacklo_epi16(lower_2, upper_2);
    v[3] = _mm512_unpackhi_epi16(lower_2, upper_2);
}

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
