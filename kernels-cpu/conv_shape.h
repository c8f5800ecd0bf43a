// SPDX-License-Identifier: Apache-2.0
// How a two-dimensional filter moves over its input: what CONV_2D and DEPTHWISE_CONV_2D check and compute
// alike.
#ifndef KERNELS_CPU_CONV_SHAPE_H_
#define KERNELS_CPU_CONV_SHAPE_H_

#include "kernels-cpu/gemm.h"

typedef struct LiteConvSteps {
    TfLitePadding padding;
    int32_t stride_h;
    int32_t stride_w;
    int32_t dilation_h;
    int32_t dilation_w;
} LiteConvSteps;

// Checks ranks, strides, dilations and windows of an input [batch, height, width, channels] and a filter
// [out, height, width, channels], and fills in all of *shape but out_c and groups.
TfLiteStatus lite_conv_shape(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                             const LiteView* filter, const LiteConvSteps* steps, LiteConvShape* shape);

#endif
