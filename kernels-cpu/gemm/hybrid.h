// SPDX-License-Identifier: Apache-2.0
// Hybrid operators: float inputs are quantized on the fly, batch by batch, and multiplied with int8 weights.
#ifndef KERNELS_CPU_GEMM_HYBRID_H_
#define KERNELS_CPU_GEMM_HYBRID_H_

#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/support/kernel.h"

// false in builds of selected operators whose models have no such weights.
#define LITE_HAS_HYBRID                                                                                      \
    (LITE_HAS_TYPE(kTfLiteInt8) || LITE_HAS_TYPE(kTfLiteUInt8) || LITE_HAS_TYPE(kTfLiteInt4) ||              \
     LITE_HAS_TYPE(kTfLiteInt2))

// Quantizes `count` floats to int8. Symmetric: zero point 0, range [-127, 127]. All zeros give scale 1.
// real = *scale * (q - *zero_point).
void lite_hybrid_quantize(const float* in, int64_t count, bool asymmetric, int8_t* out, float* scale,
                          int32_t* zero_point);

// Temporaries that hold a quantized input; all -1 before the first prepare.
typedef struct LiteHybrid {
    int values;
    int scales;
    int zero_points;
} LiteHybrid;

typedef struct LiteHybridInput {
    int8_t* values;
    float* scales;        // one per batch
    int32_t* zero_points; // one per batch
} LiteHybridInput;

// `temporaries` receives the three tensor numbers for the node's list.
TfLiteStatus lite_hybrid_prepare(TfLiteOpaqueContext* context, const char* op, LiteHybrid* hybrid,
                                 int64_t batches, int64_t count, int temporaries[3]);

// Quantizes `batches` runs of `size` floats.
void lite_hybrid_input(TfLiteOpaqueContext* context, const LiteHybrid* hybrid, const float* in,
                       int64_t batches, int64_t size, bool asymmetric, LiteHybridInput* out);

// Where sums of a matrix whose rows are batches of their own go.
typedef struct LiteHybridRows {
    const float* scales;             // of the rows
    const TfLiteFloatArray* weights; // scales: one for each column, or one for all
    const float* bias;               // of each column; NULL: none
    float* out;
    int32_t columns; // of a row of it
} LiteHybridRows;
// Scales the tile's sums, and adds the bias.
void lite_hybrid_store_rows(const LiteHybridRows* rows, const LiteTile* tile);

#endif
