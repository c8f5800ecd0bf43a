// SPDX-License-Identifier: Apache-2.0
// The arguments of rfft2d.cl.
#ifndef KERNELS_CL_ARGS_RFFT2D_H_
#define KERNELS_CL_ARGS_RFFT2D_H_

// Fourier transforms of `lines` of `length` = 2^log_length elements.
typedef struct LiteClFftArgs {
    int lines;
    int length;
    int log_length;
    int lines_per_image; // of rows
    int in_lines;        // rows of an image of the input
    int in_length;       // of a row
    int kept;            // columns
} LiteClFftArgs;

#endif
