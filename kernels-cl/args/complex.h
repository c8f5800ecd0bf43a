// SPDX-License-Identifier: Apache-2.0
// The arguments of complex.cl.
#ifndef KERNELS_CL_ARGS_COMPLEX_H_
#define KERNELS_CL_ARGS_COMPLEX_H_

// `count` numbers; an item does `chunk` of them.
typedef struct LiteClComplexArgs {
    int count, chunk;
} LiteClComplexArgs;

#endif
