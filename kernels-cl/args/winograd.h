// SPDX-License-Identifier: Apache-2.0
// The arguments of winograd.cl.
#ifndef KERNELS_CL_ARGS_WINOGRAD_H_
#define KERNELS_CL_ARGS_WINOGRAD_H_

#include "kernels-cl/args/conv.h"

// Tiles of the output are numbered from left to right, line by line, image by image; a launch does those from
// `first` to `end`. Matrices of transformed inputs are [matrix][tile - first][depth], transformed weights
// [panel][matrix][in_c][PANEL].
typedef struct LiteClWinogradArgs {
    LiteClConvArgs conv; // without `tiles`
    int across, down;    // tiles of an image
    int first, end;
    int depth;  // input channels, rounded up to whole vectors
    int matrix; // elements from one to the next
} LiteClWinogradArgs;

#endif
