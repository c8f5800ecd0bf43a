// SPDX-License-Identifier: Apache-2.0
// The arguments of one_hot.cl.
#ifndef KERNELS_CL_ARGS_ONE_HOT_H_
#define KERNELS_CL_ARGS_ONE_HOT_H_

// The output is [outer][depth][inner].
typedef struct LiteClOneHotArgs {
    int count;
    int depth;
    int inner;
    int chunk;
} LiteClOneHotArgs;

#endif
