// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/byte_map_loops.h"
#include "kernels-cpu/loops/loops.h"

static void map_bytes(const LiteByteMap* map, const uint8_t* in, int64_t count, uint8_t* out) {
    lite_look_up()(map->table, in, count, out);
}

#if defined(LITE_LOOPS) && defined(__AVX2__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

// Lines of 16 numbers times 256, with ones in `left` where they belong to the first of two.
INLINE __m256i on_lines(const bool two, const LiteByteLines* l, __m256i x, __m256i left) {
    __m256i multiplier = _mm256_set1_epi16(l->multiplier[1]), start = _mm256_set1_epi16(l->start[1]);
    if (two) {
        multiplier = _mm256_blendv_epi8(multiplier, _mm256_set1_epi16(l->multiplier[0]), left);
        start = _mm256_blendv_epi8(start, _mm256_set1_epi16(l->start[0]), left);
    }
    const __m256i sum = _mm256_adds_epi16(_mm256_mulhrs_epi16(x, multiplier), start);
    const __m256i steps = _mm256_sra_epi16(sum, _mm_cvtsi32_si128(l->shift));
    return _mm256_adds_epi16(steps, _mm256_set1_epi16(l->offset));
}

// Whole vectors; returns how many bytes they have.
INLINE int64_t map_vectors(const bool two, const LiteByteLines* l, const uint8_t* in, int64_t count,
                           uint8_t* out) {
    int64_t at = 0;
    for (; at + 32 <= count; at += 32) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i*)(const void*)(in + at));
        const __m256i x = _mm256_xor_si256(bytes, _mm256_set1_epi8(l->in_flip));
        const __m256i left = _mm256_cmpgt_epi8(_mm256_set1_epi8(l->corner), x);
        const __m256i zero = _mm256_setzero_si256();
        const __m256i low = on_lines(two, l, _mm256_unpacklo_epi8(zero, x), _mm256_unpacklo_epi8(left, left));
        const __m256i high =
            on_lines(two, l, _mm256_unpackhi_epi8(zero, x), _mm256_unpackhi_epi8(left, left));
        __m256i y = _mm256_packs_epi16(low, high);
        y = _mm256_min_epi8(_mm256_max_epi8(y, _mm256_set1_epi8(l->low)), _mm256_set1_epi8(l->high));
        for (int i = 0; i < l->exceptions; i++) {
            const __m256i here = _mm256_cmpeq_epi8(x, _mm256_set1_epi8(l->at[i]));
            y = _mm256_blendv_epi8(y, _mm256_set1_epi8(l->value[i]), here);
        }
        y = _mm256_xor_si256(y, _mm256_set1_epi8(l->out_flip));
        _mm256_storeu_si256((__m256i*)(void*)(out + at), y);
    }
    return at;
}

static void map_lines(const LiteByteMap* map, const uint8_t* in, int64_t count, uint8_t* out) {
    if (!map->lines.found) {
        map_bytes(map, in, count, out);
        return;
    }
    const LiteByteLines lines = map->lines; // a copy, which nothing that is written changes
    int64_t at = lines.corner == INT8_MIN ? map_vectors(false, &lines, in, count, out)
                                          : map_vectors(true, &lines, in, count, out);
    for (; at < count; at++) out[at] = map->table[in[at]];
}
#endif

// A table that two instructions look up is faster than lines.
#if defined(LITE_LOOPS) && defined(__AVX512BW__)
#define BEST_MAP (__builtin_cpu_supports("avx512vbmi") ? map_bytes : map_lines)
#elif defined(LITE_LOOPS) && defined(__AVX2__)
#define BEST_MAP map_lines
#else
#define BEST_MAP map_bytes
#endif

LITE_EXPORT_LOOPS(LiteMapBytes, lite_map_bytes, (void), ()) {
    return BEST_MAP;
}
