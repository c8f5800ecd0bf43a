// SPDX-License-Identifier: Apache-2.0
// Products of floats.
#ifndef KERNELS_CPU_GEMM_GEMM_F32_H_
#define KERNELS_CPU_GEMM_GEMM_F32_H_

#include "kernels-cpu/gemm/gemm.h"

// One per column; NULL: zeros.
void lite_gemm_bias_f32(LiteGemm* gemm, const float* bias);

// output[row][column] = clamp(product + bias).
TfLiteStatus lite_gemm_run_f32(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const float* input, float low, float high, float* output,
                               const LiteGrid* grid);

// The rows [first, end) of one panel of that, on the calling thread, to output[end - first][micro->panel].
// `scratch` has gemm->scratch bytes.
typedef struct LiteGemmF32 {
    const float* input;
    float low;
    float high;
} LiteGemmF32;
void lite_gemm_panel_f32(const LiteGemm* gemm, const LiteGemmF32* job, int64_t panel, int64_t first,
                         int64_t end, void* scratch, float* output);

#endif
