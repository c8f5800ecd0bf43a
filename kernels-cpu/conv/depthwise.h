// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution. Integers are computed one output pixel at a time, all its channels at once; bytes,
// where the processor can multiply those, by strips (depthwise_strip.h). depthwise_f32.h has the loops of
// floats.
#ifndef KERNELS_CPU_CONV_DEPTHWISE_H_
#define KERNELS_CPU_CONV_DEPTHWISE_H_

#include "kernels-cpu/conv/depthwise_types.h"

TfLiteStatus lite_depthwise_prepare(TfLiteOpaqueContext* context, const char* op, LiteDepthwise* depthwise,
                                    const LiteConvShape* shape, TfLiteType type);
void lite_depthwise_free(LiteDepthwise* depthwise);

// Would packed weights survive a prepare for this shape?
bool lite_depthwise_same(const LiteDepthwise* depthwise, const LiteConvShape* shape, TfLiteType type);

// Integer weights (weights.h's types), zero_point subtracted.
void lite_depthwise_pack(LiteDepthwise* depthwise, TfLiteType type, const void* weights, int32_t zero_point);

TfLiteStatus lite_depthwise_run_int(TfLiteOpaqueContext* context, const char* op,
                                    const LiteDepthwise* depthwise, const LiteDepthwiseInt* job);

#endif
