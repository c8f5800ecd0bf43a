// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_LSTM: two cells, of which one begins with the last step.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/recurrent/lstm_cell.h"
#include "delegate-opencl/ops/recurrent/recurrent.h"

enum { kForward, kBackward, CELLS };
enum { kAuxInput = 39, INPUTS = 48 };

static const LiteClLstmLayout layouts[CELLS] = {{1, 35, 36, 40, -1}, {18, 37, 38, 44, -1}};

typedef struct Cells {
    bool merge; // into one output
    LiteClCell cells[CELLS];
} Cells;

static bool get(const LiteClNode* node, Cells* both, LiteClReason* reason) {
    const TfLiteBidirectionalSequenceLSTMParams* params = node->params;
    if (node->input_count != INPUTS || node->output_count != (params->merge_outputs ? 1 : CELLS))
        return lite_cl_refuse(reason, "%d inputs and %d outputs", node->input_count, node->output_count);
    LiteClTensor* aux = node->inputs[kAuxInput];
    const bool has_weights = node->inputs[layouts[kForward].aux_weights + 1] != NULL;
    LiteClSequence sequence;
    if (has_weights != (node->inputs[layouts[kBackward].aux_weights + 1] != NULL))
        return lite_cl_refuse(reason, "only one of the cells has auxiliary weights");
    if (!lite_cl_sequence(node->inputs[0], 3, params->time_major, &sequence, reason) ||
        !lite_cl_check_aux(node->inputs[0], aux, has_weights, reason)) {
        return false;
    }
    both->merge = params->merge_outputs;
    for (int i = 0; i < CELLS; i++) {
        LiteClCell* cell = &both->cells[i];
        *cell = (LiteClCell){.sequence = sequence,
                             .input = aux != NULL && !has_weights && i == kBackward ? aux : node->inputs[0],
                             .aux = has_weights ? aux : NULL,
                             .output = node->outputs[both->merge ? 0 : i],
                             .activation = params->activation,
                             .asymmetric = params->asymmetric_quantize_inputs,
                             .cell_clip = params->cell_clip,
                             .proj_clip = params->proj_clip};
        cell->sequence.backward = i == kBackward;
        if (!lite_cl_lstm_cell(node, &layouts[i], false, cell, reason)) return false;
    }
    LiteClCell *forward = &both->cells[kForward], *backward = &both->cells[kBackward];
    if (forward->cells != backward->cells || forward->outputs != backward->outputs ||
        forward->weights[0]->type != backward->weights[0]->type) {
        return lite_cl_refuse(reason, "the cells differ in size or type");
    }
    if (forward->output_state == backward->output_state || forward->cell_state == backward->cell_state ||
        forward->output_state == backward->cell_state || forward->cell_state == backward->output_state) {
        return lite_cl_refuse(reason, "one state for both cells");
    }
    if (both->merge) {
        forward->output_width = backward->output_width = 2 * forward->outputs;
        backward->output_offset = forward->outputs;
    }
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    Cells both;
    if (!get(node, &both, reason)) return false;
    for (int i = 0; i < node->output_count; i++) {
        outputs[i] = node->inputs[0]->shape;
        outputs[i].dims[outputs[i].rank - 1] = both.cells[i].output_width;
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    Cells both;
    LiteClReason reason;
    if (!get(node, &both, &reason)) return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    for (int i = 0; i < CELLS; i++) LITE_TRY(lite_cl_lower_cell(plan, &both.cells[i]));
    return kTfLiteOk;
}

const LiteClOp lite_cl_op_BIDIRECTIONAL_SEQUENCE_LSTM = {
    .rounds = kLiteClRoundsAll,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteBidirectionalSequenceLSTMParams, asymmetric_quantize_inputs),
    .min_inputs = 1,
    .max_inputs = INPUTS,
    .max_outputs = CELLS,
    .inputs = "T..................................vvvv.",
    .sparse = LITE_CL_LSTM_MATRICES(1) | LITE_CL_LSTM_MATRICES(18) | LITE_CL_INPUTS(40, 8),
    .outputs = ".",
    .types = LITE_TYPE(Float32),
    .infer = infer,
    .lower = lower,
};
