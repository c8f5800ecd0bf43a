// SPDX-License-Identifier: Apache-2.0
// What a FULLY_CONNECTED node has prepared, and its tensors.
#ifndef KERNELS_CPU_FULLY_CONNECTED_DENSE_NODE_H_
#define KERNELS_CPU_FULLY_CONNECTED_DENSE_NODE_H_

#include "kernels-cpu/conv/conv_quant.h"
#include "kernels-cpu/gemm/blockwise.h"
#include "kernels-cpu/gemm/gemm.h"
#include "kernels-cpu/gemm/hybrid.h"
#include "kernels-cpu/onednn/onednn.h"

typedef struct LiteDenseData {
    LiteOnednn onednn;
    LiteGemm gemm;       // without oneDNN
    LiteConvQuant quant; // activation range and zero point of the output
    double* scales;      // [quant.channels], from sums to output
    LiteHybrid hybrid;
    bool is_hybrid;
    bool is_plain; // FLOAT32 times packed weights: all that an invocation has to find is where tensors are
    const LiteEpilogue* epilogue; // FLOAT32; NULL: none since the last prepare
    bool is_shuffled;             // weights in blocks of 4 units by 16, signed
    TfLiteType accumulator;       // INT16 inputs: INT32 or INT64
    LiteBlockWeights blocks;      // blockwise quantized weights
} LiteDenseData;

typedef struct LiteDenseViews {
    LiteView input;
    LiteView weights;
    LiteView bias;
    LiteView output;
    bool has_bias;
    int32_t rows;
    int32_t depth;
    int32_t units;
} LiteDenseViews;

#endif
