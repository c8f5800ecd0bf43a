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
#ifndef KERNELS_CPU_LSTM_CELL_H_
#define KERNELS_CPU_LSTM_CELL_H_

#include "core/base/lstm_scales.h"
#include "kernels-cpu/recurrent.h"

// Where a cell's tensors are among the inputs of the node.
typedef struct LiteLstmLayout {
    int weights; // of 17: input [4], recurrent [4], peephole [3], bias [4], projection weights and bias
    int output_state;
    int cell_state;
    int aux_weights; // first of 4; -1: none
    int layer_norm;  // first of 4; -1: none
} LiteLstmLayout;

// `tensor` is NULL in those that are absent.
typedef struct LiteLstmViews {
    LiteView input[LITE_LSTM_GATES]; // weights, of each gate
    LiteView aux[LITE_LSTM_GATES];
    LiteView recurrent[LITE_LSTM_GATES]; // one-dimensional: diagonal
    LiteView peephole[LITE_LSTM_GATES];
    LiteView bias[LITE_LSTM_GATES];
    LiteView norm[LITE_LSTM_GATES];
    LiteView projection;
    LiteView projection_bias;
    LiteView output_state;
    LiteView cell_state;
    int gates; // 3 without an input gate
    bool has_aux;
    bool has_peephole;
    bool has_norm;
    bool has_projection;
    int32_t cells;
    int32_t outputs;
} LiteLstmViews;

typedef struct LiteLstmOptions {
    TfLiteFusedActivation activation;
    float cell_clip; // 0: none
    float proj_clip;
    bool asymmetric;
    bool diagonal; // diagonal recurrent weights are allowed
} LiteLstmOptions;

// Float and hybrid, or integers with the inner values of the gates in 16 bits or in 8.
typedef enum LiteLstmKind { kLiteLstmFloat, kLiteLstm16, kLiteLstm8 } LiteLstmKind;

typedef struct LiteLstmCell {
    LiteRecurrent recurrent;
    LiteLstmKind kind;
    LiteLstmQuant quant;
} LiteLstmCell;

// What a cell reads and writes. Rows of the output are output_width elements apart.
typedef struct LiteLstmIo {
    LiteSequence sequence;
    const LiteView* input;
    const LiteView* aux; // NULL: none
    void* output;
    int64_t output_width;
} LiteLstmIo;

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

// The parts of the above for each kind.
typedef struct LiteLstmRun {
    TfLiteOpaqueContext* context;
    const char* op;
    const LiteLstmCell* cell;
    const LiteLstmOptions* options;
    const LiteLstmIo* io;
    const LiteLstmViews* views;
    LiteWeights weights[LITE_PRODUCTS];
} LiteLstmRun;
void lite_lstm_float_carve(LiteCarver* carver, const LiteLstmRun* run);
TfLiteStatus lite_lstm_float_run(const LiteLstmRun* run, LiteCarver* carver);
void lite_lstm_16_carve(LiteCarver* carver, const LiteLstmRun* run);
TfLiteStatus lite_lstm_16_run(const LiteLstmRun* run, LiteCarver* carver);
void lite_lstm_8_carve(LiteCarver* carver, const LiteLstmRun* run);
TfLiteStatus lite_lstm_8_run(const LiteLstmRun* run, LiteCarver* carver);

// Scales of the integer forms, from the node's intermediates: 5 of them for 16 bits, 12 for 8.
TfLiteStatus lite_lstm_quant_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                     LiteLstmKind kind, const LiteLstmOptions* options, const LiteLstmIo* io,
                                     const LiteView* output, const LiteLstmViews* views,
                                     LiteLstmQuant* quant);

#endif
