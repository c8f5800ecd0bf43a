// SPDX-License-Identifier: Apache-2.0
// AVX2 and its VNNI: processors that multiply bytes but have no AVX-512.
#include "kernels-cpu/micro/avx2_parts.h"

#define MICRO_TABLE lite_micro_avxvnni
#define MICRO_NAME "avxvnni"
#define MICRO_MADD(acc, x, y) ((VI)_mm256_dpwssd_avx_epi32((__m256i)(acc), (__m256i)(x), (__m256i)(y)))
#define MICRO_DOT4(acc, x, y) ((VI)_mm256_dpbusd_avx_epi32((__m256i)(acc), (__m256i)(x), (__m256i)(y)))
#include "kernels-cpu/micro/micro_tmpl.h"
