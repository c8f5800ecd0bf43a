// SPDX-License-Identifier: Apache-2.0
// The arguments of conv_direct.cl.
#ifndef KERNELS_CL_ARGS_CONV_DIRECT_H_
#define KERNELS_CL_ARGS_CONV_DIRECT_H_

#include "kernels-cl/args/hybrid.h"

typedef struct LiteClConvAxis {
    int in;
    int out;
    int filter;
    int stride;
    int dilation;
    int pad; // before the first element
} LiteClConvAxis;

// A convolution over [image][axes][channels]; offsets are those of the first elements. `zero` and `int`
// fields are those of quantized tensors.
typedef struct LiteClDirectConvArgs {
    int pixels; // of the output, all images
    LiteClConvAxis axes[3];
    int in_c, out_c;
    int group_in, group_out; // channels
    int x_offset, w_offset, y_offset;
    int row_offset; // of the first image's LiteClRowScale
    float low, high;
    int zero_x, zero_w, zero_y;
    int int_low, int_high;
} LiteClDirectConvArgs;

#endif
