// SPDX-License-Identifier: Apache-2.0
// Shapes of two-dimensional convolutions, as CONV_2D and DEPTHWISE_CONV_2D check and compute them.
#ifndef KERNELS_CPU_CONV_CONV_SHAPE_H_
#define KERNELS_CPU_CONV_CONV_SHAPE_H_

#include "kernels-cpu/gemm/gemm_shape.h"
#include "kernels-cpu/support/kernel.h"

// How the filter moves.
typedef struct LiteConvStrides {
    TfLitePadding padding;
    int32_t stride_h;
    int32_t stride_w;
    int32_t dilation_h;
    int32_t dilation_w;
} LiteConvStrides;

// Checks ranks, strides and dilations of an input [batch, height, width, channels] and a filter
// [out, height, width, channels], and fills in all of *shape but out_c and groups.
TfLiteStatus lite_conv_shape(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                             const LiteView* filter, const LiteConvStrides* strides, LiteConvShape* shape);

#endif
