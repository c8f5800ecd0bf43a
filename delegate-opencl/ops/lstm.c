// SPDX-License-Identifier: Apache-2.0
// LSTM (one step), UNIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_LSTM.
#include "delegate-opencl/ops/lstm_16.h"
#include "delegate-opencl/ops/lstm_basic.h"

enum { kForward, kBackward, CELLS };
enum { kSingle, kSequence, kBidirectional }; // variants
enum { kAuxInput = 39, BIDIRECTIONAL_INPUTS = 48 };

// Where a cell's tensors are among the inputs of the node.
typedef struct Layout {
    int weights; // of 17: input [4], recurrent [4], peephole [3], bias [4], projection weights and bias
    int output_state;
    int cell_state;
    int aux_weights; // first of 4; -1: none
    int layer_norm;  // first of 4; -1: none
} Layout;

static const Layout single_layout = {1, 18, 19, -1, 20};
static const Layout layouts[CELLS] = {{1, 35, 36, 40, -1}, {18, 37, 38, 44, -1}};

// The operators have the tensors of gates in the order input, forget, cell, output, peephole weights without
// those of the cell gate.
static const int tensor_of_gate[LITE_LSTM_GATES] = {1, 2, 3, 0};
static const int peephole_of_gate[LITE_LSTM_GATES] = {1, -1, 2, 0};

// A node of any of the operators; the unidirectional ones use the first cell only.
typedef struct Lstm {
    int count; // of cells
    bool merge;
    LiteClCell cells[CELLS];
    LiteLstmQuant quant; // of integers
} Lstm;

