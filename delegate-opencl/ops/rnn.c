// SPDX-License-Identifier: Apache-2.0
// RNN, UNIDIRECTIONAL_SEQUENCE_RNN, BIDIRECTIONAL_SEQUENCE_RNN.
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/recurrent/recurrent.h"
#include "kernels-cl/args/activation.h"

enum { kForward, kBackward, CELLS };
enum { kSingle, kSequence, kBidirectional }; // variants
enum { kAuxInput = 9 };

// A node of any of the operators; the unidirectional ones use the first cell only.
typedef struct Rnn {
    int count; // of cells
    bool merge;
    int times; // that the cells run over the sequence
    LiteClCell cells[CELLS];
} Rnn;

// The cell whose weights, recurrent weights, bias and state are the inputs from `first` on.
static bool get_cell(const LiteClNode* node, int first, LiteClCell* cell, LiteClReason* reason) {
    cell->kernel = "rnn";
    cell->node = node;
    cell->part = first;
    cell->gates = 1;
    cell->infinite = true;
    cell->weights[0] = lite_cl_input(node, first);
    cell->recurrent[0] = lite_cl_input(node, first + 1);
    cell->bias[0] = lite_cl_input(node, first + 2);
    cell->output_state = node->inputs[first + 3];
    if (cell->weights[0] == NULL || cell->recurrent[0] == NULL || cell->weights[0]->shape.rank != 2 ||
        cell->recurrent[0]->shape.rank != 2) {
        return lite_cl_refuse(reason, "weights that are no matrices");
    }
    cell->cells = cell->outputs = cell->output_width = cell->weights[0]->shape.dims[0];
    LiteClActivation activation;
    if (!lite_cl_any_activation(cell->activation, &activation, reason)) return false;
    if (!lite_cl_check_cell(cell, reason)) return false;
    const LiteShape* state = &cell->output_state->shape;
    return (state->rank == 2 && state->dims[0] == cell->sequence.batches) ||
           lite_cl_refuse(reason, "a state of shape %s", lite_shape_text(state).text);
}

// An auxiliary input either has weights of its own in both cells or, without any, is the input of the
// backward cell.
static bool get_bidirectional(const LiteClNode* node, Rnn* rnn, LiteClReason* reason) {
    const TfLiteBidirectionalSequenceRNNParams* params = node->params;
    LiteClTensor* aux = node->inputs[kAuxInput];
    const bool has_weights = node->inputs[kAuxInput + 1] != NULL;
    LiteClSequence sequence;
    if (node->output_count != (params->merge_outputs ? 1 : CELLS))
        return lite_cl_refuse(reason, "%d outputs", node->output_count);
    if (has_weights != (node->inputs[kAuxInput + 2] != NULL))
        return lite_cl_refuse(reason, "only one of the cells has auxiliary weights");
    if (!lite_cl_sequence(node->inputs[0], 3, params->time_major, &sequence, reason) ||
        !lite_cl_check_aux(node->inputs[0], aux, has_weights, reason)) {
        return false;
    }
    *rnn = (Rnn){.count = CELLS, .merge = params->merge_outputs, .times = 1};
    for (int i = 0; i < CELLS; i++) {
        LiteClCell* cell = &rnn->cells[i];
        *cell = (LiteClCell){.sequence = sequence,
                             .input = node->inputs[0],
                             .aux = has_weights ? aux : NULL,
                             .aux_weights = {node->inputs[kAuxInput + 1 + i]},
                             .output = node->outputs[rnn->merge ? 0 : i],
                             .activation = params->activation,
                             .asymmetric = params->asymmetric_quantize_inputs};
        cell->sequence.backward = i == kBackward;
        // Otherwise the reference ignores it.
        if (aux != NULL && !has_weights && i == kBackward && params->time_major) cell->input = aux;
        if (!get_cell(node, i == kForward ? 1 : 5, cell, reason)) return false;
    }
    // The reference runs hybrid cells over a time-major sequence as often as it has steps.
    if (rnn->cells[0].weights[0]->type != kTfLiteFloat32 && params->time_major) rnn->times = sequence.steps;
    if (rnn->times > 64) return lite_cl_refuse(reason, "8-bit weights and %d steps", sequence.steps);
    if (rnn->merge) {
        rnn->cells[kBackward].output_offset = rnn->cells[kForward].outputs;
        const int64_t both = (int64_t)rnn->cells[kForward].outputs + rnn->cells[kBackward].outputs;
        rnn->cells[kForward].output_width = rnn->cells[kBackward].output_width = (int)both;
    }
    return rnn->cells[kForward].output_state != rnn->cells[kBackward].output_state ||
           lite_cl_refuse(reason, "one state for both cells");
}

