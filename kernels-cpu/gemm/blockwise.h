// SPDX-License-Identifier: Apache-2.0
// Blockwise quantization: a matrix of INT4 or INT2 whose rows are divided in blocks, each with a FLOAT16
// scale in another tensor.
#ifndef KERNELS_CPU_GEMM_BLOCKWISE_H_
#define KERNELS_CPU_GEMM_BLOCKWISE_H_

#include "kernels-cpu/gemm/hybrid.h"

typedef struct LiteBlocks {
    int64_t count;          // of a row
    int32_t size;           // elements of a block
    const uint16_t* scales; // [rows][count]
} LiteBlocks;

bool lite_is_blockwise(const LiteView* matrix);

// Checks type (one of `types`), shape and scales of a blockwise quantized matrix.
TfLiteStatus lite_blocks(TfLiteOpaqueContext* context, const char* op, const LiteView* matrix, uint32_t types,
                         LiteBlocks* blocks);

// Weights of INT4 that inputs are multiplied with. Zero-initialised is empty.
typedef struct LiteBlockWeights {
    int64_t elements; // that there is room for
    int8_t* values;   // [units][depth]
    float* sums;      // [units]: of all weights, each times its scale
    const void* source;
} LiteBlockWeights;

TfLiteStatus lite_block_weights_reserve(TfLiteOpaqueContext* context, const char* op,
                                        LiteBlockWeights* weights, const LiteView* matrix);
void lite_block_weights_unpack(LiteBlockWeights* weights, const LiteView* matrix, const LiteBlocks* blocks);
void lite_block_weights_free(LiteBlockWeights* weights);

// output[row][unit] = input times weights plus bias (NULL: none), activated.
typedef struct LiteBlockProduct {
    const LiteBlockWeights* weights;
    LiteBlocks blocks;
    const LiteHybridInput* input;
    int32_t rows, depth, units;
    const float* bias;
    TfLiteFusedActivation activation;
    float* output;
} LiteBlockProduct;
void lite_block_product(LiteBlockProduct* product, int threads);

#endif
