// SPDX-License-Identifier: Apache-2.0
// The arguments of select.cl.
#ifndef KERNELS_CL_ARGS_SELECT_H_
#define KERNELS_CL_ARGS_SELECT_H_

#include "kernels-cl/args/common.h"

typedef struct LiteClSelectArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int condition[LITE_CL_RANK]; // strides
    int yes[LITE_CL_RANK];
    int no[LITE_CL_RANK];
    int count;
    int chunk;
} LiteClSelectArgs;

#endif
