// SPDX-License-Identifier: Apache-2.0
// The arguments of svdf.cl.
#ifndef KERNELS_CL_ARGS_SVDF_H_
#define KERNELS_CL_ARGS_SVDF_H_

#include "kernels-cl/args/activation.h"
#include "kernels-cl/args/common.h"

// Filters in features and time, `rank` for each unit, whose last `memory` products are the state.
typedef struct LiteClSvdfArgs {
    int batches;
    int units, rank, memory;
    int depth; // of the input
    int width; // of a row of products
    LiteClActivation activation;
    int zero_x; // integers
    int zero_state;
    int zero_y;
    int state_low;
    int state_high;
    LiteClMultiplier to_state;
    LiteClMultiplier to_output;
} LiteClSvdfArgs;

#endif
