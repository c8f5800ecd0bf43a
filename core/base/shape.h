// SPDX-License-Identifier: Apache-2.0
// Shapes as plain integers: element counts, strides, broadcasting, padding and window arithmetic; sizes and
// limits of types.
#ifndef CORE_BASE_SHAPE_H_
#define CORE_BASE_SHAPE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/builtin_op_data.h"

#define LITE_MAX_RANK 8

typedef struct LiteShape {
    int rank;
    int32_t dims[LITE_MAX_RANK];
} LiteShape;

// a * b in *product; false on overflow of size_t.
bool lite_size_mul(size_t a, size_t b, size_t* product);

// Number of elements; 1 for a scalar. false when a dimension is negative or the product exceeds INT32_MAX
// * 8; without elements, when the product of the other dimensions exceeds INT64_MAX.
static inline bool lite_shape_count(const int32_t* dims, int rank, int64_t* count) {
    const int64_t limit = (int64_t)INT32_MAX * 8;
    int64_t product = 1; // of the dimensions that are not 0: partial products fit too
    bool empty = false;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0) return false;
        if (dims[i] == 0) {
            empty = true;
        } else if (__builtin_mul_overflow(product, (int64_t)dims[i], &product)) {
            return false;
        }
    }
    *count = empty ? 0 : product;
    return empty || product <= limit;
}
// The product of dimensions that are not negative; INT64_MAX also stands for more.
int64_t lite_shape_elements(const LiteShape* shape);

bool lite_shape_equal(const LiteShape* a, const LiteShape* b);

// For messages: "[1, 2, 3]".
typedef struct LiteShapeText {
    char text[LITE_MAX_RANK * 13 + 3];
} LiteShapeText;
LiteShapeText lite_shape_text(const LiteShape* shape);

// Bytes of one element, 0 for types without a fixed size (string, resource, variant, none). 4-bit and 2-bit
// types are packed: lite_tensor_bytes rounds up, this returns 0 for them.
size_t lite_type_size(TfLiteType type);

// Bytes of `count` elements of `type`, packed types included; false when the type has no fixed size or on
// overflow.
bool lite_tensor_bytes(TfLiteType type, int64_t count, size_t* bytes);

// Limits of an integer type held in 8, 16 or 32 bits; false for other types.
bool lite_type_limits(TfLiteType type, int32_t* low, int32_t* high);

// NumPy broadcasting of two shapes; false when a pair of dimensions is neither equal nor 1.
bool lite_shape_broadcast(const LiteShape* a, const LiteShape* b, LiteShape* out);

// `axis` of a shape of `rank`, counted from the end when negative; -1 when outside [-rank, rank).
int lite_axis(int axis, int rank);

// Output length and leading padding of a sliding window (convolution, pooling) along one dimension.
// Formulas: SAME out = ceil(in / stride), total = max(0, (out - 1) * stride + effective - in), before = total
// / 2; VALID out = ceil((in - effective + 1) / stride), before = 0; effective = (filter - 1) * dilation + 1.
typedef struct LiteAxisPadding {
    int32_t out;    // output length, at least 0
    int32_t before; // padding before the first element
    int32_t offset; // total padding minus twice `before` (SAME pads one more at the end)
} LiteAxisPadding;
LiteAxisPadding lite_axis_padding(TfLitePadding padding, int32_t in, int32_t filter, int32_t stride,
                                  int32_t dilation);

#endif
