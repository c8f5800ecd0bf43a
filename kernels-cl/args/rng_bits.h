// SPDX-License-Identifier: Apache-2.0
// The arguments of rng_bits.cl.
#ifndef KERNELS_CL_ARGS_RNG_BITS_H_
#define KERNELS_CL_ARGS_RNG_BITS_H_

// Random bits.
typedef struct LiteClRngBitsArgs {
    int count;   // words of 32 bits
    int chunk;   // blocks
    int blocks;  // in all
    int numbers; // of the state
} LiteClRngBitsArgs;

#endif
