// SPDX-License-Identifier: Apache-2.0
// The arguments of hybrid.cl, and what it gives to others.
#ifndef KERNELS_CL_ARGS_HYBRID_H_
#define KERNELS_CL_ARGS_HYBRID_H_

// How products quantize what they multiply: not at all, or to 8 bits and back.
#define LITE_CL_SYMMETRIC 1
#define LITE_CL_ASYMMETRIC 2

typedef struct LiteClQuantizeArgs {
    int rows;
    int width;
    int how;
    int chunk; // elements of a row that one item does
} LiteClQuantizeArgs;

// A row of floats as bytes: byte = zero_point + round(x * inverse), x = scale * (byte - zero_point).
typedef struct LiteClRowScale {
    float scale;
    float inverse;
    int zero_point;
} LiteClRowScale;

#endif
