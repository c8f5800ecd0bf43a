// SPDX-License-Identifier: Apache-2.0
// The arguments of conv.cl and blockwise.cl.
#ifndef KERNELS_CL_ARGS_CONV_H_
#define KERNELS_CL_ARGS_CONV_H_

// What nodes behind a convolution of floats make of its output: HARD_SWISH, or that many times as much; or
// what the program's STEPS say, of these options.
typedef struct LiteClAfter {
    int hard_swish;
    float factor; // without HARD_SWISH; 1: nothing is done
    float options[8];
} LiteClAfter;
#define LITE_CL_AFTER_OPTIONS 8

// y[n, oy, ox, g * group_out + k] = clamp(bias + sum over ky, kx, c of x[...] * w[...]), NHWC.
// Weights are [groups][panels][kernel_h * kernel_w * group_in][PANEL], the bias is [groups][panels][PANEL],
// both filled up with zeros. A matrix product is a convolution with a 1x1 kernel. `zero` and `int` fields are
// those of quantized tensors; the zero points of x and w are in the bias and the weights.
typedef struct LiteClConvArgs {
    int pixels; // of the output, all images
    int tiles;  // of rows, that one item of conv.cl does
    int images;
    int out_h, out_w, out_c;
    int in_h, in_w, in_c;
    int group_in, group_out; // channels per group
    int kernel_h, kernel_w;
    int stride_h, stride_w;
    int dilation_h, dilation_w;
    int pad_top, pad_left;
    float low, high;
    LiteClAfter after;
    int adds;                // 1: of floats, the output is added to another tensor of its shape
    float sum_low, sum_high; // of the sum
    int zero;                // of the output
    int int_low, int_high;
} LiteClConvArgs;

#endif
