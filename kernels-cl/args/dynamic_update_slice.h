// SPDX-License-Identifier: Apache-2.0
// The arguments of dynamic_update_slice.cl.
#ifndef KERNELS_CL_ARGS_DYNAMIC_UPDATE_SLICE_H_
#define KERNELS_CL_ARGS_DYNAMIC_UPDATE_SLICE_H_

#include "kernels-cl/args/common.h"

// The update has `dims`; the output has `strides` and room for a start up to `most`.
typedef struct LiteClUpdateSliceArgs {
    int rank;
    int dims[LITE_CL_RANK];
    int strides[LITE_CL_RANK];
    int most[LITE_CL_RANK];
    int count;
    int chunk;
} LiteClUpdateSliceArgs;

#endif
