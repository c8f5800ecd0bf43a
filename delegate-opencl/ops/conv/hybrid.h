// SPDX-License-Identifier: Apache-2.0
// Hybrid operators: float inputs are quantized when they are run, row by row, and multiplied by 8-bit weights
// (kernels-cl/hybrid.cl).
#ifndef DELEGATE_OPENCL_OPS_CONV_HYBRID_H_
#define DELEGATE_OPENCL_OPS_CONV_HYBRID_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

// Storages.
typedef struct LiteClHybrid {
    int values; // bytes
    int scales; // a LiteClRowScale for each row
} LiteClHybrid;

static inline bool lite_cl_is_hybrid(const LiteClTensor* input, const LiteClTensor* weights) {
    return input->type == kTfLiteFloat32 && weights->type != kTfLiteFloat32;
}

// If the pair is hybrid: do the weights have one scale, or one for each of the `channels`?
bool lite_cl_hybrid_check(const LiteClTensor* input, const LiteClTensor* weights, int channels,
                          LiteClReason* reason);

// Quantizes an input in rows of `width` floats.
TfLiteStatus lite_cl_quantize_rows(LiteClPlan* plan, LiteClTensor* input, int width, bool asymmetric,
                                   LiteClHybrid* hybrid);
// The same where a row is an entry of the first dimension.
TfLiteStatus lite_cl_quantize_images(LiteClPlan* plan, LiteClTensor* input, bool asymmetric,
                                     LiteClHybrid* hybrid);

#endif