static void fetch(const LiteClNode* node, const Layout* layout, LiteClCell* cell) {
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
    cell->owner = &node->inputs[first];
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

// The cell of which all but the tensors of the layout is there.
static bool get_cell(const LiteClNode* node, const Layout* layout, LiteClCell* cell, LiteClReason* reason) {
    fetch(node, layout, cell);
    const LiteClTensor *weights = cell->weights[kLiteForget], *recurrent = cell->recurrent[kLiteForget];
    if (weights == NULL || recurrent == NULL || weights->shape.rank != 2 || recurrent->shape.rank < 1)
        return lite_cl_refuse(reason, "weights that are no matrices");
    cell->cells = weights->shape.dims[0];
    cell->outputs = cell->output_width = recurrent->shape.dims[recurrent->shape.rank - 1];
    if (node->op->variant != kSequence && recurrent->shape.rank == 1)
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

static bool get_bidirectional(const LiteClNode* node, Lstm* lstm, LiteClReason* reason) {
    const TfLiteBidirectionalSequenceLSTMParams* params = node->params;
    if (node->input_count != BIDIRECTIONAL_INPUTS ||
        node->output_count != (params->merge_outputs ? 1 : CELLS))
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
    *lstm = (Lstm){.count = CELLS, .merge = params->merge_outputs};
    for (int i = 0; i < CELLS; i++) {
        LiteClCell* cell = &lstm->cells[i];
        *cell = (LiteClCell){.sequence = sequence,
                             .input = aux != NULL && !has_weights && i == kBackward ? aux : node->inputs[0],
                             .aux = has_weights ? aux : NULL,
                             .output = node->outputs[lstm->merge ? 0 : i],
                             .activation = params->activation,
                             .asymmetric = params->asymmetric_quantize_inputs,
                             .cell_clip = params->cell_clip,
                             .proj_clip = params->proj_clip};
        cell->sequence.backward = i == kBackward;
        if (!get_cell(node, &layouts[i], cell, reason)) return false;
    }
    LiteClCell *forward = &lstm->cells[kForward], *backward = &lstm->cells[kBackward];
    if (forward->cells != backward->cells || forward->outputs != backward->outputs ||
        forward->weights[0]->type != backward->weights[0]->type) {
        return lite_cl_refuse(reason, "the cells differ in size or type");
    }
    if (forward->output_state == backward->output_state || forward->cell_state == backward->cell_state ||
        forward->output_state == backward->cell_state || forward->cell_state == backward->output_state) {
        return lite_cl_refuse(reason, "one state for both cells");
    }
    if (lstm->merge) {
        forward->output_width = backward->output_width = 2 * forward->outputs;
        backward->output_offset = forward->outputs;
    }
    return true;
}

static bool get_single(const LiteClNode* node, Lstm* lstm, LiteClReason* reason) {
    const TfLiteLSTMParams* params = node->params;
    if (params->kernel_type != kTfLiteLSTMFullKernel)
        return lite_cl_refuse(reason, "kernel type %d", (int)params->kernel_type);
    *lstm = (Lstm){.count = 1};
    lstm->cells[0] = (LiteClCell){.input = node->inputs[0],
                                  .output = node->outputs[0],
                                  .activation = params->activation,
                                  .asymmetric = params->asymmetric_quantize_inputs,
                                  .cell_clip = params->cell_clip,
                                  .proj_clip = params->proj_clip};
    return lite_cl_sequence(node->inputs[0], 2, true, &lstm->cells[0].sequence, reason);
}

static bool get_sequence(const LiteClNode* node, Lstm* lstm, LiteClReason* reason) {
    const TfLiteUnidirectionalSequenceLSTMParams* params = node->params;
    *lstm = (Lstm){.count = 1};
    lstm->cells[0] = (LiteClCell){.input = node->inputs[0],
                                  .output = node->outputs[0],
                                  .activation = params->activation,
                                  .asymmetric = params->asymmetric_quantize_inputs,
                                  .cell_clip = params->cell_clip,
                                  .proj_clip = params->proj_clip};
    return lite_cl_sequence(node->inputs[0], 3, params->time_major, &lstm->cells[0].sequence, reason);
}

static bool get(const LiteClNode* node, Lstm* lstm, LiteClReason* reason) {
    if (node->op->variant == kBidirectional) return get_bidirectional(node, lstm, reason);
    if (node->input_count != 20 && node->input_count != 24)
        return lite_cl_refuse(reason, "%d inputs", node->input_count);
    const bool found =
        node->op->variant == kSingle ? get_single(node, lstm, reason) : get_sequence(node, lstm, reason);
    if (!found || !get_cell(node, &single_layout, &lstm->cells[0], reason)) return false;
    return lite_cl_is_real(&lstm->cells[0]) ||
           lite_cl_lstm_16_check(node, &lstm->cells[0], &lstm->quant, reason);
}

static bool is_basic(const LiteClNode* node) {
    return node->op->variant == kSingle &&
           ((const TfLiteLSTMParams*)node->params)->kernel_type == kTfLiteLSTMBasicKernel;
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    if (is_basic(node)) return lite_cl_lstm_basic_infer(node, outputs, reason);
    Lstm lstm;
    if (!get(node, &lstm, reason)) return false;
    const int count = lstm.merge ? 1 : lstm.count;
    if (node->output_count != count) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    for (int i = 0; i < count; i++) {
        outputs[i] = node->inputs[0]->shape;
        outputs[i].dims[outputs[i].rank - 1] = lstm.cells[i].output_width;
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    if (is_basic(node)) return lite_cl_lstm_basic_lower(plan, node);
    Lstm lstm;
    LiteClReason reason;
    if (!get(node, &lstm, &reason)) return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    if (!lite_cl_is_real(&lstm.cells[0])) return lite_cl_lstm_16_lower(plan, &lstm.cells[0], &lstm.quant);
    for (int i = 0; i < lstm.count; i++) LITE_TRY(lite_cl_lower_cell(plan, &lstm.cells[i]));
    return kTfLiteOk;
}

// Weights of inputs and outputs, and the projection, of a cell whose tensors begin there.
#define CELL_MATRICES(first) (LITE_CL_INPUTS(first, 8) | LITE_CL_INPUTS((first) + 15, 1))

// The BASIC kernel of LSTM has its states at other places: 1 and 4.
#define LSTM_OP(NAME, Params, kind, all, most, letters, matrices, element_types)                             \
    const LiteClOp lite_cl_op_##NAME = {.params_size =                                                       \
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
                                        .lower = lower};
LSTM_OP(LSTM, TfLiteLSTMParams, kSingle, 24, 4, "Tv..v.............vv.", CELL_MATRICES(1),
        LITE_CL_TYPE(Float32) | LITE_CL_BYTES)
LSTM_OP(UNIDIRECTIONAL_SEQUENCE_LSTM, TfLiteUnidirectionalSequenceLSTMParams, kSequence, 24, 1,
        "T.................vv.", CELL_MATRICES(1), LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int8))
LSTM_OP(BIDIRECTIONAL_SEQUENCE_LSTM, TfLiteBidirectionalSequenceLSTMParams, kBidirectional,
        BIDIRECTIONAL_INPUTS, CELLS, "T..................................vvvv.",
        CELL_MATRICES(1) | CELL_MATRICES(18) | LITE_CL_INPUTS(40, 8), LITE_CL_TYPE(Float32))