static bool get(const LiteClNode* node, Rnn* rnn, LiteClReason* reason) {
    const bool bidirectional = node->op->variant == kBidirectional;
    if (node->input_count != (bidirectional ? 12 : 5))
        return lite_cl_refuse(reason, "%d inputs", node->input_count);
    if (bidirectional) return get_bidirectional(node, rnn, reason);
    const TfLiteRNNParams* single = node->params;
    const TfLiteSequenceRNNParams* sequence = node->params;
    const bool is_single = node->op->variant == kSingle;
    *rnn = (Rnn){.count = 1, .times = 1};
    LiteClCell* cell = &rnn->cells[kForward];
    *cell = (LiteClCell){.input = node->inputs[0],
                         .output = node->outputs[0],
                         .activation = is_single ? single->activation : sequence->activation,
                         .asymmetric = is_single ? single->asymmetric_quantize_inputs
                                                 : sequence->asymmetric_quantize_inputs};
    return lite_cl_sequence(cell->input, is_single ? 2 : 3, !is_single && sequence->time_major,
                            &cell->sequence, reason) &&
           get_cell(node, 1, cell, reason);
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    Rnn rnn;
    if (!get(node, &rnn, reason)) return false;
    const int count = rnn.merge ? 1 : rnn.count;
    if (node->output_count != count) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    for (int i = 0; i < count; i++) {
        outputs[i] = node->inputs[0]->shape;
        outputs[i].dims[outputs[i].rank - 1] = rnn.cells[i].output_width;
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    Rnn rnn;
    LiteClReason reason;
    if (!get(node, &rnn, &reason)) return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    for (int t = 0; t < rnn.times; t++) {
        for (int i = 0; i < rnn.count; i++) LITE_TRY(lite_cl_lower_cell(plan, &rnn.cells[i]));
    }
    return kTfLiteOk;
}

#define RNN_OP(NAME, Params, kind, all, letters, matrices)                                                   \
    const LiteClOp lite_cl_op_##NAME = {.rounds = kLiteClRoundsAll,                                          \
                                        .params_size =                                                       \
                                            LITE_CL_PARAMS_UP_TO(Params, asymmetric_quantize_inputs),        \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = (all),                                                 \
                                        .max_outputs = CELLS,                                                \
                                        .inputs = (letters),                                                 \
                                        .sparse = (matrices),                                                \
                                        .variant = (kind),                                                   \
                                        .infer = infer,                                                      \
                                        .lower = lower};
RNN_OP(RNN, TfLiteRNNParams, kSingle, 5, "T...v", LITE_CL_INPUTS(1, 2))
RNN_OP(UNIDIRECTIONAL_SEQUENCE_RNN, TfLiteSequenceRNNParams, kSequence, 5, "T...v", LITE_CL_INPUTS(1, 2))
RNN_OP(BIDIRECTIONAL_SEQUENCE_RNN, TfLiteBidirectionalSequenceRNNParams, kBidirectional, 12, "T...v...v.",
       LITE_CL_INPUTS(1, 2) | LITE_CL_INPUTS(5, 2) | LITE_CL_INPUTS(10, 2))
