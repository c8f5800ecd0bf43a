// SPDX-License-Identifier: Apache-2.0
// LSTM cells in integers with gates of 16 bits, with the CPU's bits.
#ifndef DELEGATE_OPENCL_OPS_RECURRENT_LSTM_16_H_
#define DELEGATE_OPENCL_OPS_RECURRENT_LSTM_16_H_

#include "delegate-opencl/ops/recurrent/recurrent.h"
#include "delegate-opencl/plan/plan.h"

// Checks what such a cell has besides the tensors of all cells, and computes its scales.
bool lite_cl_lstm_16_check(const LiteClNode* node, const LiteClCell* cell, LiteLstmQuant* quant,
                           LiteClReason* reason);
// Do the arguments of its kernel fit the device?
bool lite_cl_lstm_16_fits(const LiteClDevice* device, LiteClReason* reason);
TfLiteStatus lite_cl_lstm_16_lower(LiteClPlan* plan, const LiteClCell* cell, const LiteLstmQuant* quant);

// For kernels of kernels-cl/lstm_16.cl: the constant with the functions of gates and of cells whose state has
// that scale, as the exponent of 2.
int lite_cl_lstm_16_tables(LiteClPlan* plan, int cell_log2);

#endif
