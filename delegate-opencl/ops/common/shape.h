// SPDX-License-Identifier: Apache-2.0
// Shapes and axes.
#ifndef DELEGATE_OPENCL_OPS_COMMON_SHAPE_H_
#define DELEGATE_OPENCL_OPS_COMMON_SHAPE_H_

#include "delegate-opencl/graph/support.h"

// Elements of a shape before an axis, along it and after it.
typedef struct LiteClAxis {
    int outer;
    int length;
    int inner;
} LiteClAxis;
LiteClAxis lite_cl_axis(const LiteShape* shape, int axis);

// The product of dimensions [begin, end).
int64_t lite_cl_dims_product(const LiteShape* shape, int begin, int end);

// A constant input of one integer: an axis of `rank` dimensions, which may count from the end.
bool lite_cl_constant_axis(const LiteClNode* node, int index, int rank, int* axis, LiteClReason* reason);

// Appends a dimension to the shape of an output; false with a reason when the length is none, or there are
// too many dimensions.
bool lite_cl_append_dim(LiteShape* shape, int64_t length, LiteClReason* reason);
// Appends dimensions [begin, end) of another shape.
bool lite_cl_append_dims(LiteShape* shape, const LiteShape* from, int begin, int end, LiteClReason* reason);

// A list of different dimensions of `rank`, as bits; false with a reason when it is none.
bool lite_cl_dimension_bits(const int64_t* dims, int count, int rank, unsigned* bits, LiteClReason* reason);

#endif
