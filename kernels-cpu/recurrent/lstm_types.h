// SPDX-License-Identifier: Apache-2.0
// An LSTM cell: its tensors, its options and one run of it.
#ifndef KERNELS_CPU_RECURRENT_LSTM_TYPES_H_
#define KERNELS_CPU_RECURRENT_LSTM_TYPES_H_

#include "core/semantics/lstm_scales.h"
#include "kernels-cpu/recurrent/recurrent.h"

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

// One prepare or invoke of a cell.
typedef struct LiteLstmRun {
    TfLiteOpaqueContext* context;
    const char* op;
    const LiteLstmCell* cell;
    const LiteLstmOptions* options;
    const LiteLstmIo* io;
    const LiteLstmViews* views;
    LiteWeights weights[LITE_PRODUCTS];
} LiteLstmRun;

#endif
