// SPDX-License-Identifier: Apache-2.0
// LSTM (one step) and UNIDIRECTIONAL_SEQUENCE_LSTM.
#include "core/semantics/lstm_scales.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/recurrent/lstm_16.h"
#include "delegate-opencl/ops/recurrent/lstm_basic.h"
#include "delegate-opencl/ops/recurrent/lstm_cell.h"
#include "delegate-opencl/ops/recurrent/recurrent.h"

enum { kSingle, kSequence }; // variants

static const LiteClLstmLayout layout = {1, 18, 19, -1, 20};

static bool get_single(const LiteClNode* node, LiteClCell* cell, LiteClReason* reason) {
    const TfLiteLSTMParams* params = node->params;
    if (params->kernel_type != kTfLiteLSTMFullKernel)
        return lite_cl_refuse(reason, "kernel type %d", (int)params->kernel_type);
    *cell = (LiteClCell){.input = node->inputs[0],
                         .output = node->outputs[0],
                         .activation = params->activation,
                         .asymmetric = params->asymmetric_quantize_inputs,
                         .cell_clip = params->cell_clip,
                         .proj_clip = params->proj_clip};
    return lite_cl_sequence(node->inputs[0], 2, true, &cell->sequence, reason);
}

static bool get_sequence(const LiteClNode* node, LiteClCell* cell, LiteClReason* reason) {
    const TfLiteUnidirectionalSequenceLSTMParams* params = node->params;
    *cell = (LiteClCell){.input = node->inputs[0],
                         .output = node->outputs[0],
                         .activation = params->activation,
                         .asymmetric = params->asymmetric_quantize_inputs,
                         .cell_clip = params->cell_clip,
                         .proj_clip = params->proj_clip};
    return lite_cl_sequence(node->inputs[0], 3, params->time_major, &cell->sequence, reason);
}

// `quant` is for a cell of integers.
static bool get(const LiteClNode* node, LiteClCell* cell, LiteLstmQuant* quant, LiteClReason* reason) {
    const bool is_single = node->op->variant == kSingle;
    if (node->input_count != 20 && node->input_count != 24)
        return lite_cl_refuse(reason, "%d inputs", node->input_count);
    if (!(is_single ? get_single(node, cell, reason) : get_sequence(node, cell, reason)) ||
        !lite_cl_lstm_cell(node, &layout, !is_single, cell, reason)) {
        return false;
    }
    return lite_cl_is_real(cell) || lite_cl_lstm_16_check(node, cell, quant, reason);
}

static bool is_basic(const LiteClNode* node) {
    return node->op->variant == kSingle &&
           ((const TfLiteLSTMParams*)node->params)->kernel_type == kTfLiteLSTMBasicKernel;
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    if (is_basic(node)) return lite_cl_lstm_basic_infer(node, outputs, reason);
    LiteClCell cell;
    LiteLstmQuant quant;
    if (!get(node, &cell, &quant, reason)) return false;
    if (node->output_count != 1) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    outputs[0] = node->inputs[0]->shape;
    outputs[0].dims[outputs[0].rank - 1] = cell.output_width;
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    if (is_basic(node)) return lite_cl_lstm_basic_lower(plan, node);
    LiteClCell cell;
    LiteLstmQuant quant;
    LiteClReason reason;
    if (!get(node, &cell, &quant, &reason))
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    return lite_cl_is_real(&cell) ? lite_cl_lower_cell(plan, &cell)
                                  : lite_cl_lstm_16_lower(plan, &cell, &quant);
}

// The arguments of the kernels for integers are among the longest.
static bool fits(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    return node->inputs[0]->type == kTfLiteFloat32 || lite_cl_lstm_16_fits(device, reason);
}

// The BASIC kernel of LSTM has its states at other places: 1 and 4.
#define LSTM_OP(NAME, Params, kind, all, most, letters, matrices, element_types)                             \
    const LiteClOp lite_cl_op_##NAME = {.rounds = kLiteClRoundsAll,                                          \
                                        .params_size =                                                       \
                                            LITE_CL_PARAMS_UP_TO(Params, asymmetric_quantize_inputs),        \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = (all),                                                 \
                                        .max_outputs = (most),                                               \
                                        .inputs = (letters),                                                 \
                                        .sparse = (matrices),                                                \
                                        .outputs = ".",                                                      \
                                        .types = (element_types),                                            \
                                        .variant = (kind),                                                   \
                                        .infer = infer,                                                      \
                                        .fits = fits,                                                        \
                                        .lower = lower};
LSTM_OP(LSTM, TfLiteLSTMParams, kSingle, 24, 4, "Tv..v.............vv.", LITE_CL_LSTM_MATRICES(1),
        LITE_TYPE(Float32) | LITE_TYPES_BYTE)
LSTM_OP(UNIDIRECTIONAL_SEQUENCE_LSTM, TfLiteUnidirectionalSequenceLSTMParams, kSequence, 24, 1,
        "T.................vv.", LITE_CL_LSTM_MATRICES(1), LITE_TYPE(Float32) | LITE_TYPE(Int8))
