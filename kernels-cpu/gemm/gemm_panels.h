// SPDX-License-Identifier: Apache-2.0
// Panels of floats are packed.
#ifndef KERNELS_CPU_GEMM_GEMM_PANELS_H_
#define KERNELS_CPU_GEMM_GEMM_PANELS_H_

#include "kernels-cpu/gemm/gemm.h"

// A matrix of which element k of column n is first[n * column_step + k * depth_step].
typedef struct LiteGemmColumns {
    const float* first;
    size_t column_step;
    size_t depth_step;
} LiteGemmColumns;

// Panels [first, end) of one group, whose columns these are, to[end - first][panel_size].
void lite_gemm_pack_panels(const LiteGemm* gemm, const LiteGemmColumns* columns, int64_t first, int64_t end,
                           float* to);

#endif
