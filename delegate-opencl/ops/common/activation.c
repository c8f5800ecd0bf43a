// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/activation.h"

#include <float.h>
#include <math.h>

void lite_cl_activation_limits(TfLiteFusedActivation activation, float* low, float* high) {
    lite_activation_range_f32(activation, low, high);
    if (*low <= -FLT_MAX) *low = -INFINITY;
    if (*high >= FLT_MAX) *high = INFINITY;
}

void lite_cl_quantized_limits(const LiteClTensor* output, TfLiteFusedActivation activation, int* low,
                              int* high) {
    int32_t from, to;
    (void)lite_activation_range_quantized(activation, output->type, output->scale, output->zero_point, &from,
                                          &to);
    *low = from;
    *high = to;
}
