// SPDX-License-Identifier: Apache-2.0
// The arguments of depthwise_conv.cl.
#ifndef KERNELS_CL_ARGS_DEPTHWISE_CONV_H_
#define KERNELS_CL_ARGS_DEPTHWISE_CONV_H_

#include "kernels-cl/args/conv.h"

// y[n, oy, ox, c] = clamp(bias[c] + sum over ky, kx of x[..., c] * w[ky, kx, c]), NHWC.
typedef struct LiteClDepthwiseArgs {
    int images;
    int channels;
    int out_h, out_w;
    int in_h, in_w;
    int pad_top, pad_left;
    float low, high;
    LiteClAfter after;
    int zero; // as in LiteClConvArgs
    int int_low, int_high;
} LiteClDepthwiseArgs;

#endif
