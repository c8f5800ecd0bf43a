// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products with packed weights, as products of tiles that stay in registers
// (kernels-cl/conv.cl).
#ifndef DELEGATE_OPENCL_OPS_CONV_GEMM_H_
#define DELEGATE_OPENCL_OPS_CONV_GEMM_H_

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/conv/packing.h"
#include "delegate-opencl/ops/conv/product.h"
#include "delegate-opencl/plan/plan.h"

// The arguments of a matrix product, without a range.
LiteClConvArgs lite_cl_gemm_matmul_args(int rows, int depth, int columns);

// Is it left to the direct convolution? Sums of 64 bits, bytes that were floats, results of another type,
// weights that are not constant.
bool lite_cl_gemm_is_direct(const LiteClNode* node, const LiteClGemm* gemm);

TfLiteStatus lite_cl_gemm_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClGemm* gemm);
// The same between other tensors, with an owner.
TfLiteStatus lite_cl_gemm_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                 LiteClTensor* output);

#endif
