// SPDX-License-Identifier: Apache-2.0
// LSTM with the kernel type BASIC: one matrix for input and activation side by side, states passed along.
#ifndef KERNELS_CPU_RECURRENT_LSTM_BASIC_H_
#define KERNELS_CPU_RECURRENT_LSTM_BASIC_H_

#include "core/semantics/quant.h"
#include "kernels-cpu/gemm/gemm.h"

typedef struct LiteLstmBasic {
    LiteGemm gemm;
    LiteMultiplier to_gates; // UINT8: sums to three integer bits
} LiteLstmBasic;

TfLiteStatus lite_lstm_basic_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                     LiteLstmBasic* data);
TfLiteStatus lite_lstm_basic_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                    LiteLstmBasic* data);

#endif
