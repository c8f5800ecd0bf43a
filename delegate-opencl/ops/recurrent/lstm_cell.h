// SPDX-License-Identifier: Apache-2.0
// The tensors of LSTM cells among the inputs of a node.
#ifndef DELEGATE_OPENCL_OPS_RECURRENT_LSTM_CELL_H_
#define DELEGATE_OPENCL_OPS_RECURRENT_LSTM_CELL_H_

#include "delegate-opencl/ops/recurrent/recurrent.h"

// Where the tensors of a cell are.
typedef struct LiteClLstmLayout {
    int weights; // of 17: input [4], recurrent [4], peephole [3], bias [4], projection weights and bias
    int output_state;
    int cell_state;
    int aux_weights; // first of 4; -1: none
    int layer_norm;  // first of 4; -1: none
} LiteClLstmLayout;

// Weights of inputs and outputs, and the projection, of a cell whose tensors begin there, as LITE_CL_INPUTS.
#define LITE_CL_LSTM_MATRICES(first) (LITE_CL_INPUTS(first, 8) | LITE_CL_INPUTS((first) + 15, 1))

// Fetches the tensors of the layout into a cell that has all else, and checks them. `diagonals`: recurrent
// weights may be one-dimensional.
bool lite_cl_lstm_cell(const LiteClNode* node, const LiteClLstmLayout* layout, bool diagonals,
                       LiteClCell* cell, LiteClReason* reason);

#endif
