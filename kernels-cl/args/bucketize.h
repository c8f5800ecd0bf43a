// SPDX-License-Identifier: Apache-2.0
// The arguments of bucketize.cl.
#ifndef KERNELS_CL_ARGS_BUCKETIZE_H_
#define KERNELS_CL_ARGS_BUCKETIZE_H_

// Boundaries, ascending.
typedef struct LiteClBucketizeArgs {
    int count;
    int boundaries;
    int chunk;
} LiteClBucketizeArgs;

#endif
