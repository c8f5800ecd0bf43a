// SPDX-License-Identifier: Apache-2.0
// The arguments of stablehlo_scatter.cl.
#ifndef KERNELS_CL_ARGS_STABLEHLO_SCATTER_H_
#define KERNELS_CL_ARGS_STABLEHLO_SCATTER_H_

#include "kernels-cl/args/common.h"

// Windows of updates joined to a tensor, each from where a vector of indices says. Dimensions of the updates
// are free, when no index moves what they are about, or serial. Both: how long they are, their strides in the
// updates, and the dimension of the tensor that they are about, -1: a position of the vectors.
typedef struct LiteClScatterArgs {
    int free_rank;
    int free_dims[LITE_CL_RANK];
    int free_from[LITE_CL_RANK];
    int free_about[LITE_CL_RANK];
    int free_count; // product of free_dims
    int rank;
    int dims[LITE_CL_RANK];
    int from[LITE_CL_RANK];
    int about[LITE_CL_RANK];
    int in_indices[LITE_CL_RANK]; // strides of positions
    int count;                    // product of dims
    int length;                   // of a vector
    int step;                     // along it
    int map[LITE_CL_RANK];        // the tensor's dimensions that its numbers are about
    int out_rank;
    int bounds[LITE_CL_RANK];
    int to[LITE_CL_RANK];
    int chunk;
} LiteClScatterArgs;

#endif
