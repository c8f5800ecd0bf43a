// SPDX-License-Identifier: Apache-2.0
// Limits that fused activations set.
#ifndef DELEGATE_OPENCL_OPS_COMMON_ACTIVATION_H_
#define DELEGATE_OPENCL_OPS_COMMON_ACTIVATION_H_

#include "core/semantics/quant.h"
#include "delegate-opencl/graph/graph.h"

// The limits of results of float arithmetic. Without an activation infinities stay, unlike those of
// lite_activation_range_f32, which products have.
void lite_cl_activation_limits(TfLiteFusedActivation activation, float* low, float* high);

// The limits of a quantized output.
void lite_cl_quantized_limits(const LiteClTensor* output, TfLiteFusedActivation activation, int* low,
                              int* high);

#endif
