// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define MICRO_TABLE lite_micro_avx2
#define MICRO_NAME "avx2"
#define MICRO_LANES 8
#define MICRO_ROWS 6
#define MICRO_MADD(acc, x, y) ((acc) + (VI)_mm256_madd_epi16((__m256i)(x), (__m256i)(y)))
#define MICRO_MASK(count)                                                                                    \
    _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define MICRO_LOAD_PART(from, count) ((VI)_mm256_maskload_epi32(from, MICRO_MASK(count)))
#define MICRO_STORE_PART(to, v, count) _mm256_maskstore_epi32(to, MICRO_MASK(count), (__m256i)(v))
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
#define MICRO_ODD(x) ((__m256i)_mm256_movehdup_ps((__m256)(x)))

// The same for the upper halves: those of the even lanes move down between those of the odd ones.
static inline __m256i high_half(__m256i x, __m256i y) {
    const __m256i half = _mm256_set1_epi64x(INT64_C(1) << 31);
    const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(x, y), half);
    const __m256i odd = _mm256_add_epi64(_mm256_mul_epi32(MICRO_ODD(x), MICRO_ODD(y)), half);
    return _mm256_blend_epi32(MICRO_ODD(even), odd, 0xAA);
}
#define MICRO_HIGH_HALF(x, y) ((VI)high_half((__m256i)(x), (__m256i)(y)))
#define MICRO_ANY(v) (_mm256_movemask_ps((__m256)(v)) != 0)

// v[0] ... v[3] interleaved by fours in the packing, brought into order at the end.
static inline __m256i halve(__m256i x, __m256i y, __m256i z, __m256i u, __m256i offset, __m256i low,
                            __m256i high, __m256i flip) {
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i xy = _mm256_srai_epi16(_mm256_adds_epi16(_mm256_packs_epi32(x, y), offset), 1);
    const __m256i zu = _mm256_srai_epi16(_mm256_adds_epi16(_mm256_packs_epi32(z, u), offset), 1);
    const __m256i bytes = _mm256_min_epi8(_mm256_max_epi8(_mm256_packs_epi16(xy, zu), low), high);
    return _mm256_permutevar8x32_epi32(_mm256_xor_si256(bytes, flip), order);
}
#define MICRO_HALVE(v, e)                                                                                    \
    ((VI)halve((__m256i)(v)[0], (__m256i)(v)[1], (__m256i)(v)[2], (__m256i)(v)[3],                           \
               _mm256_set1_epi16((e)->offset), _mm256_set1_epi8((e)->low), _mm256_set1_epi8((e)->high),      \
               _mm256_set1_epi8((e)->flip)))

#define MICRO_STORE_HALF(to, v, i)                                                                           \
    _mm_storeu_si128((__m128i*)(void*)(to), _mm256_extracti128_si256((__m256i)(v), i))
#define MICRO_STORE_QUARTER(to, v, i, count) store_quarter(to, _mm256_extract_epi64((__m256i)(v), i), count)
static inline __attribute__((always_inline)) void store_quarter(uint8_t* to, int64_t bytes, int count) {
    memcpy(to, &bytes, count < 8 ? (size_t)count : 8);
}
#include "kernels-cpu/micro/micro_tmpl.h"
