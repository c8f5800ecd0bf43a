// SPDX-License-Identifier: Apache-2.0
// Scales of LSTM cells in integers, from those of their tensors, in the reference's order and precision.
#ifndef CORE_SEMANTICS_LSTM_SCALES_H_
#define CORE_SEMANTICS_LSTM_SCALES_H_

#include "core/semantics/quant.h"

// The input gate comes last as it may be absent.
enum { kLiteForget, kLiteUpdate, kLiteOutput, kLiteInput, LITE_LSTM_GATES };

// Cells with gates of 16 bits have these intermediate tensors: sums of the gates input, forget, cell, output,
// used with layer normalization only, and the output before its projection.
enum { LITE_LSTM_16_INTERMEDIATES = 5, LITE_LSTM_HIDDEN = 4 };
extern const int lite_lstm_intermediate[LITE_LSTM_GATES]; // of each gate

// Positive and finite, but for those of absent tensors: 0.
typedef struct LiteLstmScales {
    int gates; // 3 without an input gate
    bool has_norm;
    bool has_projection;
    float input;
    float state; // of the output
    float cell;
    float output;
    float weights[LITE_LSTM_GATES];
    float recurrent[LITE_LSTM_GATES];
    float peephole[LITE_LSTM_GATES];
    float norm[LITE_LSTM_GATES];
    float projection;
    float cell_clip; // 0: none
    float proj_clip;
} LiteLstmScales;

typedef struct LiteLstmQuant {
    LiteMultiplier input[LITE_LSTM_GATES]; // sums to gates
    LiteMultiplier recurrent[LITE_LSTM_GATES];
    LiteMultiplier peephole[LITE_LSTM_GATES];
    LiteMultiplier norm[LITE_LSTM_GATES];
    int32_t variance_guard[LITE_LSTM_GATES]; // instead of a variance of 0
    LiteMultiplier hidden;
    LiteMultiplier projection;
    int32_t input_zero;
    int32_t state_zero; // of the output
    int32_t hidden_zero;
    int cell_log2; // scale of the cell state
    int16_t cell_clip;
    int8_t proj_clip;
    // 8 bits: products of inputs and states have scales of their own, which these bring to that of the gate.
    LiteMultiplier input_to_gate[LITE_LSTM_GATES];
    LiteMultiplier recurrent_to_gate[LITE_LSTM_GATES];
    int32_t product_zero[LITE_LSTM_GATES]; // of products of inputs
    int32_t recurrent_zero[LITE_LSTM_GATES];
} LiteLstmQuant;

// *log2 of a scale that is a power of two, or nearly.
bool lite_scale_log2(float scale, int* log2);

// May the cell state have the scale 2^log2, with gates of 16 bits?
static inline bool lite_lstm_16_takes(int log2) {
    return log2 >= -15 && log2 <= -9;
}

// What both integer forms have: normalization and clips.
void lite_lstm_scale_common(const LiteLstmScales* scales, LiteLstmQuant* quant);
// Gates of 16 bits: `inner` are the scales of the intermediates, quant->cell_log2 is there.
void lite_lstm_scale_16(const LiteLstmScales* scales, const float inner[LITE_LSTM_16_INTERMEDIATES],
                        LiteLstmQuant* quant);

#endif
