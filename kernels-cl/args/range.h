// SPDX-License-Identifier: Apache-2.0
// The arguments of range.cl.
#ifndef KERNELS_CL_ARGS_RANGE_H_
#define KERNELS_CL_ARGS_RANGE_H_

// The length of a vector.
typedef struct LiteClRangeArgs {
    int count;
} LiteClRangeArgs;

#endif
