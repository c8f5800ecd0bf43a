// SPDX-License-Identifier: Apache-2.0
// Recurrent cells in float, with float or 8-bit weights, on kernels-cl/recurrent.cl: the products of all
// inputs are one matrix product, and one launch does the rest of a sequence.
#ifndef DELEGATE_OPENCL_OPS_RECURRENT_RECURRENT_H_
#define DELEGATE_OPENCL_OPS_RECURRENT_RECURRENT_H_

#include "core/semantics/lstm_scales.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/activation.h"
#include "kernels-cl/args/hybrid.h"

typedef struct LiteClSequence {
    int steps;
    int batches;
    bool time_major;
    bool backward;
} LiteClSequence;

// NULL: absent. A plain RNN has the first gate only.
typedef struct LiteClCell {
    const char* kernel;
    const LiteClNode* node; // of whose cells it is number `part`
    int part;
    LiteClSequence sequence;
    int gates;
    int cells;
    int outputs;
    LiteClTensor* input;
    LiteClTensor* aux;
    const LiteClTensor* weights[LITE_LSTM_GATES];
    const LiteClTensor* aux_weights[LITE_LSTM_GATES];
    const LiteClTensor* recurrent[LITE_LSTM_GATES]; // one-dimensional: diagonal
    const LiteClTensor* peephole[LITE_LSTM_GATES];
    const LiteClTensor* bias[LITE_LSTM_GATES];
    const LiteClTensor* norm[LITE_LSTM_GATES];
    const LiteClTensor* projection;
    const LiteClTensor* projection_bias;
    LiteClTensor* output_state;
    LiteClTensor* cell_state;
    LiteClTensor* output;
    int output_width; // of a row
    int output_offset;
    TfLiteFusedActivation activation;
    bool asymmetric; // how inputs are quantized for 8-bit weights
    bool infinite;   // products with inputs beyond all floats are infinite; else, as the reference's LSTMs
                     // have it, the largest float
    float cell_clip;
    float proj_clip;
} LiteClCell;

// Also TANH and SIGMOID.
bool lite_cl_any_activation(TfLiteFusedActivation fused, LiteClActivation* activation, LiteClReason* reason);

// The sequence of an input of three dimensions, or of one step when it has two.
bool lite_cl_sequence(const LiteClTensor* input, int rank, bool time_major, LiteClSequence* sequence,
                      LiteClReason* reason);

// An auxiliary input (NULL: none) that is as long as the input, and as deep unless it has weights.
bool lite_cl_check_aux(const LiteClTensor* input, const LiteClTensor* aux, bool has_weights,
                       LiteClReason* reason);

// A constant of that type, a matrix [rows, columns] or, `columns` being -1, a vector.
bool lite_cl_check_constant(const LiteClTensor* tensor, const char* what, TfLiteType type, int rows,
                            int columns, LiteClReason* reason);

// A variable of that many elements.
bool lite_cl_check_state(const LiteClTensor* state, TfLiteType type, int64_t count, LiteClReason* reason);

// The parts that all cells have: sizes, weights, biases, the state of the output.
bool lite_cl_check_cell(const LiteClCell* cell, LiteClReason* reason);

TfLiteStatus lite_cl_lower_cell(LiteClPlan* plan, const LiteClCell* cell);

// Rows of `input` times a constant matrix of floats or 8-bit weights, whose gates lie one after the other,
// `pitch` columns each. Storages, -1 after a report; rows of the result are `width` apart.
typedef struct LiteClGateProduct {
    const LiteClNode* node; // owner of the constants, see LiteClConstantKey
    int part;
    LiteClTensor* input;
    const LiteClTensor* const* weights;
    const LiteClTensor* const* bias; // NULL: none
    int gates;
    int cells;
    int pitch;
    int rows;
    int depth;
    int width;
    int quantizes;
    bool infinite; // see LiteClCell
} LiteClGateProduct;
int lite_cl_gate_product(LiteClPlan* plan, const LiteClGateProduct* product);

// Element i of a constant as a real number: 8-bit ones are read as signed, as in the reference.
float lite_cl_real(const LiteClTensor* tensor, size_t i);

// How a tile of vectors is defined for the kernels here, which want GROUP as well (ops/common/group.h); also
// the panel of weights.
const LiteClTile* lite_cl_recurrent_tile(const LiteClDevice* device, LiteClPrelude* prelude);

// Cells of integers have other types than those of floats.
static inline bool lite_cl_is_real(const LiteClCell* cell) {
    return cell->input->type == kTfLiteFloat32;
}

// How inputs are quantized for weights of that type.
static inline int lite_cl_quantizes(TfLiteType weights, bool asymmetric) {
    return weights == kTfLiteFloat32 ? 0 : asymmetric ? LITE_CL_ASYMMETRIC : LITE_CL_SYMMETRIC;
}

#endif
