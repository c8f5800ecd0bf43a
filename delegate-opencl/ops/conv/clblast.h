// SPDX-License-Identifier: Apache-2.0
// Convolutions that are matrix products, and fully connected layers, as products that CLBlast computes.
#ifndef DELEGATE_OPENCL_OPS_CONV_CLBLAST_H_
#define DELEGATE_OPENCL_OPS_CONV_CLBLAST_H_

#include "delegate-opencl/ops/conv/product.h"
#include "delegate-opencl/plan/plan.h"

// Can CLBlast compute it, as far as the plan lets it? Weights may be constant or not.
bool lite_cl_clblast_can(const LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input,
                         const LiteClTensor* output);
static inline bool lite_cl_clblast_suits(const LiteClPlan* plan, const LiteClGemm* gemm,
                                         const LiteClTensor* input, const LiteClTensor* output) {
    return LITE_CL_HAS_CLBLAST && plan->gemm_by != kLiteClGemmByUs &&
           lite_cl_clblast_can(plan, gemm, input, output);
}

// Are weights and bias constants, which are to be packed in one panel with all columns?
static inline bool lite_cl_clblast_packs(const LiteClGemm* gemm) {
    return gemm->filter->data != NULL && (gemm->bias == NULL || gemm->bias->data != NULL);
}

// Adds the product, and a launch for bias, activation and sum. `weights` and `bias` are the storages of
// packed constants, or of the tensors.
TfLiteStatus lite_cl_clblast_lower(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                   LiteClTensor* output, int weights, int bias);

#endif
