// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays (kernels-cl/move.cl), of which most operators are made that only move
// elements: transposing permutes strides, slicing offsets and scales them, reversing negates them,
// broadcasting makes a source stride 0, concatenating and splitting address a block of a larger array.
#ifndef DELEGATE_OPENCL_OPS_MOVE_H_
#define DELEGATE_OPENCL_OPS_MOVE_H_

#include "delegate-opencl/ops/ops.h"

typedef struct LiteClMove {
    int rank;
    int64_t dims[LITE_CL_MOVE_RANK];
    int64_t from[LITE_CL_MOVE_RANK]; // strides in elements; the source's may be 0 or negative
    int64_t to[LITE_CL_MOVE_RANK];   // no element is written twice
} LiteClMove;

// Appends a dimension. The order of dimensions does not matter.
void lite_cl_move_add(LiteClMove* move, int64_t length, int64_t from, int64_t to);

// Row-major strides of a shape, in elements.
void lite_cl_strides(const LiteShape* shape, int64_t strides[LITE_MAX_RANK]);

// The launch, between storages. The offsets are those of the elements with all coordinates 0.
TfLiteStatus lite_cl_move_storage(LiteClPlan* plan, const LiteClMove* move, TfLiteType type, int from,
                                  int64_t from_offset, int to, int64_t to_offset);
// The same between tensors of one type.
TfLiteStatus lite_cl_move_tensor(LiteClPlan* plan, const LiteClMove* move, LiteClTensor* input,
                                 int64_t from_offset, LiteClTensor* output, int64_t to_offset);

// Sets `count` elements of a storage to the first one of another.
TfLiteStatus lite_cl_fill(LiteClPlan* plan, TfLiteType type, int value, int storage, int64_t count);

// A constant of one element: `value` of an integer type, or 0 of any type.
int lite_cl_scalar(LiteClPlan* plan, const LiteClNode* node, TfLiteType type, int64_t value);

// An element of an arena of its own for intermediate results.
int lite_cl_scratch(LiteClPlan* plan, const LiteShape* shape, TfLiteType type);

// All of the input as it lies in memory: the output becomes a view of it, or a copy where it has a place of
// its own.
TfLiteStatus lite_cl_move_whole(LiteClPlan* plan, LiteClTensor* input, LiteClTensor* output);

#endif
