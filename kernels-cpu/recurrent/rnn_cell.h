// SPDX-License-Identifier: Apache-2.0
// The cell of RNN, UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN:
//
//     state = activation(weights * input + recurrent weights * state + bias)
//
// in float or with 8-bit weights; the output is the state.
#ifndef KERNELS_CPU_RECURRENT_RNN_CELL_H_
#define KERNELS_CPU_RECURRENT_RNN_CELL_H_

#include "kernels-cpu/recurrent/recurrent.h"

// Where a cell's tensors are among the inputs of the node.
typedef struct LiteRnnLayout {
    int first; // weights, recurrent weights, bias, state
    int aux;   // auxiliary weights, -1: none
} LiteRnnLayout;

typedef struct LiteRnnCell {
    LiteView weights;
    LiteView recurrent;
    LiteView bias;
    LiteView state;
    LiteView aux_weights;
    LiteWeights products[LITE_PRODUCTS];
    LiteSequence sequence;
    const LiteView* input;
    const LiteView* aux; // NULL: none
    int32_t units;
    bool hybrid;
} LiteRnnCell;

// Fetches and checks the tensors of a cell whose sequence, input and auxiliary input are set.
TfLiteStatus lite_rnn_cell_get(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               const LiteRnnLayout* layout, LiteRnnCell* cell);

// Prepares a cell; temporaries[2] are for the node's list.
TfLiteStatus lite_rnn_cell_prepare(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                                   const LiteRnnCell* cell, bool asymmetric, int temporaries[2]);

// Where a run writes: rows that are `width` elements apart.
typedef struct LiteRnnOutput {
    float* data;
    size_t width;
} LiteRnnOutput;
TfLiteStatus lite_rnn_cell_run(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                               const LiteRnnCell* cell, TfLiteFusedActivation activation,
                               LiteRnnOutput output);

#endif
