// SPDX-License-Identifier: Apache-2.0
// The direct convolution of kernels-cl/conv_direct.cl, which computes all that the packed one (gemm.h) does
// not: any number of dimensions up to 3, transposed, all types.
#ifndef DELEGATE_OPENCL_OPS_CONV_DIRECT_H_
#define DELEGATE_OPENCL_OPS_CONV_DIRECT_H_

#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/conv_direct.h"

// How weights lie in their tensor: strides of a tap, an input channel of the group and an output channel.
typedef struct LiteClWeights {
    LiteClTensor* tensor;
    int64_t taps;
    int64_t tap;
    int64_t in;
    int64_t out;
} LiteClWeights;

typedef struct LiteClDirectConv {
    LiteClDirectConvArgs args; // without what the quantization says
    LiteClTensor* input;
    LiteClWeights weights;
    const LiteClTensor* bias; // NULL: zeros
    bool transposed;
    bool once;                  // see LiteClGemm
    bool coarse;                // see LiteClQuantization
    bool bare;                  // bytes give the sums of their products, without scales and zero points
    bool infinite;              // see LiteClGemm
    bool as_unsigned;           // bytes of input and weights are read as if they had no sign
    const LiteClHybrid* hybrid; // what stands for a float input, NULL: itself
    TfLiteFusedActivation activation;
} LiteClDirectConv;

// Packs constant weights, moves others, and launches.
TfLiteStatus lite_cl_direct_conv_lower(LiteClPlan* plan, const LiteClNode* node,
                                       const LiteClDirectConv* conv);

// The arguments of a matrix product: each row is an image of one pixel.
LiteClDirectConvArgs lite_cl_direct_matmul_args(int rows, int depth, int columns);

#endif
