// SPDX-License-Identifier: Apache-2.0
// The arguments of move.cl.
#ifndef KERNELS_CL_ARGS_MOVE_H_
#define KERNELS_CL_ARGS_MOVE_H_

#define LITE_CL_MOVE_RANK 16

// A copy between strided arrays: `rows` rows of `width` elements. `dims` are the rows' dimensions, outermost
// first, with their strides in either array; the steps are those along the row.
typedef struct LiteClMoveArgs {
    int rank;
    int dims[LITE_CL_MOVE_RANK];
    int from[LITE_CL_MOVE_RANK];
    int to[LITE_CL_MOVE_RANK];
    int from_offset;
    int to_offset;
    int rows;
    int width;
    int from_step;
    int to_step;
    int chunk;     // elements of a row that one item does
    int item_rows; // rows that one item does
} LiteClMoveArgs;

#endif
