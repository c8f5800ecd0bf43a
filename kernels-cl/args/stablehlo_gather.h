// SPDX-License-Identifier: Apache-2.0
// The arguments of stablehlo_gather.cl.
#ifndef KERNELS_CL_ARGS_STABLEHLO_GATHER_H_
#define KERNELS_CL_ARGS_STABLEHLO_GATHER_H_

#include "kernels-cl/args/common.h"

// Windows of the input, each from where a vector of indices says, moved inside. Per dimension of the output
// its strides in the indices and in the input; per number of a vector the last start and the input's stride.
typedef struct LiteClWindowsArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int in_indices[LITE_CL_RANK];
    int in_input[LITE_CL_RANK];
    int length; // of a vector
    int step;   // along it
    int most[LITE_CL_RANK];
    int strides[LITE_CL_RANK];
    int count;
    int chunk;
} LiteClWindowsArgs;

#endif
