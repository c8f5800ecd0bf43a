// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/micro/avx2_parts.h"

#define MICRO_TABLE lite_micro_avx2
#define MICRO_NAME "avx2"
#define MICRO_MADD(acc, x, y) ((acc) + (VI)_mm256_madd_epi16((__m256i)(x), (__m256i)(y)))
#include "kernels-cpu/micro/micro_tmpl.h"
