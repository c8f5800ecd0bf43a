// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution. Integers are computed one output pixel at a time, all its channels at once; bytes,
// where the processor can multiply those, by strips (depthwise_strip.h). depthwise_f32.h has the loops of
// floats.
#ifndef KERNELS_CPU_CONV_DEPTHWISE_H_
#define KERNELS_CPU_CONV_DEPTHWISE_H_

#include "kernels-cpu/conv/depthwise_types.h"

// `shared` as lite_gemm_prepare has it.
TfLiteStatus lite_depthwise_prepare(TfLiteOpaqueContext* context, const char* op, LiteDepthwise* depthwise,
                                    const LiteConvShape* shape, TfLiteType type, LiteShared* shared);
void lite_depthwise_free(LiteDepthwise* depthwise);

// Integer weights (weights.h's types), zero_point subtracted. Fails only where they are shared, when out of
// memory.
TfLiteStatus lite_depthwise_pack(TfLiteOpaqueContext* context, const char* op, LiteDepthwise* depthwise,
                                 TfLiteType type, const void* weights, int32_t zero_point);

TfLiteStatus lite_depthwise_run_int(TfLiteOpaqueContext* context, const char* op,
                                    const LiteDepthwise* depthwise, const LiteDepthwiseInt* job);

#endif
