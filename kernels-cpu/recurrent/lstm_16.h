// SPDX-License-Identifier: Apache-2.0
// LSTM cells in integers with gates of 16 bits: int8 input, output and weights, int16 cell state.
#ifndef KERNELS_CPU_RECURRENT_LSTM_16_H_
#define KERNELS_CPU_RECURRENT_LSTM_16_H_

#include "kernels-cpu/recurrent/lstm_types.h"

// Takes the buffers of a run from the workspace.
void lite_lstm_16_carve(LiteCarver* carver, const LiteLstmRun* run);

TfLiteStatus lite_lstm_16_run(const LiteLstmRun* run, LiteCarver* carver);

#endif
