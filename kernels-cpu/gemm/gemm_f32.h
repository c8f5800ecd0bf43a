// SPDX-License-Identifier: Apache-2.0
// Products of floats.
#ifndef KERNELS_CPU_GEMM_GEMM_F32_H_
#define KERNELS_CPU_GEMM_GEMM_F32_H_

#include "kernels-cpu/gemm/gemm_panels.h"

// One per column; NULL: zeros.
void lite_gemm_bias_f32(LiteGemm* gemm, const float* bias);

// output[row][column] = clamp(product + bias).
TfLiteStatus lite_gemm_run_f32(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const float* input, float low, float high, float* output,
                               const LiteGrid* grid);

// Two matrices that are multiplied. The right one is packed or, where the product has panels of its own, lies
// as it is.
typedef struct LiteGemmPair {
    const float* left;
    void* packed; // NULL: `right`
    LiteGemmColumns right;
    float* output;
} LiteGemmPair;

// The products of pairs number [first, end).
typedef struct LiteGemmPairs {
    int64_t first;
    int64_t end;
    void (*find)(const void* argument, int64_t pair, LiteGemmPair* to); // from any thread
    const void* argument;
} LiteGemmPairs;
TfLiteStatus lite_gemm_run_pairs_f32(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                                     const LiteGemmPairs* pairs);

// Rows [first, end) of a pair's product, on the calling thread, to output[end - first][columns]. `scratch`
// has gemm->scratch bytes.
void lite_gemm_rows_f32(const LiteGemm* gemm, const LiteGemmPair* pair, int64_t first, int64_t end,
                        void* scratch);

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
