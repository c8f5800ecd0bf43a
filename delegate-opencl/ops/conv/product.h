// SPDX-License-Identifier: Apache-2.0
// What is asked of those that compute convolutions and matrix products with packed weights.
#ifndef DELEGATE_OPENCL_OPS_CONV_PRODUCT_H_
#define DELEGATE_OPENCL_OPS_CONV_PRODUCT_H_

#include "delegate-opencl/graph/graph.h"
#include "delegate-opencl/ops/common/steps.h"
#include "kernels-cl/args/conv.h"

// Gates, and two products as one; not in builds of selected operators, which are small for it.
#ifndef LITE_CL_HAS_GATES
#define LITE_CL_HAS_GATES 1
#endif

// Nodes behind it, see tail.h.
typedef struct LiteClTail {
    int count;
    LiteClTensor* output;
    LiteClAfter after;
    LiteClSteps steps; // none where `after` says all
} LiteClTail;

// A convolution or matrix product of input 0. The lowering packs the weights, fills in the tile and the
// output's limits, and launches. `filter` is [groups * group_out][depth].
typedef struct LiteClGemm {
    LiteClConvArgs args;
    TfLiteFusedActivation activation;
    int groups;
    const LiteClTensor* filter;
    const LiteClTensor* bias; // NULL: zeros
    bool once;                // quantized sums are scaled in double precision and rounded once
    bool asymmetric;          // how floats are quantized for 8-bit weights
    bool infinite;            // results beyond all floats are infinite, not the largest float
    const LiteClNode* owner;  // of the constants, see LiteClConstantKey; NULL: the node
    int part;
    LiteClTensor* addend;                 // of floats: what the output is added to, NULL: nothing
    TfLiteFusedActivation sum_activation; // of this sum
    const LiteClTail* tail;               // of floats: what is made of the output, NULL: nothing
    // Of floats, where each pixel is a row: a row for each image, by which the pixels of `gated`, the input,
    // are multiplied before; `pixels` are those of an image. NULL: they are not.
    LiteClTensor* gate;
    LiteClTensor* gated;
} LiteClGemm;

#endif
