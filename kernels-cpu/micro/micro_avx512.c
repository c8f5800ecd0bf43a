// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/micro/avx512_parts.h"

#define MICRO_TABLE lite_micro_avx512
#define MICRO_NAME "avx512"
#define MICRO_LANES 16
#define MICRO_ROWS 8
#define MICRO_ROWS_F32 12
#define MICRO_MADD(acc, x, y) ((acc) + (VI)_mm512_madd_epi16((__m512i)(x), (__m512i)(y)))
#include "kernels-cpu/micro/micro_tmpl.h"
