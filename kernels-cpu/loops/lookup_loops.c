// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/lookup_loops.h"
#include "kernels-cpu/loops/loops.h"

static void look_up(const uint8_t table[LITE_LUT8_SIZE], const uint8_t* in, int64_t count, uint8_t* out) {
    for (int64_t i = 0; i < count; i++) out[i] = table[in[i]];
}

#if defined(LITE_LOOPS) && defined(__AVX2__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

INLINE __m256i find_in_16(const uint8_t* table, __m256i lowest) {
    const __m128i part = _mm_loadu_si128((const __m128i*)(const void*)table);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(part), lowest);
}

// The lowest four bits say which of 16 entries; bits 4 and 5, which are the highest of `fourth` and `fifth`,
// which 16 of 64.
INLINE __m256i find_in_64(const uint8_t* table, __m256i lowest, __m256i fourth, __m256i fifth) {
    const __m256i low = _mm256_blendv_epi8(find_in_16(table, lowest), find_in_16(table + 16, lowest), fourth);
    const __m256i high =
        _mm256_blendv_epi8(find_in_16(table + 32, lowest), find_in_16(table + 48, lowest), fourth);
    return _mm256_blendv_epi8(low, high, fifth);
}

static void look_up_avx2(const uint8_t table[LITE_LUT8_SIZE], const uint8_t* in, int64_t count,
                         uint8_t* out) {
    int64_t at = 0;
    for (; at + 32 <= count; at += 32) {
        const __m256i x = _mm256_loadu_si256((const __m256i*)(const void*)(in + at));
        const __m256i sixth = _mm256_add_epi8(x, x), fifth = _mm256_add_epi8(sixth, sixth);
        const __m256i fourth = _mm256_add_epi8(fifth, fifth),
                      lowest = _mm256_and_si256(x, _mm256_set1_epi8(15));
        const __m256i low = _mm256_blendv_epi8(find_in_64(table, lowest, fourth, fifth),
                                               find_in_64(table + 64, lowest, fourth, fifth), sixth);
        const __m256i high = _mm256_blendv_epi8(find_in_64(table + 128, lowest, fourth, fifth),
                                                find_in_64(table + 192, lowest, fourth, fifth), sixth);
        _mm256_storeu_si256((__m256i*)(void*)(out + at), _mm256_blendv_epi8(low, high, x));
    }
    look_up(table, in + at, count - at, out + at);
}
#endif

#if defined(LITE_LOOPS) && defined(__AVX512BW__)
// Four registers hold the table: two instructions find 64 bytes in either half of it, their highest bits say
// in which half.
__attribute__((target("avx512vbmi"))) static void
look_up_vbmi(const uint8_t table[LITE_LUT8_SIZE], const uint8_t* in, int64_t count, uint8_t* out) {
    __m512i part[4];
    for (int i = 0; i < 4; i++) part[i] = _mm512_loadu_si512(table + 64 * i);
    int64_t at = 0;
    for (; at + 64 <= count; at += 64) {
        const __m512i x = _mm512_loadu_si512(in + at);
        const __m512i low = _mm512_permutex2var_epi8(part[0], x, part[1]);
        const __m512i high = _mm512_permutex2var_epi8(part[2], x, part[3]);
        _mm512_storeu_si512(out + at, _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), low, high));
    }
    look_up(table, in + at, count - at, out + at);
}
#define BEST_LOOK_UP (__builtin_cpu_supports("avx512vbmi") ? look_up_vbmi : look_up_avx2)
#elif defined(LITE_LOOPS) && defined(__AVX2__)
#define BEST_LOOK_UP look_up_avx2
#else
#define BEST_LOOK_UP look_up
#endif

LITE_EXPORT_LOOPS(LiteLookUp, lite_look_up, (void), ()) {
    return BEST_LOOK_UP;
}
