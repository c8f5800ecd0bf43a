// SPDX-License-Identifier: Apache-2.0
// Sinks that scale and store the integer sums of a convolution or transposed convolution.
#ifndef KERNELS_CPU_CONV_CONV_SINK_H_
#define KERNELS_CPU_CONV_CONV_SINK_H_

#include "kernels-cpu/conv/conv_quant.h"
#include "kernels-cpu/gemm/gemm_int.h"

typedef struct LiteConvSink {
    const LiteGemm* gemm;
    const LiteConvQuant* quant;
    const LiteView* filter; // hybrid
    const float* scales;    // hybrid: of the input, one per batch
    const void* bias;       // hybrid: float; INT16: INT32 or INT64, others INT32; NULL: none
    TfLiteType bias_type;   // INT16
    float low;              // hybrid
    float high;
    const LiteGrid* grid; // NULL: rows one after the other
    void* output;
} LiteConvSink;

// LiteTileSinks whose argument is a LiteConvSink.
void lite_conv_store_8(const void* argument, const LiteTile* tile);  // INT8, UINT8: the sums have the bias
void lite_conv_store_16(const void* argument, const LiteTile* tile); // INT16
void lite_conv_store_hybrid(const void* argument, const LiteTile* tile); // FLOAT32

#endif
