// SPDX-License-Identifier: Apache-2.0
// Scales of LSTM cells in integers.
#ifndef KERNELS_CPU_RECURRENT_LSTM_QUANT_H_
#define KERNELS_CPU_RECURRENT_LSTM_QUANT_H_

#include "kernels-cpu/recurrent/lstm_types.h"

// Scales of the integer forms, from the node's intermediates: 5 of them for 16 bits, 12 for 8.
TfLiteStatus lite_lstm_quant_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                     LiteLstmKind kind, const LiteLstmOptions* options, const LiteLstmIo* io,
                                     const LiteView* output, const LiteLstmViews* views,
                                     LiteLstmQuant* quant);

#endif
