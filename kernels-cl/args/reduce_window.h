// SPDX-License-Identifier: Apache-2.0
// The arguments of reduce_window.cl.
#ifndef KERNELS_CL_ARGS_REDUCE_WINDOW_H_
#define KERNELS_CL_ARGS_REDUCE_WINDOW_H_

#include "kernels-cl/args/common.h"

// The output's elements joined over windows of the input that lie within it.
typedef struct LiteClReduceWindowArgs {
    int rank;
    int out[LITE_CL_RANK];
    int window[LITE_CL_RANK];
    int at[LITE_CL_RANK];  // strides of the input from one window to the next
    int tap[LITE_CL_RANK]; // … and in the window
    // PADDED: these are places in the padded and dilated input, of which the input's are every `base`th from
    // `low` on.
    int in[LITE_CL_RANK];
    int low[LITE_CL_RANK];
    int base[LITE_CL_RANK];
    int strides[LITE_CL_RANK];
    int taps;
    int count;
    int chunk;
} LiteClReduceWindowArgs;

#endif
