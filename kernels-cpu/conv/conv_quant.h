// SPDX-License-Identifier: Apache-2.0
// Quantization that convolution-like operators share: scales to fixed-point multipliers, one per output
// channel.
#ifndef KERNELS_CPU_CONV_CONV_QUANT_H_
#define KERNELS_CPU_CONV_CONV_QUANT_H_

#include "core/semantics/quant.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/support/kernel.h"

// Zero-initialised is empty; lite_conv_quant_free accepts it.
typedef struct LiteConvQuant {
    int32_t channels;
    LiteSharedBlock* block;    // has what follows; interpreters of a model have the same
    const int32_t* multiplier; // [channels]
    const int32_t* shift;
    int32_t zero_point;
    int32_t low;
    int32_t high;
} LiteConvQuant;

// Checks the quantization of all tensors (bias may be NULL) and computes the multipliers.
TfLiteStatus lite_conv_quant_prepare(TfLiteOpaqueContext* context, const char* op, LiteConvQuant* quant,
                                     const LiteView* input, const LiteView* filter, const LiteView* bias,
                                     const LiteView* output, TfLiteFusedActivation activation,
                                     int32_t channels);
void lite_conv_quant_free(LiteConvQuant* quant);

// With VALID padding, a filter so much larger than the input that the formula gives a negative output length
// is an error. A length of 0 is an empty output.
TfLiteStatus lite_conv_check_axis(TfLiteOpaqueContext* context, const char* op, TfLitePadding padding,
                                  int32_t in, int32_t filter, int32_t stride, int32_t dilation);

// The part of `quant` from channel `first` on, in the form that micro kernels take.
LiteRequantization lite_conv_quant_from(const LiteConvQuant* quant, int32_t first);

// An int16 output from an accumulator with its bias (INT32 or INT64, NULL: none). With INT32 the reference
// accumulates in 32 bits and rounds twice.
int16_t lite_conv_quant_i16(const LiteConvQuant* quant, int32_t channel, int64_t sum, TfLiteType bias_type,
                            const void* bias);

// The bias has the right type and one element per channel, which is `dimension` of the filter, or an error.
TfLiteStatus lite_check_bias(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                             const LiteView* bias, int32_t channels, int dimension);

// Per-tensor scales: the bias has about the scale of the products. Where this is checked is as in the
// reference: UINT8 always (lite_conv_quant_prepare does it), other types in FULLY_CONNECTED.
TfLiteStatus lite_check_bias_scale(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                   const LiteView* filter, const LiteView* bias, const LiteView* output);

// INT32 or INT64 accumulation of int16 operators: what the bias says, else `quantized_bias_type`.
TfLiteStatus lite_check_bias_type(TfLiteOpaqueContext* context, const char* op, const LiteView* bias,
                                  TfLiteType quantized_bias_type, TfLiteType* accumulator);

// A scale that can be divided by: positive and finite.
TfLiteStatus lite_check_scale(TfLiteOpaqueContext* context, const char* op, const char* what, float scale);

// Scale of output channel `c` of per-tensor or per-channel weights.
static inline float lite_channel_scale(const LiteView* filter, int32_t c) {
    const TfLiteFloatArray* scale = filter->affine->scale;
    return scale->data[scale->size > 1 ? c : 0];
}

#endif
