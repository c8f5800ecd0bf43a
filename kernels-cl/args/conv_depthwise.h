// SPDX-License-Identifier: Apache-2.0
// The arguments of conv_depthwise.cl.
#ifndef KERNELS_CL_ARGS_CONV_DEPTHWISE_H_
#define KERNELS_CL_ARGS_CONV_DEPTHWISE_H_

#include "kernels-cl/args/conv.h"
#include "kernels-cl/args/depthwise_conv.h"

// A convolution and the depthwise convolution of its output. An item does `band` rows of the last output. Of
// the first one's it computes `step` rows at a time, whose pixels fill its tiles, and keeps `rows` in a ring,
// each with `columns` pixels, padding included.
typedef struct LiteClConvDepthwiseArgs {
    LiteClConvArgs conv;
    LiteClDepthwiseArgs depthwise;
    int columns, rows;
    int step;
    int band;
} LiteClConvDepthwiseArgs;

#endif
