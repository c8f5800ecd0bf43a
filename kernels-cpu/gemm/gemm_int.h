// SPDX-License-Identifier: Apache-2.0
// Products of integers.
#ifndef KERNELS_CPU_GEMM_GEMM_INT_H_
#define KERNELS_CPU_GEMM_GEMM_INT_H_

#include "kernels-cpu/gemm/gemm_rows.h"

// As lite_gemm_pack_f32 (gemm_pack_f32.h), from INT8, UINT8, INT16, or packed INT4 or INT2; zero_point is
// subtracted, by the product where gemm->zero_point is not 0. column_step is taps * depth and depth_step 1
// for the packed types.
void lite_gemm_pack_int(LiteGemm* gemm, TfLiteType type, const void* weights, size_t column_step,
                        size_t depth_step, int32_t zero_point);
// What gemm->zero_point has to be for that.
int32_t lite_gemm_packed_zero_point(const LiteGemm* gemm, TfLiteType type, int32_t zero_point);

// Part of an integer product, given to a sink that scales and stores it: a panel of some rows. `wide` instead
// of `sums` for int16 inputs, whose sums do not fit 32 bits. Both are [rows][step].
typedef struct LiteTile {
    int64_t row;
    int rows;
    int32_t batch_rows; // rows (pixels) of one batch: row / batch_rows is the batch
    int32_t column;
    int columns;
    const int32_t* sums;
    const int64_t* wide;
    int step;
} LiteTile;
typedef void (*LiteTileSink)(const void* argument, const LiteTile* tile);

TfLiteStatus lite_gemm_run_int(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const LiteGemmInput* input, LiteTileSink sink, const void* argument);

// Rows of 8 bits, one after the other, that sums of 32 bits are scaled to: the fastest way there.
typedef struct LiteGemmOutput {
    LiteRequantization scale;
    uint8_t* data;
} LiteGemmOutput;

// INT8 and UINT8 inputs with one zero point.
TfLiteStatus lite_gemm_run_8(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                             const LiteGemmInput* input, const LiteGemmOutput* output);

#endif
