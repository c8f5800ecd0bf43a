// SPDX-License-Identifier: Apache-2.0
// The arguments of conv_depthwise.cl.
#ifndef KERNELS_CL_ARGS_CONV_DEPTHWISE_H_
#define KERNELS_CL_ARGS_CONV_DEPTHWISE_H_

#include "kernels-cl/args/conv.h"
#include "kernels-cl/args/depthwise_conv.h"

// A 1x1 convolution and the depthwise convolution of its output, of which a row has `columns` pixels with its
// padding; an item does `band` rows of the last output.
typedef struct LiteClConvDepthwiseArgs {
    LiteClConvArgs conv;
    LiteClDepthwiseArgs depthwise;
    int columns;
    int band;
} LiteClConvDepthwiseArgs;

#endif
