// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels: shapes, strides and parameters in one struct per family, the first argument of
// each kernel. Compiled by C and by OpenCL C, so only int and float (32 bits in both) and arrays of them.
// Counts and offsets are in elements and stay below 2^31 (the delegate refuses larger tensors).
#ifndef KERNELS_CL_ARGS_H_
#define KERNELS_CL_ARGS_H_

#define LITE_CL_RANK 8

// y = RESULT(x) over `count` elements; an item does `chunk` of them.
typedef struct LiteClElementwiseArgs {
    int count;
    int chunk;
    float alpha;
} LiteClElementwiseArgs;

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
    int chunk; // elements of a row that one item does
    float low;
    float high;
} LiteClBinaryArgs;

// y[n, oy, ox, g * group_out + k] = clamp(bias + sum over ky, kx, c of x[...] * w[...]), NHWC.
// Weights are [groups][panels][kernel_h * kernel_w * group_in][PANEL], the bias is [groups][panels][PANEL],
// both filled up with zeros. A matrix product is a convolution with a 1x1 kernel.
typedef struct LiteClConvArgs {
    int pixels; // of the output, all images
    int images;
    int out_h;
    int out_w;
    int out_c;
    int in_h;
    int in_w;
    int in_c;
    int group_in; // channels per group
    int group_out;
    int kernel_h;
    int kernel_w;
    int stride_h;
    int stride_w;
    int dilation_h;
    int dilation_w;
    int pad_top;
    int pad_left;
    float low;
    float high;
} LiteClConvArgs;

// y[n, oy, ox, c] = clamp(bias[c] + sum over ky, kx of x[..., c / multiplier] * w[ky, kx, c]), NHWC.
typedef struct LiteClDepthwiseArgs {
    int rows; // of the output, all images
    int out_h;
    int out_w;
    int in_h;
    int in_w;
    int in_c;
    int out_c;
    int multiplier;
    int kernel_h;
    int kernel_w;
    int stride_h;
    int stride_w;
    int dilation_h;
    int dilation_w;
    int pad_top;
    int pad_left;
    float low;
    float high;
} LiteClDepthwiseArgs;

// Maximum or mean of the window's elements inside the image, NHWC.
typedef struct LiteClPoolArgs {
    int pixels; // of the output, all images
    int out_h;
    int out_w;
    int in_h;
    int in_w;
    int channels;
    int filter_h;
    int filter_w;
    int stride_h;
    int stride_w;
    int pad_top;
    int pad_left;
    float low;
    float high;
} LiteClPoolArgs;

// y = exp(beta * (x - max)) / sum, over each of `rows` rows of `width`.
typedef struct LiteClSoftmaxArgs {
    int rows;
    int width;
    float beta;
} LiteClSoftmaxArgs;

// Rows of `out_width`: `before` pad values, `in_width` elements of x, pad values. `dims` are the output's
// outer dimensions; an output row outside [begin, begin + in_dims) in any of them is all pad values.
typedef struct LiteClPadArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int begin[LITE_CL_RANK];
    int in_dims[LITE_CL_RANK];
    int rows;
    int out_width;
    int in_width;
    int before;
    float value;
} LiteClPadArgs;

// y[r * out_width + offset + i] = x[r * width + i].
typedef struct LiteClConcatenationArgs {
    int rows;
    int width;
    int out_width;
    int offset;
    int chunk; // elements of a row that one item does
} LiteClConcatenationArgs;

// Bilinear interpolation, NHWC. Source coordinate: (y + shift) * scale - shift.
typedef struct LiteClResizeArgs {
    int rows; // of the output, all images
    int out_h;
    int out_w;
    int in_h;
    int in_w;
    int channels;
    int chunk; // pixels of a row that one item does
    float scale_h;
    float scale_w;
    float shift; // 0.5 for half-pixel centres, else 0
} LiteClResizeArgs;

// y = sum over the reduced dimensions * factor. kept dimensions number the outputs, outermost first; the
// outputs that are `inner` apart share all but the innermost kept dimension, which has stride 1 where VW > 1.
typedef struct LiteClReduceArgs {
    int outer_rank;
    int outer_dims[LITE_CL_RANK];
    int outer_strides[LITE_CL_RANK];
    int rows; // product of outer_dims
    int inner;
    int reduced_rank;
    int reduced_dims[LITE_CL_RANK];
    int reduced_strides[LITE_CL_RANK];
    int reduced; // product of reduced_dims
    float divisor;
} LiteClReduceArgs;

#endif
