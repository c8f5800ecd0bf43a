// SPDX-License-Identifier: Apache-2.0
// The arguments of broadcast.cl.
#ifndef KERNELS_CL_ARGS_BROADCAST_H_
#define KERNELS_CL_ARGS_BROADCAST_H_

// The length of the result, and of the two vectors of dimensions.
typedef struct LiteClBroadcastArgs {
    int count;
    int a_count;
    int b_count;
    int node;
} LiteClBroadcastArgs;

#endif
