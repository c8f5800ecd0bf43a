// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/lookup_loops.h"
#include "kernels-cpu/loops/loops.h"

static void look_up(const uint8_t table[LITE_LUT8_SIZE], const uint8_t* in, int64_t count, uint8_t* out) {
    for (int64_t i = 0; i < count; i++) out[i] = table[in[i]];
}

#if defined(LITE_LOOPS) && defined(__AVX512BW__)
#include <immintrin.h>

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
#define BEST_LOOK_UP (__builtin_cpu_supports("avx512vbmi") ? look_up_vbmi : look_up)
#else
#define BEST_LOOK_UP look_up
#endif

LITE_EXPORT_LOOPS(LiteLookUp, lite_look_up, (void), ()) {
    return BEST_LOOK_UP;
}
