// SPDX-License-Identifier: Apache-2.0
// The constants of convolutions and matrix products, as the kernels on kernels-cl/common/gemm_tile.cl take
// them.
#ifndef DELEGATE_OPENCL_OPS_CONV_PACKING_H_
#define DELEGATE_OPENCL_OPS_CONV_PACKING_H_

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/conv/product.h"
#include "delegate-opencl/plan/plan.h"

// Does each output pixel see just the input pixel of its place?
bool lite_cl_gemm_is_pointwise(const LiteClConvArgs* args);

// Adds weights and bias, in panels of so many columns, to a launch's buffers.
void lite_cl_gemm_add_weights(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input, int panel,
                              LiteClLaunch* launch);
// A constant of zeros for the padding of the input.
int lite_cl_gemm_zeros(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input);
// Defines the tile.
void lite_cl_gemm_define_tile(LiteClPrelude* prelude, int vector, const LiteClTile* tile);

typedef struct LiteClLayout {
    int panel;    // columns
    bool dots;    // INT8 as a device's dots take them, also where it has none
    bool aligned; // of floats: vectors lie at multiples of their size
} LiteClLayout;

// Everything that depends on the type of the elements: defines how they are read and computed with, completes
// the arguments, and adds to a launch's buffers weights, bias, zeros, and the scales of bytes, or of floats
// the other tensor.
void lite_cl_gemm_add_constants(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input,
                                const LiteClTensor* output, const LiteClLayout* layout, LiteClConvArgs* args,
                                LiteClPrelude* prelude, LiteClLaunch* launch);

#endif
