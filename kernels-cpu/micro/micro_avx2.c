// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

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
#include "kernels-cpu/micro/micro_tmpl.h"
