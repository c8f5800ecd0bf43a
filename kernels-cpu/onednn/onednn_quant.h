// SPDX-License-Identifier: Apache-2.0
// INT8 in oneDNN: it multiplies bytes and gives sums of 32 bits, without zero points, bias or scale. With
// input a of zero point x, weights w and bias b,
//     sum of (a - x) * w + b = sum of a * w + (b - x * sum of w),
// whose last part is added afterwards, and the result is scaled as our own kernels do it: to the same bits.
#ifndef KERNELS_CPU_ONEDNN_ONEDNN_QUANT_H_
#define KERNELS_CPU_ONEDNN_ONEDNN_QUANT_H_

#include "kernels-cpu/onednn/onednn_problem.h"

// Zero-initialised is empty; lite_onednn_quant_free accepts it.
typedef struct LiteOnednnQuant {
    const LiteMicro* micro; // scales the sums
    int32_t channels;
    int32_t zero_point;
    int32_t* weight_sums; // of each output channel
    int32_t* init;        // what is added to its sums, set for a run
} LiteOnednnQuant;

// Is the arithmetic above right for these tensors?
bool lite_onednn_quant_fits(const LiteOnednnProblem* problem);

// Sums the weights. False where memory is short, or where oneDNN's own sums might not be exact.
bool lite_onednn_quant_prepare(LiteOnednnQuant* quant, const LiteOnednnProblem* problem);
void lite_onednn_quant_free(LiteOnednnQuant* quant);

// Sets what is added to the sums of this run.
void lite_onednn_quant_begin(const LiteOnednnQuant* quant, const int32_t* bias);

// Scales `pixels` sums to the outputs, from pixel `first` of the whole output on.
void lite_onednn_quant_store(const LiteOnednnQuant* quant, const LiteOnednnData* data, int64_t first,
                             int64_t pixels, int32_t* sums);

#endif
