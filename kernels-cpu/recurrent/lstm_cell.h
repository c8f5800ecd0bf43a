// SPDX-License-Identifier: Apache-2.0
// The LSTM cell of LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM and BIDIRECTIONAL_SEQUENCE_LSTM: in float, hybrid
// (float with 8-bit weights) and in integers.
//
//     gate   = activation(weights * input + recurrent weights * output + peephole weights . cell + bias)
//     cell   = forget gate . cell + input gate . cell gate
//     output = projection(output gate . activation(cell))
//
// The input gate is 1 - forget gate where its weights are absent. With layer normalization the sum is
// normalized before the bias is added.
#ifndef KERNELS_CPU_RECURRENT_LSTM_CELL_H_
#define KERNELS_CPU_RECURRENT_LSTM_CELL_H_

#include "kernels-cpu/recurrent/lstm_types.h"

// Where a cell's tensors are among the inputs of the node.
typedef struct LiteLstmLayout {
    int weights; // of 17: input [4], recurrent [4], peephole [3], bias [4], projection weights and bias
    int output_state;
    int cell_state;
    int aux_weights; // first of 4; -1: none
    int layer_norm;  // first of 4; -1: none
} LiteLstmLayout;

// Fetches and checks the tensors of a cell whose input has the type and depth of *input (aux: NULL for none).
TfLiteStatus lite_lstm_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             const LiteLstmLayout* layout, const LiteLstmOptions* options,
                             const LiteLstmIo* io, LiteLstmViews* views);

// Prepares a cell; temporaries[2] are for the node's list. `output` has been resized by the caller.
TfLiteStatus lite_lstm_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteLstmCell* cell, const LiteLstmOptions* options, const LiteLstmIo* io,
                               const LiteView* output, const LiteLstmViews* views, int temporaries[2]);
TfLiteStatus lite_lstm_invoke(TfLiteOpaqueContext* context, const char* op, LiteLstmCell* cell,
                              const LiteLstmOptions* options, const LiteLstmIo* io,
                              const LiteLstmViews* views);

#endif
