// SPDX-License-Identifier: Apache-2.0
// The sizes of a convolution, and where its output pixels read and are written.
#ifndef KERNELS_CPU_GEMM_GEMM_SHAPE_H_
#define KERNELS_CPU_GEMM_GEMM_SHAPE_H_

#include <stdint.h>

// Sizes of a convolution. Images of two dimensions have one plane: in_d, filter_d and out_d are 1.
typedef struct LiteConvShape {
    int32_t batches, in_d, in_h, in_w, in_c;
    int32_t filter_d, filter_h, filter_w;
    int32_t out_d, out_h, out_w, out_c;
    int32_t stride_d, stride_h, stride_w;
    int32_t dilation_d, dilation_h, dilation_w;
    int32_t pad_d, pad_h, pad_w; // before the first plane, row and column
    int32_t groups;
} LiteConvShape;

// The convolution that is a plain product of `rows` x `depth` and `depth` x `columns`: one pixel per batch.
LiteConvShape lite_conv_shape_of_product(int32_t rows, int32_t depth, int32_t columns);

// An output pixel, and where the part of the input that it is computed from begins (maybe in the padding).
typedef struct LitePixel {
    int32_t batch;
    int32_t out_z;
    int32_t out_y;
    int32_t out_x;
    int64_t image; // elements before the pixel's image
    int64_t z;
    int64_t y;
    int64_t x;
} LitePixel;

LitePixel lite_gemm_pixel(const LiteConvShape* shape, int64_t row);

// Elements of the input of one batch.
static inline int64_t lite_gemm_image(const LiteConvShape* shape) {
    return (int64_t)shape->in_d * shape->in_h * shape->in_w * shape->in_c;
}

// Moves on to the next row.
static inline void lite_gemm_next_pixel(const LiteConvShape* shape, LitePixel* pixel) {
    pixel->out_x++;
    pixel->x += shape->stride_w;
    if (pixel->out_x < shape->out_w) return;
    pixel->out_x = 0;
    pixel->x = -(int64_t)shape->pad_w;
    pixel->out_y++;
    pixel->y += shape->stride_h;
    if (pixel->out_y < shape->out_h) return;
    pixel->out_y = 0;
    pixel->y = -(int64_t)shape->pad_h;
    pixel->out_z++;
    pixel->z += shape->stride_d;
    if (pixel->out_z < shape->out_d) return;
    pixel->out_z = 0;
    pixel->z = -(int64_t)shape->pad_d;
    pixel->batch++;
    pixel->image += lite_gemm_image(shape);
}

// Output pixels of all batches.
int64_t lite_gemm_rows(const LiteConvShape* shape);

// Where the row of output pixel (batch, z, y, x) begins, in elements: first + batch * .batch + z * .plane +
// ...
typedef struct LiteGrid {
    int64_t first;
    int64_t batch;
    int64_t plane;
    int64_t line;
    int64_t pixel;
} LiteGrid;
// `grid` NULL: rows one after the other.
int64_t lite_gemm_offset(const LiteConvShape* shape, const LiteGrid* grid, int64_t row);

#endif
