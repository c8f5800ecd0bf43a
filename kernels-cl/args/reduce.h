// SPDX-License-Identifier: Apache-2.0
// The arguments of reduce.cl.
#ifndef KERNELS_CL_ARGS_REDUCE_H_
#define KERNELS_CL_ARGS_REDUCE_H_

#include "kernels-cl/args/common.h"

// y = all elements along the reduced dimensions joined. kept dimensions number the outputs, outermost first;
// the outputs that are `inner` apart share all but the innermost kept dimension, which has stride 1 where VW
// > 1.
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
    LiteClMultiplier multiplier; // quantized: to the scale of the output
    int bias;                    // zero points of all elements, modulo 2^32
    int zero;
    int low;
    int high;
    float ratio;
    float offset;
} LiteClReduceArgs;

#endif
