// SPDX-License-Identifier: Apache-2.0
// Convolutions and products on kernels-cl/window.cl.
#ifndef DELEGATE_OPENCL_OPS_WINDOW_H_
#define DELEGATE_OPENCL_OPS_WINDOW_H_

#include "delegate-opencl/ops/hybrid.h"
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
    const LiteClTensor* bias; // NULL: zeros
    bool transposed;
    bool once;                  // see LiteClProduct
    bool coarse;                // see LiteClQuantization
    bool bare;                  // bytes give the sums of their products, without scales and zero points
    bool infinite;              // see LiteClProduct
    bool as_unsigned;           // bytes of input and weights are read as if they had no sign
    const LiteClHybrid* hybrid; // what stands for a float input, NULL: itself
    TfLiteFusedActivation activation;
} LiteClWindow;

// Does the type of input 1 go with that of input `input`: is it the same, one of `hybrid` for FLOAT32, one of
// `narrow` for INT8 and INT16? Types with several elements in a byte have to be constant.
bool lite_cl_check_weight_type(const LiteClNode* node, int input, unsigned hybrid, unsigned narrow,
                               LiteClReason* reason);

// If the tensors are quantized, can they be convolved so? For infer.
bool lite_cl_window_check(const LiteClTensor* input, const LiteClTensor* weights, const LiteClTensor* bias,
                          const LiteClTensor* output, int channels, LiteClReason* reason);

// Packs constant weights, moves others, and launches.
TfLiteStatus lite_cl_window_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClWindow* window);

// A matrix product as a window: rows are images of one pixel.
LiteClWindowArgs lite_cl_window_product(int rows, int depth, int columns);

// CONV_2D as a product.
TfLiteStatus lite_cl_conv_product(LiteClPlan* plan, const LiteClNode* node, LiteClProduct* product);

// Joins it with a depthwise convolution, see LiteClOp.
TfLiteStatus lite_cl_join_depthwise(LiteClPlan* plan, const LiteClNode* conv, const LiteClProduct* product,
                                    const LiteClNode* next, bool* joined);

// DEPTHWISE_CONV_2D whose kernel is compiled for the filter's size: can it be? Its arguments and definitions.
bool lite_cl_depthwise_is_small(const LiteClNode* node);
LiteClDepthwiseArgs lite_cl_depthwise_args(const LiteClNode* node);
void lite_cl_define_depthwise(LiteClPrelude* prelude, const LiteClNode* node, const LiteClTune* tune);

// DEPTHWISE_CONV_2D of any kind.
TfLiteStatus lite_cl_window_depthwise(LiteClPlan* plan, const LiteClNode* node,
                                      const LiteClConvParams* params);

// The tensors of a quantized convolution, and what follows from their quantization.
typedef struct LiteClQuantization {
    const LiteClTensor* input;
    const LiteClTensor* weights; // constant, for lite_cl_weight
    const LiteClTensor* bias;    // NULL: zeros
    const LiteClTensor* output;
    int channels;
    bool once;   // see LiteClProduct
    bool coarse; // the product of both scales is rounded to single precision; so it is for UINT8
} LiteClQuantization;

// Element i of the weights, less their zero point.
int32_t lite_cl_weight(const LiteClQuantization* q, size_t i);
// A channel's bias less what the input's zero point adds to sums of `weight_sum` weights; it wraps.
int32_t lite_cl_folded_bias(const LiteClQuantization* q, size_t channel, uint32_t weight_sum);
// From the scale of the products to the output's.
LiteMultiplier lite_cl_channel_multiplier(const LiteClQuantization* q, size_t channel);
double lite_cl_channel_factor(const LiteClQuantization* q, size_t channel); // in place of it, rounding once
// Adds their values and shifts, or the factors, for all channels, to a launch's buffers.
void lite_cl_add_scaling(LiteClPlan* plan, const LiteClNode* node, const LiteClQuantization* q,
                         LiteClLaunch* launch);
// The limits of a quantized output.
void lite_cl_quantized_limits(const LiteClTensor* output, TfLiteFusedActivation activation, int* low,
                              int* high);
// A constant of `count` of the input's elements that stand for zero.
int lite_cl_zeros(LiteClPlan* plan, const LiteClTensor* input, size_t count);

#endif
