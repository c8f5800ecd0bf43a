// SPDX-License-Identifier: Apache-2.0
// The arguments of pad.cl.
#ifndef KERNELS_CL_ARGS_PAD_H_
#define KERNELS_CL_ARGS_PAD_H_

#include "kernels-cl/args/common.h"

// Rows of `out_width`: `before` times the pad value, `in_width` elements of x, pad values. `dims` are the
// output's outer dimensions; an output row outside [begin, begin + in_dims) in any of them is all pad values.
typedef struct LiteClPadArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int begin[LITE_CL_RANK];
    int in_dims[LITE_CL_RANK];
    int rows;
    int out_width;
    int in_width;
    int before;
} LiteClPadArgs;

// The input with its own reflection around it. `mirror` is 1 where that leaves the border out, else 0.
typedef struct LiteClMirrorPadArgs {
    int rank;
    int dims[LITE_CL_RANK]; // of the output
    int begin[LITE_CL_RANK];
    int in_dims[LITE_CL_RANK];
    int count;
    int chunk;
    int mirror;
} LiteClMirrorPadArgs;

#endif
