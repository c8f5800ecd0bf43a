// SPDX-License-Identifier: Apache-2.0
// A depthwise convolution as prepare leaves it, and one run of it in integers.
#ifndef KERNELS_CPU_CONV_DEPTHWISE_TYPES_H_
#define KERNELS_CPU_CONV_DEPTHWISE_TYPES_H_

#include "kernels-cpu/gemm/gemm_rows.h"

// Zero-initialised is empty; lite_depthwise_free accepts it.
typedef struct LiteDepthwise {
    LiteConvShape shape; // groups is in_c; out_c a multiple of it
    TfLiteType type;     // FLOAT32, INT8, UINT8 or INT16 inputs
    const LiteMicro* micro;
    int32_t taps;
    int32_t multiplier;
    LiteShared* shared;     // integers: where packed weights are shared; NULL: they are its own
    LiteSharedBlock* block; // integers: has the weights, sums and strips; NULL: nothing is packed yet
    const void* source;     // the weights that were packed; NULL: none yet
    size_t strip_bytes;     // of `strips`
    size_t block_bytes;
    uint32_t* weights; // integers: [taps][out_c], int16 zero-extended
    int32_t* sums;     // integers: sum of the weights of each output channel
    int32_t* init; // integers: what their sums begin with, for whole vectors of channels; NULL: a run has it
    char* strips;  // weights as LiteStrip has them, one vector of channels after the other
    uint32_t* in_strips; // 1: the weights could be packed so, and the shape has strips; else 0
    const float* zeros;  // float: out_c zeros for an absent bias
    float* own_zeros;    // NULL: they are for all
    int threads;
    size_t pointers;    // bytes of a thread's row pointers
    size_t accumulator; // bytes of a thread's accumulators
    size_t scratch;     // bytes per thread: pointers, accumulators, padding values; integers only
    int scratch_tensor; // temporary's number, -1 before the first prepare
} LiteDepthwise;

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

#endif
