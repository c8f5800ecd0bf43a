// SPDX-License-Identifier: Apache-2.0
// What micro_tmpl.h asks for, with 256-bit vectors.
#ifndef KERNELS_CPU_MICRO_AVX2_PARTS_H_
#define KERNELS_CPU_MICRO_AVX2_PARTS_H_

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MICRO_LANES 8
#define MICRO_ROWS 6
#define MICRO_ROWS_F32 6
#define MICRO_MASK(count)                                                                                    \
    _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define MICRO_LOAD_PART(from, count) ((VI)_mm256_maskload_epi32(from, MICRO_MASK(count)))
#define MICRO_STORE_PART(to, v, count) _mm256_maskstore_epi32(to, MICRO_MASK(count), (__m256i)(v))
#define MICRO_LARGER(x, y) ((VF)_mm256_max_ps((__m256)(x), (__m256)(y)))
#define MICRO_SMALLER(x, y) ((VF)_mm256_min_ps((__m256)(x), (__m256)(y)))
#define MICRO_WIDEN_F16(from) ((VF)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)(const void*)(from))))
#define MICRO_WIDEN_BF16(from)                                                                               \
    ((VF)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i*)(const void*)(from))), 16))
#define MICRO_EXTEND_I8(v) ((VI)_mm256_cvtepi8_epi32(_mm_cvtsi64_si128((int64_t)(v))))
#define MICRO_EXTEND_U8(v) ((VI)_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)(v))))
#define MICRO_MIN(x, y) ((VI)_mm256_min_epi32((__m256i)(x), (__m256i)(y)))
#define MICRO_MAX(x, y) ((VI)_mm256_max_epi32((__m256i)(x), (__m256i)(y)))

// Products of even and odd lanes in 64 bits; the bits from 31 on are the result of either.
static inline __m256i high_mul(__m256i x, __m256i y) {
    const __m256i half = _mm256_set1_epi64x(1 << 30);
    const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(x, y), half);
    const __m256i odd =
        _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32)), half);
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xAA);
}
#define MICRO_HIGH_MUL(x, y) ((VI)high_mul((__m256i)(x), (__m256i)(y)))
#define MICRO_ANY(v) (_mm256_movemask_ps((__m256)(v)) != 0)

static inline __attribute__((always_inline)) __m256i fixed(const bool relu, __m256i sum, __m256 scale,
                                                           __m256 half, __m256 from) {
    if (!relu) from = _mm256_blendv_ps(from, _mm256_sub_ps(_mm256_sub_ps(from, half), half), (__m256)sum);
    const __m256 x = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), scale, from);
    return _mm256_cvtps_epi32(_mm256_min_ps(x, _mm256_set1_ps(0x40008000)));
}
#define MICRO_FIXED(relu, sum, s)                                                                            \
    ((VI)fixed(relu, (__m256i)(sum), (__m256)(s)->scale, (__m256)(s)->half, (__m256)(s)->from))

static inline bool is_near(__m256i x, __m256i y, __m256i z, __m256i u, int bits, int32_t margin) {
    const __m256i above = _mm256_set1_epi32((1 << bits) - margin);
    const __m256i xy = _mm256_min_epi32(_mm256_and_si256(x, above), _mm256_and_si256(y, above));
    const __m256i zu = _mm256_min_epi32(_mm256_and_si256(z, above), _mm256_and_si256(u, above));
    const __m256i least = _mm256_min_epi32(xy, zu);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(least, _mm256_setzero_si256())) != 0;
}
#define MICRO_IS_NEAR(v, bits, margin)                                                                       \
    is_near((__m256i)(v)[0], (__m256i)(v)[1], (__m256i)(v)[2], (__m256i)(v)[3], bits, margin)

static inline __attribute__((always_inline)) __m256i
pack(__m256i x, __m256i y, __m256i z, __m256i u, int shift, __m256i low, __m256i high, __m256i flip) {
    const __m128i bytes = _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
    __m256i xy = _mm256_blend_epi16(_mm256_srli_epi32(x, 16), y, 0xAA);
    __m256i zu = _mm256_blend_epi16(_mm256_srli_epi32(z, 16), u, 0xAA);
    if (shift > 0) {
        xy = _mm256_sra_epi16(xy, _mm_cvtsi32_si128(shift));
        zu = _mm256_sra_epi16(zu, _mm_cvtsi32_si128(shift));
    }
    __m256i v = _mm256_shuffle_epi8(_mm256_packs_epi16(xy, zu), _mm256_broadcastsi128_si256(bytes));
    v = _mm256_min_epi8(_mm256_max_epi8(v, low), high);
    return _mm256_xor_si256(v, flip);
}
#define MICRO_PACK(v, shift, e)                                                                              \
    ((VI)pack((__m256i)(v)[0], (__m256i)(v)[1], (__m256i)(v)[2], (__m256i)(v)[3], shift, (__m256i)(e)->low,  \
              (__m256i)(e)->high, (__m256i)(e)->flip))
#define MICRO_ORDER(v)                                                                                       \
    ((VI)_mm256_permutevar8x32_epi32((__m256i)(v), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)))

#define MICRO_SPREAD(a, b, v) spread((__m256i)(a), (__m256i)(b), (__m256i*)(v))
static inline __attribute__((always_inline)) void spread(__m256i a, __m256i b, __m256i* v) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
    v[0] = _mm256_unpacklo_epi8(low, zero);
    v[1] = _mm256_unpackhi_epi8(low, zero);
    v[2] = _mm256_unpacklo_epi8(high, zero);
    v[3] = _mm256_unpackhi_epi8(high, zero);
}

#define MICRO_NEAREST(x) ((VI)_mm256_cvtps_epi32((__m256)(x)))
#define MICRO_MULTIPLY(a, b, za, zb, v)                                                                      \
    multiply((__m256i)(a), (__m256i)(b), (__m256i)(za), (__m256i)(zb), (__m256i*)(v))
static inline __attribute__((always_inline)) void multiply(__m256i a, __m256i b, __m256i za, __m256i zb,
                                                           __m256i* v) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i a_low = _mm256_sub_epi16(_mm256_unpacklo_epi8(a, zero), za),
                  a_high = _mm256_sub_epi16(_mm256_unpackhi_epi8(a, zero), za);
    const __m256i b_low = _mm256_sub_epi16(_mm256_unpacklo_epi8(b, zero), zb),
                  b_high = _mm256_sub_epi16(_mm256_unpackhi_epi8(b, zero), zb);
    const __m256i lower = _mm256_mullo_epi16(a_low, b_low), upper = _mm256_mulhi_epi16(a_low, b_low);
    const __m256i lower_2 = _mm256_mullo_epi16(a_high, b_high), upper_2 = _mm256_mulhi_epi16(a_high, b_high);
    v[0] = _mm256_unpacklo_epi16(lower, upper);
    v[1] = _mm256_unpackhi_epi16(lower, upper);
    v[2] = _mm256_unpacklo_epi16(lower_2, upper_2);
    v[3] = _mm256_unpackhi_epi16(lower_2, upper_2);
}

#define MICRO_STORE_HALF(to, v, i)                                                                           \
    _mm_storeu_si128((__m128i*)(void*)(to), _mm256_extracti128_si256((__m256i)(v), i))
#define MICRO_STORE_QUARTER(to, v, i, count) store_quarter(to, _mm256_extract_epi64((__m256i)(v), i), count)
static inline __attribute__((always_inline)) void store_quarter(uint8_t* to, int64_t bytes, int count) {
    memcpy(to, &bytes, count < 8 ? (size_t)count : 8);
}

#endif
