// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/recurrent/lstm_cell.h"

// The operators have the tensors of gates in the order input, forget, cell, output, peephole weights without
// those of the cell gate.
static const int tensor_of_gate[LITE_LSTM_GATES] = {1, 2, 3, 0};
static const int peephole_of_gate[LITE_LSTM_GATES] = {1, -1, 2, 0};

static void fetch(const LiteClNode* node, const LiteClLstmLayout* layout, LiteClCell* cell) {
    const int first = layout->weights;
    for (int g = 0; g < LITE_LSTM_GATES; g++) {
        const int t = tensor_of_gate[g];
        cell->weights[g] = lite_cl_input(node, first + t);
        cell->recurrent[g] = lite_cl_input(node, first + 4 + t);
        cell->peephole[g] =
            peephole_of_gate[g] >= 0 ? lite_cl_input(node, first + 8 + peephole_of_gate[g]) : NULL;
        cell->bias[g] = lite_cl_input(node, first + 11 + t);
        if (layout->aux_weights >= 0) cell->aux_weights[g] = lite_cl_input(node, layout->aux_weights + t);
        if (layout->layer_norm >= 0) cell->norm[g] = lite_cl_input(node, layout->layer_norm + t);
    }
    cell->projection = lite_cl_input(node, first + 15);
    cell->projection_bias = lite_cl_input(node, first + 16);
    cell->output_state = node->inputs[layout->output_state];
    cell->cell_state = node->inputs[layout->cell_state];
    cell->gates = cell->weights[kLiteInput] == NULL ? kLiteInput : LITE_LSTM_GATES;
    cell->kernel = "lstm";
    cell->node = node;
    cell->part = first;
}

// Some of the gates must not have what none may have, or what belongs to an absent gate.
static bool check_absent(const LiteClTensor* const* tensors, int first, LiteClReason* reason) {
    for (int g = first; g < LITE_LSTM_GATES; g++) {
        if (tensors[g] != NULL) return lite_cl_refuse(reason, "a gate has not all that belongs to it");
    }
    return true;
}

static bool check_optional(const LiteClCell* cell, LiteClReason* reason) {
    const bool real = lite_cl_is_real(cell);
    const TfLiteType type = real ? cell->weights[kLiteForget]->type : kTfLiteInt16;
    const TfLiteType norm = real ? kTfLiteFloat32 : kTfLiteInt16;
    const bool has_peephole = cell->peephole[kLiteOutput] != NULL;
    const bool has_norm = cell->norm[kLiteForget] != NULL;
    for (int g = 0; g < cell->gates; g++) {
        if (has_peephole && g != kLiteUpdate &&
            !lite_cl_check_constant(cell->peephole[g], "peephole weights", type, cell->cells, -1, reason)) {
            return false;
        }
        if (has_norm && !lite_cl_check_constant(cell->norm[g], "layer norm coefficients", norm, cell->cells,
                                                -1, reason)) {
            return false;
        }
    }
    // Peephole weights of the absent gate are allowed, and ignored.
    return (has_peephole || cell->gates < LITE_LSTM_GATES || check_absent(cell->peephole, 0, reason)) &&
           (has_peephole || cell->peephole[kLiteForget] == NULL ||
            lite_cl_refuse(reason, "peephole weights of some gates only")) &&
           check_absent(cell->norm, has_norm ? cell->gates : 0, reason) &&
           check_absent(cell->aux_weights, cell->aux != NULL ? cell->gates : 0, reason) &&
           check_absent(cell->recurrent, cell->gates, reason) &&
           check_absent(cell->bias, cell->gates, reason);
}

static bool check_projection(const LiteClCell* cell, LiteClReason* reason) {
    const TfLiteType type = cell->weights[kLiteForget]->type;
    if (cell->projection == NULL && cell->cells != cell->outputs)
        return lite_cl_refuse(reason, "%d cells and %d outputs without a projection", cell->cells,
                              cell->outputs);
    if (cell->projection == NULL)
        return cell->projection_bias == NULL || lite_cl_refuse(reason, "a projection bias without weights");
    return lite_cl_check_constant(cell->projection, "projection weights", type, cell->outputs, cell->cells,
                                  reason) &&
           (cell->projection_bias == NULL ||
            lite_cl_check_constant(cell->projection_bias, "projection biases",
                                   lite_cl_is_real(cell) ? kTfLiteFloat32 : kTfLiteInt32, cell->outputs, -1,
                                   reason));
}

bool lite_cl_lstm_cell(const LiteClNode* node, const LiteClLstmLayout* layout, bool diagonals,
                       LiteClCell* cell, LiteClReason* reason) {
    fetch(node, layout, cell);
    const LiteClTensor *weights = cell->weights[kLiteForget], *recurrent = cell->recurrent[kLiteForget];
    if (weights == NULL || recurrent == NULL || weights->shape.rank != 2 || recurrent->shape.rank < 1)
        return lite_cl_refuse(reason, "weights that are no matrices");
    cell->cells = weights->shape.dims[0];
    cell->outputs = cell->output_width = recurrent->shape.dims[recurrent->shape.rank - 1];
    if (!diagonals && recurrent->shape.rank == 1)
        return lite_cl_refuse(reason, "recurrent weights that are no matrix");
    if (!(cell->cell_clip >= 0.0f) || !(cell->proj_clip >= 0.0f))
        return lite_cl_refuse(reason, "clips at %g and %g", (double)cell->cell_clip, (double)cell->proj_clip);
    LiteClActivation activation;
    if (!lite_cl_any_activation(cell->activation, &activation, reason) || !lite_cl_check_cell(cell, reason) ||
        !check_optional(cell, reason) || !check_projection(cell, reason)) {
        return false;
    }
    const int64_t cells = (int64_t)cell->sequence.batches * cell->cells;
    const TfLiteType type = lite_cl_is_real(cell) ? kTfLiteFloat32 : kTfLiteInt16;
    return lite_cl_check_state(cell->cell_state, type, cells, reason) &&
           (cell->cell_state != cell->output_state || lite_cl_refuse(reason, "one tensor for both states"));
}
