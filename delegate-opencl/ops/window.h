// SPDX-License-Identifier: Apache-2.0
// Convolutions and products on kernels-cl/window.cl.
#ifndef DELEGATE_OPENCL_OPS_WINDOW_H_
#define DELEGATE_OPENCL_OPS_WINDOW_H_

#include "delegate-opencl/ops/move.h"

// How weights lie in their tensor: strides of a tap, an input channel of the group and an output channel.
typedef struct LiteClWeights {
    LiteClTensor* tensor;
    int64_t taps;
    int64_t tap;
    int64_t in;
    int64_t out;
} LiteClWeights;

typedef struct LiteClWindow {
    LiteClWindowArgs args; // without what the quantization says
    LiteClTensor* input;
    LiteClWeights weights;
    const LiteClTensor* bias; // constant, or NULL: zeros
    bool transposed;
    TfLiteFusedActivation activation;
} LiteClWindow;

// May bytes be convolved so? For infer.
bool lite_cl_window_check(const LiteClTensor* input, const LiteClTensor* weights, const LiteClTensor* bias,
                          const LiteClTensor* output, int channels, LiteClReason* reason);

// Packs constant weights, moves others, and launches.
TfLiteStatus lite_cl_window_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClWindow* window);

// A matrix product as a window: rows are pixels.
LiteClWindowArgs lite_cl_window_product(int rows, int depth, int columns);

// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED on bytes.
TfLiteStatus lite_cl_window_conv(LiteClPlan* plan, const LiteClNode* node, const LiteClConvParams* params,
                                 bool depthwise);
TfLiteStatus lite_cl_window_dense(LiteClPlan* plan, const LiteClNode* node, TfLiteFusedActivation activation);

#endif
