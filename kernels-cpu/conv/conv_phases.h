// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions, of two and three dimensions.
//
// Output pixels whose coordinates agree modulo the strides see the same filter taps. For them the operator is
// an ordinary convolution with stride 1 and a reversed filter. So it runs as one convolution for each such
// phase, with a part of the weights.
#ifndef KERNELS_CPU_CONV_CONV_PHASES_H_
#define KERNELS_CPU_CONV_CONV_PHASES_H_

#include "kernels-cpu/conv/conv_sink.h"

enum { kLiteDepth, kLiteHeight, kLiteWidth, kLiteSpace };

// Images of two dimensions have one plane: all about the depth is 1, its padding 0. `out` and `pad` count
// from lite_phases_run on.
typedef struct LiteTransposed {
    int32_t batches, in_c, out_c;
    int32_t in[kLiteSpace];
    int32_t filter[kLiteSpace];
    int32_t stride[kLiteSpace];
    int32_t dilation[kLiteSpace];
    int32_t out[kLiteSpace];
    int32_t pad[kLiteSpace]; // before the first output
} LiteTransposed;

// Zero-initialised, with scratch_tensor -1, is empty; lite_phases_free accepts it.
typedef struct LitePhases {
    LiteTransposed shape;
    int32_t counts[kLiteSpace]; // phases that have taps
    int32_t count;              // their product
    LiteGemm* gemms;
    int scratch_tensor;
    const void* packed; // weights that the phases were packed from; NULL: none yet
} LitePhases;

// Prepares for `shape` (filter, strides, dilations and in_c at least 1); `shared` as lite_gemm_prepare has
// it. The caller puts the scratch tensor in the node's list.
TfLiteStatus lite_phases_prepare(TfLiteOpaqueContext* context, const char* op, LitePhases* phases,
                                 const LiteTransposed* shape, LiteGemmForm form, LiteShared* shared);
void lite_phases_free(LitePhases* phases);

// Input channels are next to each other in the weights; from one tap and from one output channel to the next
// there are so many elements.
TfLiteStatus lite_phases_pack(TfLiteOpaqueContext* context, const char* op, LitePhases* phases,
                              const LiteView* weights, int64_t tap_step, int64_t out_step);

// `shape` is that of the preparation, with its output. Float weights: bias, output and range are taken from
// `sink`, else `store` gets it; its gemm and grid are set here.
TfLiteStatus lite_phases_run(TfLiteOpaqueContext* context, const char* op, LitePhases* phases,
                             const LiteTransposed* shape, const LiteGemmInput* input, LiteTileSink store,
                             const LiteConvSink* sink);

#endif
