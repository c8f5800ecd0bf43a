// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays (kernels-cl/move.cl), of which most operators are made that only move
// elements.
#ifndef DELEGATE_OPENCL_OPS_COMMON_MOVE_H_
#define DELEGATE_OPENCL_OPS_COMMON_MOVE_H_

#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

// The launch, between storages. The offsets are those of the elements with all coordinates 0.
TfLiteStatus lite_cl_move_storage(LiteClPlan* plan, const LiteMove* move, TfLiteType type, int from,
                                  int64_t from_offset, int to, int64_t to_offset);
// The same between tensors of one type.
TfLiteStatus lite_cl_move_tensor(LiteClPlan* plan, const LiteMove* move, LiteClTensor* input,
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
