// SPDX-License-Identifier: Apache-2.0
// The arguments of matmul.cl.
#ifndef KERNELS_CL_ARGS_MATMUL_H_
#define KERNELS_CL_ARGS_MATMUL_H_

// A dimension of the batch: its length, and what lies between an operand's matrices along it, 0 where these
// are broadcast.
typedef struct LiteClMatmulBatch {
    int length;
    int x;
    int w;
} LiteClMatmulBatch;

typedef struct LiteClMatmulArgs {
    int rows, depth, columns;
    int x_row, x_step; // between rows, and between steps along the depth, of the left operand
    int w_step;        // between steps along the depth of the right one
    int w_tile;        // between its tiles of columns
    int w_last;        // where the last of them begins
    LiteClMatmulBatch outer, middle, inner;
} LiteClMatmulArgs;

#endif
