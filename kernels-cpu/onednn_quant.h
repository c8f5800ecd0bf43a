// SPDX-License-Identifier: Apache-2.0
// INT8 in oneDNN: it multiplies bytes and gives sums of 32 bits, without zero points, bias or scale. With
// input a of zero point x, weights w and bias b,
//     sum of (a - x) * w + b = sum of a * w + (b - x * sum of w),
// whose last part is added afterwards, and the result is scaled as our own kernels do it: to the same bits.
#ifndef KERNELS_CPU_ONEDNN_QUANT_H_
#define KERNELS_CPU_ONEDNN_QUANT_H_

#include "kernels-cpu/onednn_plan.h"

// Is the arithmetic above right for these tensors?
bool lite_onednn_quantization_fits(const LiteOnednnProblem* problem);

// The sum of each output channel's weights; false where oneDNN's own sums might not be exact.
bool lite_onednn_sum_weights(const LiteOnednnProblem* problem, int32_t* sums);

// What is added to the sums of this run.
void lite_onednn_set_init(const LiteOnednnPlan* plan, const int32_t* bias);

// Takes `pixels` sums to the outputs, from pixel `first` of the whole output on.
void lite_onednn_store(const LiteOnednnPlan* plan, const LiteOnednnData* data, int64_t first, int64_t pixels,
                       int32_t* sums);

#endif
