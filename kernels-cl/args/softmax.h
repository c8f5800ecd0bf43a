// SPDX-License-Identifier: Apache-2.0
// The arguments of softmax.cl.
#ifndef KERNELS_CL_ARGS_SOFTMAX_H_
#define KERNELS_CL_ARGS_SOFTMAX_H_

#include "kernels-cl/args/common.h"

// y = exp(beta * (x - max)) / sum, over each of `rows` rows of `width`.
typedef struct LiteClSoftmaxArgs {
    int rows;
    int width;
    int item_rows; // of floats: that one item does
    float beta;
    LiteClMultiplier multiplier; // INT16: to the exponential's argument; LOG_SOFTMAX: back from it
    int diff_min;                // LOG_SOFTMAX
} LiteClSoftmaxArgs;

#endif
