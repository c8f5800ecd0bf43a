// SPDX-License-Identifier: Apache-2.0
// The arguments of binary.cl.
#ifndef KERNELS_CL_ARGS_BINARY_H_
#define KERNELS_CL_ARGS_BINARY_H_

#include "kernels-cl/args/common.h"

// A binary operator on quantized integers.
typedef struct LiteClQuantized {
    int zero_a;
    int zero_b;
    int zero;           // of the output
    int left_shift;     // of the inputs, before they are multiplied
    LiteClMultiplier a; // of the inputs
    LiteClMultiplier b; //
    LiteClMultiplier result;
} LiteClQuantized;

// ADD and SUB of 8 bits, see core/semantics/sum_quantized.h. bits 0: there is no such form.
typedef struct LiteClSumForm {
    int scale_a;
    int scale_b;
    int start;
    int bits;
    int margin;
} LiteClSumForm;

// y = clamp(RESULT(a, b)). The output is `rows` rows of `width`; dims are the rows' dimensions, outermost
// first. Strides of 0 broadcast; a_step and b_step, along the row, are 0 or 1.
typedef struct LiteClBinaryArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int a_strides[LITE_CL_RANK];
    int b_strides[LITE_CL_RANK];
    int a_step;
    int b_step;
    int rows;
    int width;
    int chunk;     // elements of a row that one item does
    int item_rows; // rows that one item does a chunk of
    float low;     // of the result, in floating point
    float high;
    int int_low; // the same of integers, 64-bit ones excepted
    int int_high;
    int node; // what the status becomes where a divisor is 0
    LiteClQuantized q;
    LiteClSumForm sum;
} LiteClBinaryArgs;

#endif
