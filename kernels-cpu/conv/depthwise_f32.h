// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution of floats, a few neighbouring pixels at a time.
#ifndef KERNELS_CPU_CONV_DEPTHWISE_F32_H_
#define KERNELS_CPU_CONV_DEPTHWISE_F32_H_

#include "kernels-cpu/conv/depthwise_types.h"

typedef struct LiteDepthwiseF32 {
    const float* input;
    const float* weights; // [taps], of each so many elements, `tap`, from its first channel on
    size_t tap;
    const float* bias; // NULL: zeros
    float low;
    float high;
    float* output;
    size_t column;   // elements from a pixel of the input to the next
    int32_t ring;    // lines of `input`, in which line y of an image is line y % ring; 0: it has all of them
    int32_t channel; // ring: the first that it, and `weights`, hold
    const LiteEpilogue* epilogue; // of lite_depthwise_run_f32; NULL: none
} LiteDepthwiseF32;
TfLiteStatus lite_depthwise_run_f32(TfLiteOpaqueContext* context, const LiteDepthwise* depthwise,
                                    const LiteDepthwiseF32* job);

// Do pixels lie so far from each other that those of a window's lines share too few sets of the first cache,
// as with 512 channels, where they have two?
bool lite_depthwise_crowds_f32(const LiteConvShape* shape);

// Channels [channel, channel + channels) of rows [begin, end) of that, on the calling thread.
void lite_depthwise_channels_f32(const LiteDepthwise* depthwise, const LiteDepthwiseF32* job, int64_t begin,
                                 int64_t end, int32_t channel, int32_t channels);

#endif
