// SPDX-License-Identifier: Apache-2.0
// Convolutions of floats by filters of 3 x 3 with fewer multiplications (kernels-cl/winograd.cl).
#ifndef DELEGATE_OPENCL_OPS_CONV_WINOGRAD_H_
#define DELEGATE_OPENCL_OPS_CONV_WINOGRAD_H_

#include "delegate-opencl/ops/conv/product.h"
#include "delegate-opencl/plan/plan.h"

// Outputs along each side of the tiles, 2 or 4, in which the convolution is computed so; 0: in another way,
// as it cannot be, the option says so, or other ways are estimated to be faster on the device.
int lite_cl_winograd_choose(const LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input);
static inline int lite_cl_winograd_side(const LiteClPlan* plan, const LiteClGemm* gemm,
                                        const LiteClTensor* input) {
    return LITE_CL_HAS_WINOGRAD ? lite_cl_winograd_choose(plan, gemm, input) : 0;
}

// What lite_cl_gemm_launch does, in these tiles: another shape than the one that they were chosen for is
// allowed.
TfLiteStatus lite_cl_winograd_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                     LiteClTensor* output, int side);

#endif
