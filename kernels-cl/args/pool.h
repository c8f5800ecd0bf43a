// SPDX-License-Identifier: Apache-2.0
// The arguments of pool.cl and pool_argmax.cl.
#ifndef KERNELS_CL_ARGS_POOL_H_
#define KERNELS_CL_ARGS_POOL_H_

// Maximum or mean of the window's elements inside the image, NHWC.
typedef struct LiteClPoolArgs {
    int pixels; // of the output, all images
    int out_h, out_w;
    int in_h, in_w;
    int channels;
    int filter_h, filter_w;
    int stride_h, stride_w;
    int pad_top, pad_left;
    float low, high;
    int int_low, int_high;
} LiteClPoolArgs;

#endif
