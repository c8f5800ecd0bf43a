// SPDX-License-Identifier: Apache-2.0
// The arguments of random.cl.
#ifndef KERNELS_CL_ARGS_RANDOM_H_
#define KERNELS_CL_ARGS_RANDOM_H_

// Numbers of a generator that makes them in blocks.
typedef struct LiteClRandomArgs {
    int count;    // of outputs
    int chunk;    // blocks
    int skip_low; // blocks that the state goes on by: the words of a number of 64 bits
    int skip_high;
    int classes; // MULTINOMIAL
    int samples; //
} LiteClRandomArgs;

#endif
