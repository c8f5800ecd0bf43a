// SPDX-License-Identifier: Apache-2.0
// LSTM cells in integers with products of 8 bits: int8 input, output and weights, int16 cell state, always
// with layer normalization, projection and without an input gate. Normalization and activations are computed
// in float.
#ifndef KERNELS_CPU_RECURRENT_LSTM_8_H_
#define KERNELS_CPU_RECURRENT_LSTM_8_H_

#include "kernels-cpu/recurrent/lstm_types.h"

// Takes the buffers of a run from the workspace.
void lite_lstm_8_carve(LiteCarver* carver, const LiteLstmRun* run);

TfLiteStatus lite_lstm_8_run(const LiteLstmRun* run, LiteCarver* carver);

#endif
