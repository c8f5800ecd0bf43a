// SPDX-License-Identifier: Apache-2.0
// Quantized convolutions and products: which tensors they take, and the constants that follow from scales and
// zero points.
#ifndef DELEGATE_OPENCL_OPS_CONV_QUANTIZATION_H_
#define DELEGATE_OPENCL_OPS_CONV_QUANTIZATION_H_

#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/plan/plan.h"

// The tensors of a quantized convolution.
typedef struct LiteClQuantization {
    const LiteClTensor* input;
    const LiteClTensor* weights; // constant, for lite_cl_weight
    const LiteClTensor* bias;    // NULL: zeros
    const LiteClTensor* output;
    int channels;
    bool once;   // see LiteClGemm
    bool coarse; // the product of both scales is rounded to single precision; so it is for UINT8
} LiteClQuantization;

// Does the type of input 1 go with that of input `input`: is it the same, one of `hybrid` for FLOAT32, one of
// `narrow` for INT8 and INT16? Types with several elements in a byte have to be constant.
bool lite_cl_check_weight_type(const LiteClNode* node, int input, unsigned hybrid, unsigned narrow,
                               LiteClReason* reason);

// If the tensors are quantized, can they be convolved so? For infer.
bool lite_cl_check_conv_quantization(const LiteClTensor* input, const LiteClTensor* weights,
                                     const LiteClTensor* bias, const LiteClTensor* output, int channels,
                                     LiteClReason* reason);

// Several elements in a byte.
static inline bool lite_cl_is_packed(const LiteClTensor* tensor) {
    return tensor->type == kTfLiteInt4 || tensor->type == kTfLiteInt2;
}

// Element i of the weights, less their zero point.
int32_t lite_cl_weight(const LiteClQuantization* q, size_t i);
// The scale of a channel's weights.
float lite_cl_channel_scale(const LiteClTensor* weights, int channel);
// A channel's bias less what the input's zero point adds to sums of `weight_sum` weights; it wraps.
int32_t lite_cl_folded_bias(const LiteClQuantization* q, size_t channel, uint32_t weight_sum);
// From the scale of the products to the output's.
LiteMultiplier lite_cl_channel_multiplier(const LiteClQuantization* q, size_t channel);
double lite_cl_channel_factor(const LiteClQuantization* q, size_t channel); // in place of it, rounding once

// What a program needs that scales by such factors.
void lite_cl_define_factors(LiteClPrelude* prelude, const LiteClDevice* device);

// Adds the multipliers' values and shifts, or the factors, for all channels, to a launch's buffers.
void lite_cl_add_scaling(LiteClPlan* plan, const LiteClNode* node, const LiteClQuantization* q,
                         LiteClLaunch* launch);
// A constant of `count` of the input's elements that stand for zero.
int lite_cl_zeros(LiteClPlan* plan, const LiteClTensor* input, size_t count);

#endif
