// SPDX-License-Identifier: Apache-2.0
// The arguments of gather.cl.
#ifndef KERNELS_CL_ARGS_GATHER_H_
#define KERNELS_CL_ARGS_GATHER_H_

// Output slice s, of `inner` elements, is entry indices[s / per_batch / outer][s % per_batch] of the input's
// row s / per_batch, which has `entries`.
typedef struct LiteClGatherArgs {
    int slices;
    int outer; // rows that share their indices
    int entries;
    int per_batch;
    int inner;
    int chunk;
    int item_slices;
    int node;
} LiteClGatherArgs;

#endif
