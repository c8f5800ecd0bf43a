// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/micro/avx512_parts.h"
#include "kernels-cpu/micro/micro_avx512amx_tiles.h"

#define MICRO_TABLE lite_micro_avx512vnni
#define MICRO_NAME "avx512vnni"
#define MICRO_LANES 16
#define MICRO_ROWS 8
#define MICRO_ROWS_F32 12
#define MICRO_MADD(acc, x, y) ((VI)_mm512_dpwssd_epi32((__m512i)(acc), (__m512i)(x), (__m512i)(y)))
#define MICRO_DOT4(acc, x, y) ((VI)_mm512_dpbusd_epi32((__m512i)(acc), (__m512i)(x), (__m512i)(y)))

static inline __attribute__((always_inline)) __m128i load_line(const uint8_t* from, int count) {
    if (count < 16) return _mm_maskz_loadu_epi8(MICRO_MASK(count), from);
    return _mm_loadu_si128((const __m128i*)(const void*)from);
}

// The lines side by side in the quarters of a vector; then fours of bytes, then bytes change places.
static inline __attribute__((always_inline)) __m512i interleave(const int lines, const uint8_t* const* in,
                                                                int count) {
    const __m512i fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m128i bytes = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i v = _mm512_zextsi128_si512(load_line(in[0], count));
    if (lines > 1) v = _mm512_inserti32x4(v, load_line(in[1], count), 1);
    if (lines > 2) v = _mm512_inserti32x4(v, load_line(in[2], count), 2);
    if (lines > 3) v = _mm512_inserti32x4(v, load_line(in[3], count), 3);
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(fours, v), _mm512_broadcast_i32x4(bytes));
}
#define MICRO_INTERLEAVE(lines, in, count) ((VI)interleave(lines, in, count))
#include "kernels-cpu/micro/micro_tmpl.h"

#ifdef LITE_MICRO_AMX
const LiteMicro lite_micro_avx512amx = {
    .name = "avx512amx",
    MICRO_ENTRIES,
    MICRO_BYTE_ENTRIES,
    .gemm_u8 = lite_micro_gemm_amx,
#if LITE_HAS_X3
    .gemm_x3 = lite_micro_gemm_x3,
    .x3_rows = lite_micro_x3_rows,
    .x3_weights = lite_micro_x3_weights,
#endif
    .takes_signed = true,
    .takes_lines = true,
    .release = lite_micro_release_amx,
};
#endif
