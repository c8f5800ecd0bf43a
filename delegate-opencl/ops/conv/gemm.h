// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products with packed weights, as products of tiles that stay in registers
// (kernels-cl/conv.cl).
#ifndef DELEGATE_OPENCL_OPS_CONV_GEMM_H_
#define DELEGATE_OPENCL_OPS_CONV_GEMM_H_

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/conv/product.h"
#include "delegate-opencl/plan/plan.h"

// The arguments of a matrix product, without a range.
LiteClConvArgs lite_cl_gemm_matmul_args(int rows, int depth, int columns);

// Is it left to the direct convolution? Sums of 64 bits, bytes that were floats, results of another type,
// weights that are not constant.
bool lite_cl_gemm_is_direct(const LiteClNode* node, const LiteClGemm* gemm);

// Does each output pixel see just the input pixel of its place?
bool lite_cl_gemm_is_pointwise(const LiteClConvArgs* args);

TfLiteStatus lite_cl_gemm_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClGemm* gemm);
// The same between other tensors, with an owner.
TfLiteStatus lite_cl_gemm_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                 LiteClTensor* output);

// For other kernels on kernels-cl/common/gemm_tile.cl. Adds weights and bias, in panels of so many columns,
// to a launch's buffers.
void lite_cl_gemm_add_weights(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input, int panel,
                              LiteClLaunch* launch);
// A constant of zeros for the padding of the input.
int lite_cl_gemm_zeros(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input);
// What floats of this type ask for: limits in the arguments, nodes behind, another tensor, and how elements
// are read; `aligned`: floats, whose vectors lie at multiples of their size.
void lite_cl_gemm_define_floats(const LiteClGemm* gemm, TfLiteType type, bool aligned, LiteClConvArgs* args,
                                LiteClPrelude* prelude);
// Defines the tile.
void lite_cl_gemm_define_tile(LiteClPrelude* prelude, int vector, const LiteClTile* tile);

#endif
