// SPDX-License-Identifier: Apache-2.0
// LSTM with the kernel type BASIC: one matrix for input and activation side by side, states passed along.
#ifndef DELEGATE_OPENCL_OPS_RECURRENT_LSTM_BASIC_H_
#define DELEGATE_OPENCL_OPS_RECURRENT_LSTM_BASIC_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

bool lite_cl_lstm_basic_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason);
TfLiteStatus lite_cl_lstm_basic_lower(LiteClPlan* plan, const LiteClNode* node);

#endif
