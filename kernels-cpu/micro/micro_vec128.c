// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes: SSE2, NEON and whatever the compiler has.
#define MICRO_TABLE lite_micro_vec128
#define MICRO_NAME "vec128"
#define MICRO_LANES 4
#define MICRO_ROWS 4
#define MICRO_ROWS_F32 4
#ifdef __SSE2__
#include <emmintrin.h>
#define MICRO_LARGER(x, y) ((VF)_mm_max_ps((__m128)(x), (__m128)(y)))
#define MICRO_SMALLER(x, y) ((VF)_mm_min_ps((__m128)(x), (__m128)(y)))
#define MICRO_WIDEN_BF16(from)                                                                               \
    ((VF)_mm_unpacklo_epi16(_mm_setzero_si128(), _mm_loadl_epi64((const __m128i*)(const void*)(from))))
#define MICRO_MADD(acc, x, y) ((acc) + (VI)_mm_madd_epi16((__m128i)(x), (__m128i)(y)))
// Interleaving a vector with itself puts each byte at the top of a lane, from where it is shifted down.
#define MICRO_TOP(v) _mm_unpacklo_epi8(_mm_cvtsi32_si128((int32_t)(v)), _mm_cvtsi32_si128((int32_t)(v)))
#define MICRO_EXTEND_I8(v) ((VI)_mm_srai_epi32(_mm_unpacklo_epi16(MICRO_TOP(v), MICRO_TOP(v)), 24))
#define MICRO_EXTEND_U8(v) ((VI)_mm_srli_epi32(_mm_unpacklo_epi16(MICRO_TOP(v), MICRO_TOP(v)), 24))
#endif
#include "kernels-cpu/micro/micro_tmpl.h"
