// SPDX-License-Identifier: Apache-2.0
// Sinks that scale and store the integer sums of FULLY_CONNECTED.
#ifndef KERNELS_CPU_FULLY_CONNECTED_DENSE_SINK_H_
#define KERNELS_CPU_FULLY_CONNECTED_DENSE_SINK_H_

#include "kernels-cpu/fully_connected/dense_node.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/loops/fully_connected_loops.h"

typedef struct LiteDenseSink {
    const LiteDenseData* data;
    const LiteDenseViews* views;
    LiteScaleSums scale_sums;
} LiteDenseSink;

// LiteTileSinks whose argument is a LiteDenseSink.
void lite_dense_store_8(const void* argument, const LiteTile* tile);  // INT8, UINT8
void lite_dense_store_16(const void* argument, const LiteTile* tile); // INT16

typedef struct LiteDenseHybridSink {
    LiteHybridRows rows;
    TfLiteFusedActivation activation;
} LiteDenseHybridSink;

// A LiteTileSink whose argument is a LiteDenseHybridSink.
void lite_dense_store_hybrid(const void* argument, const LiteTile* tile);

// INT16 weights: products of 32 bits, which the packed kernels do not take.
void lite_dense_multiply_16x16(const LiteDenseData* data, const LiteDenseViews* v);

#endif
