// SPDX-License-Identifier: Apache-2.0
// Convolutions and products of floats by work-groups that share a tile in local memory
// (kernels-cl/conv_local.cl), on GPUs.
#ifndef DELEGATE_OPENCL_OPS_CONV_LOCAL_H_
#define DELEGATE_OPENCL_OPS_CONV_LOCAL_H_

#include "delegate-opencl/ops/conv/packing.h"

// A work-group's tile, and how many teams of items share its depth, see the kernel.
typedef struct LiteClLocalTile {
    int rows, columns;
    int item_rows, item_vectors;
    int teams;
} LiteClLocalTile;

// The cheapest tile for products of so many rows, columns, steps of the depth and groups. Its `teams` are 0
// where the device is none for it: one without fast local memory, or of small groups.
LiteClLocalTile lite_cl_local_tile(const LiteClDevice* device, int rows, int columns, int depth, int groups);

size_t lite_cl_local_group(const LiteClLocalTile* tile); // items of a work-group
// Defines what local_tile.cl asks for.
void lite_cl_local_define(LiteClPrelude* prelude, const LiteClLocalTile* tile);

// What lite_cl_gemm_launch does, by this tile. Weights are packed in panels of `panel` columns, a divisor of
// the tile's.
TfLiteStatus lite_cl_local_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                  LiteClTensor* output, const LiteClLocalTile* tile, int panel);

#endif
