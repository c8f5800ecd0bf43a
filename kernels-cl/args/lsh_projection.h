// SPDX-License-Identifier: Apache-2.0
// The arguments of lsh_projection.cl.
#ifndef KERNELS_CL_ARGS_LSH_PROJECTION_H_
#define KERNELS_CL_ARGS_LSH_PROJECTION_H_

// Each output is made of `bits` hash bits, each of a seed.
typedef struct LiteClLshArgs {
    int count;
    int bits;
    int items;
    int item_bytes;
    int weighted;
    int range; // from one output to the next
} LiteClLshArgs;

#endif
