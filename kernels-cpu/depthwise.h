// SPDX-License-Identifier: Apache-2.0
// The loops of depthwise convolution: in integers one output pixel after the other, all its channels at once,
// or, for bytes where the processor can multiply those, strips of a line, a vector of channels at a time; in
// floats a few neighbouring pixels at a time.
#ifndef KERNELS_CPU_DEPTHWISE_H_
#define KERNELS_CPU_DEPTHWISE_H_

#include "kernels-cpu/gemm.h"

// Zero-initialised is empty; lite_depthwise_free accepts it.
typedef struct LiteDepthwise {
    LiteConvShape shape; // groups is in_c; out_c a multiple of it
    TfLiteType type;     // FLOAT32, INT8, UINT8 or INT16 inputs
    const LiteMicro* micro;
    int32_t taps;
    int32_t multiplier;
    uint32_t* weights; // integers: [taps][out_c], int16 zero-extended
    int32_t* sums;     // integers: sum of the weights of each output channel
    int32_t* init;     // integers: what their sums begin with, for whole vectors of channels
    int8_t* strips;    // bytes: weights as LiteStrip has them, one vector of channels after the other
    bool in_strips;    // the packed weights are bytes, and the shape has strips
    float* zeros;      // float: out_c zeros for an absent bias
    int threads;
    size_t pointers;    // bytes of a thread's row pointers
    size_t accumulator; // bytes of a thread's accumulators
    size_t scratch;     // bytes per thread: pointers, accumulators, padding values; integers only
    int scratch_tensor; // temporary's number, -1 before the first prepare
} LiteDepthwise;

TfLiteStatus lite_depthwise_prepare(TfLiteOpaqueContext* context, const char* op, LiteDepthwise* depthwise,
                                    const LiteConvShape* shape, TfLiteType type);
void lite_depthwise_free(LiteDepthwise* depthwise);
// Would packed weights survive a prepare for this shape?
bool lite_depthwise_same(const LiteDepthwise* depthwise, const LiteConvShape* shape, TfLiteType type);

// Integer weights (weights.h's types), zero_point subtracted.
void lite_depthwise_pack(LiteDepthwise* depthwise, TfLiteType type, const void* weights, int32_t zero_point);

typedef struct LiteDepthwiseF32 {
    const float* input;
    const float* weights; // [taps][out_c]
    const float* bias;    // NULL: zeros
    float low;
    float high;
    float* output;
    size_t column;   // elements from a pixel of the input to the next
    int32_t ring;    // lines of `input`, in which line y of an image is line y % ring; 0: it has all of them
    int32_t channel; // ring: the first that it holds
} LiteDepthwiseF32;
TfLiteStatus lite_depthwise_run_f32(TfLiteOpaqueContext* context, const LiteDepthwise* depthwise,
                                    const LiteDepthwiseF32* job);
// Channels [channel, channel + channels) of rows [begin, end) of that, on the calling thread.
void lite_depthwise_channels_f32(const LiteDepthwise* depthwise, const LiteDepthwiseF32* job, int64_t begin,
                                 int64_t end, int32_t channel, int32_t channels);

// 8 bits: sums with `bias` (NULL: zeros) are scaled to 8 bits. Otherwise the sums of one pixel go to the
// sink, those of INT16 inputs to sink_wide; in 8-bit sums the input's zero point is still contained then,
// zero point * core.sums[channel], in the padding too.
typedef struct LiteDepthwiseInt {
    LiteGemmInput input;
    const LiteRequantization* scale; // NULL: to the sink
    const int32_t* bias;
    uint8_t* output;
    void (*sink)(const void* argument, int64_t pixel, int32_t batch, const int32_t* sums);
    void (*sink_wide)(const void* argument, int64_t pixel, const int64_t* sums);
    const void* argument;
} LiteDepthwiseInt;
TfLiteStatus lite_depthwise_run_int(TfLiteOpaqueContext* context, const char* op,
                                    const LiteDepthwise* depthwise, const LiteDepthwiseInt* job);

// Strips (depthwise_strip.c): the size of their weights (0: they are of no use for this shape), packing, and
// how many outputs one has at most.
size_t lite_depthwise_strip_weights(const LiteDepthwise* depthwise);
bool lite_depthwise_pack_strips(LiteDepthwise* depthwise, TfLiteType type, const void* weights,
                                int32_t zero_point);
void lite_depthwise_run_strips(const LiteDepthwise* depthwise, const LiteDepthwiseInt* job, int threads);

#endif
