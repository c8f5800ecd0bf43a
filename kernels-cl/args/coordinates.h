// SPDX-License-Identifier: Apache-2.0
// The arguments of the kernels that take coordinates, see common/coordinates.cl.
#ifndef KERNELS_CL_ARGS_COORDINATES_H_
#define KERNELS_CL_ARGS_COORDINATES_H_

#include "kernels-cl/args/common.h"

// `rows` times `depth` coordinates in dimensions `dims` name slices of `inner` elements; the other tensor has
// one such slice for each row, `row_step` apart.
typedef struct LiteClCoordinatesArgs {
    int rows;
    int depth;
    int dims[LITE_CL_RANK];
    int inner;
    int row_step;
    int skips; // rows with a negative coordinate
    int chunk;
    int node;
} LiteClCoordinatesArgs;

#endif
