// SPDX-License-Identifier: Apache-2.0
// The arguments of elementwise.cl.
#ifndef KERNELS_CL_ARGS_ELEMENTWISE_H_
#define KERNELS_CL_ARGS_ELEMENTWISE_H_

// y = RESULT(x) over `count` elements; an item does `chunk` of them.
typedef struct LiteClElementwiseArgs {
    int count;
    float alpha;
    int chunk;
} LiteClElementwiseArgs;

#endif
