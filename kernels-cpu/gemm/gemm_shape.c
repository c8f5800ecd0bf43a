// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_shape.h"

#include <stddef.h>

LiteConvShape lite_conv_shape_of_product(int32_t rows, int32_t depth, int32_t columns) {
    const LiteConvShape shape = {
        .batches = rows,
        .in_d = 1,
        .in_h = 1,
        .in_w = 1,
        .in_c = depth,
        .filter_d = 1,
        .filter_h = 1,
        .filter_w = 1,
        .out_d = 1,
        .out_h = 1,
        .out_w = 1,
        .out_c = columns,
        .stride_h = 1,
        .stride_w = 1,
        .dilation_h = 1,
        .dilation_w = 1,
        .groups = 1,
    };
    return shape;
}

int64_t lite_gemm_rows(const LiteConvShape* shape) {
    return (int64_t)shape->batches * shape->out_d * shape->out_h * shape->out_w;
}

LitePixel lite_gemm_pixel(const LiteConvShape* shape, int64_t row) {
    const int64_t line = row / shape->out_w, plane = line / shape->out_h;
    LitePixel pixel;
    pixel.batch = (int32_t)(plane / shape->out_d);
    pixel.out_z = (int32_t)(plane % shape->out_d);
    pixel.out_y = (int32_t)(line % shape->out_h);
    pixel.out_x = (int32_t)(row % shape->out_w);
    pixel.image = pixel.batch * lite_gemm_image(shape);
    pixel.z = (int64_t)pixel.out_z * shape->stride_d - shape->pad_d;
    pixel.y = (int64_t)pixel.out_y * shape->stride_h - shape->pad_h;
    pixel.x = (int64_t)pixel.out_x * shape->stride_w - shape->pad_w;
    return pixel;
}

int64_t lite_gemm_offset(const LiteConvShape* shape, const LiteGrid* grid, int64_t row) {
    if (grid == NULL) return row * shape->out_c;
    const int64_t line = row / shape->out_w, plane = line / shape->out_h;
    return grid->first + plane / shape->out_d * grid->batch + plane % shape->out_d * grid->plane +
           line % shape->out_h * grid->line + row % shape->out_w * grid->pixel;
}
