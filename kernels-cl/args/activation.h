// SPDX-License-Identifier: Apache-2.0
// A fused activation of recurrent operators.
#ifndef KERNELS_CL_ARGS_ACTIVATION_H_
#define KERNELS_CL_ARGS_ACTIVATION_H_

// A fused activation: one of these functions, or (0) a range.
#define LITE_CL_TANH 1
#define LITE_CL_SIGMOID 2

typedef struct LiteClActivation {
    int function;
    float low;
    float high;
} LiteClActivation;

#endif
