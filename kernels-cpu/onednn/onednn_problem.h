// SPDX-License-Identifier: Apache-2.0
// What oneDNN is to compute, and one run of it.
#ifndef KERNELS_CPU_ONEDNN_ONEDNN_PROBLEM_H_
#define KERNELS_CPU_ONEDNN_ONEDNN_PROBLEM_H_

#include "kernels-cpu/gemm/gemm_int.h"

// What a node computes: input, weights and output of FLOAT32, or of INT8 with symmetric weights.
typedef struct LiteOnednnProblem {
    const LiteConvShape* shape; // of two dimensions
    bool transposed;            // TRANSPOSE_CONV: strides are between outputs, pad_* is cut off from them
    const LiteView* input;
    const LiteView* weights;
    const LiteView* bias; // NULL: none
    const LiteView* output;
    // Strides of the weights, in elements: output channels, input channels of a group, rows and columns.
    int64_t out_stride;
    int64_t in_stride;
    int64_t row_stride;
    int64_t column_stride;
    float low; // range of FLOAT32 outputs; infinite: infinities stay
    float high;
} LiteOnednnProblem;

// Weights [output channels, rows, columns, input channels].
static inline void lite_onednn_set_strides(LiteOnednnProblem* problem) {
    problem->in_stride = 1;
    problem->column_stride = problem->shape->in_c / problem->shape->groups;
    problem->row_stride = problem->shape->filter_w * problem->column_stride;
    problem->out_stride = problem->shape->filter_h * problem->row_stride;
}

// Where a run reads and writes. oneDNN sums INT8 in 32 bits, and each part's sums are then scaled as our own
// kernels do it: to `output`, or where there is no scale by `sink`.
typedef struct LiteOnednnData {
    const void* input;
    const void* bias; // FLOAT32, or INT32 that is part of the sums; NULL: none, for FLOAT32 as in the problem
    const LiteRequantization* scale;
    LiteTileSink sink;
    const void* argument;
    void* output;
    const LiteEpilogue* epilogue; // FLOAT32; NULL: none
} LiteOnednnData;

#endif
