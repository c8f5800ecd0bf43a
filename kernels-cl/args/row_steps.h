// SPDX-License-Identifier: Apache-2.0
// The arguments of row_steps.cl.
#ifndef KERNELS_CL_ARGS_ROW_STEPS_H_
#define KERNELS_CL_ARGS_ROW_STEPS_H_

// Rows of `width` elements, of which the last may be shorter where there is nothing to sum up.
typedef struct LiteClRowStepsArgs {
    int rows, width;
    int elements;  // of all rows
    int rows_each; // that one item does
    float options[16];
} LiteClRowStepsArgs;

#endif
