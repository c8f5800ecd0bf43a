// SPDX-License-Identifier: Apache-2.0
// LSTM cells in float, with float or 8-bit weights.
#ifndef KERNELS_CPU_RECURRENT_LSTM_FLOAT_H_
#define KERNELS_CPU_RECURRENT_LSTM_FLOAT_H_

#include "kernels-cpu/recurrent/lstm_types.h"

// Takes the buffers of a run from the workspace.
void lite_lstm_float_carve(LiteCarver* carver, const LiteLstmRun* run);

TfLiteStatus lite_lstm_float_run(const LiteLstmRun* run, LiteCarver* carver);

#endif
