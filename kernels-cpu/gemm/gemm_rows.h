// SPDX-License-Identifier: Apache-2.0
// Rows that are multiplied: where they come from, and the form in which a part of them is multiplied.
#ifndef KERNELS_CPU_GEMM_GEMM_ROWS_H_
#define KERNELS_CPU_GEMM_GEMM_ROWS_H_

#include "kernels-cpu/gemm/gemm.h"

// The input of an integer product: INT8, UINT8 or INT16 (zero point 0).
typedef struct LiteGemmInput {
    TfLiteType type;
    const void* data;
    const int32_t* zero_points; // one, or one per batch; NULL: 0
    bool per_batch;
} LiteGemmInput;

// A range of row tiles times a range of panels (counted over all groups).
typedef struct LiteGemmItem {
    int64_t pair; // of several pairs of matrices
    int64_t first_row;
    int64_t end_row;
    int64_t first_panel;
    int64_t end_panel;
    int64_t part; // which of the `parts` items that use these panels one after the other
    int64_t parts;
    char* scratch;
} LiteGemmItem;

// Rows of an item for one group, in the form that is multiplied.
typedef struct LiteGemmRows {
    const void* data;
    size_t stride; // bytes
    // Bytes: lines of so many rows and runs of so many elements, and from one to the next (LiteIntRows).
    int line_rows;
    size_t line_step;
    size_t run;
    size_t run_step;
} LiteGemmRows;

// Do the rows follow each other in the input as they do in memory?
// With one tap and as many outputs as inputs along a dimension, the stride does not matter.
static inline bool lite_gemm_is_plain(const LiteGemm* gemm) {
    const LiteConvShape* s = &gemm->shape;
    return gemm->taps == 1 && s->groups == 1 && gemm->steps == (size_t)gemm->depth && s->pad_d == 0 &&
           s->pad_h == 0 && s->pad_w == 0 && s->out_d == s->in_d && s->out_h == s->in_h &&
           s->out_w == s->in_w;
}

// What makes signed bytes unsigned.
static inline uint8_t lite_byte_flip(TfLiteType type) {
    return type == kTfLiteInt8 ? 0x80 : 0;
}

// The same for the rows of a product; kernels may multiply signed bytes as they are. Sums of rows are of
// unsigned ones.
static inline uint8_t lite_gemm_flip(const LiteGemm* gemm, TfLiteType type) {
    return gemm->micro->takes_signed && gemm->zero_point == 0 ? 0 : lite_byte_flip(type);
}

#endif
