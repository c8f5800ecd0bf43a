// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_LSTM: one cell runs forward over the sequence, another backward, into two outputs or
// side by side into one. An auxiliary input either has weights of its own in both cells or, without any, is
// the input of the backward cell.
#include "kernels-cpu/recurrent/lstm_cell.h"

static const char op[] = "BIDIRECTIONAL_SEQUENCE_LSTM";

enum { kForward, kBackward, CELLS };
enum { kAuxInput = 39, INPUTS = 48 };

static const LiteLstmLayout layouts[CELLS] = {
    {.weights = 1, .output_state = 35, .cell_state = 36, .aux_weights = 40, .layer_norm = -1},
    {.weights = 18, .output_state = 37, .cell_state = 38, .aux_weights = 44, .layer_norm = -1},
};

typedef struct Data {
    LiteLstmCell cells[CELLS];
} Data;

typedef struct Call {
    LiteLstmOptions options;
    LiteView input;
    LiteView aux;
    LiteView outputs[CELLS];
    LiteLstmIo io[CELLS];
    LiteLstmViews views[CELLS];
    bool merge;
} Call;

static void* init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    Data* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    for (int i = 0; i < CELLS; i++) lite_recurrent_init(&data->cells[i].recurrent);
    return data;
}

static void destroy(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    Data* data = user_data;
    if (data == NULL) return;
    for (int i = 0; i < CELLS; i++) lite_recurrent_free(&data->cells[i].recurrent);
    lite_free(data);
}

// Both cells have auxiliary weights or none has; the auxiliary input is as long as the input.
static TfLiteStatus check_aux(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Call* call,
                              bool* has_weights) {
    *has_weights = lite_kernel_has_input(node, layouts[kForward].aux_weights + 1);
    if (*has_weights != lite_kernel_has_input(node, layouts[kBackward].aux_weights + 1)) {
        return lite_fail(context, "%s: only one of the cells has auxiliary weights", op);
    }
    if (call->aux.tensor == NULL) return kTfLiteOk;
    const LiteShape* input = &call->input.shape;
    const LiteShape* aux = &call->aux.shape;
    if (call->aux.type != call->input.type || aux->rank != 3 || aux->dims[0] != input->dims[0] ||
        aux->dims[1] != input->dims[1] || (!*has_weights && aux->dims[2] != input->dims[2])) {
        return lite_fail(context, "%s: the auxiliary input, %s %s, does not fit the input, %s %s", op,
                         TfLiteTypeGetName(call->aux.type), lite_shape_text(aux).text,
                         TfLiteTypeGetName(call->input.type), lite_shape_text(input).text);
    }
    return kTfLiteOk;
}

static TfLiteStatus get_cells(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                              const TfLiteBidirectionalSequenceLSTMParams* params, Call* call) {
    LiteSequence sequence;
    bool has_aux_weights;
    LITE_TRY(lite_sequence(context, op, &call->input, params->time_major, &sequence));
    LITE_TRY(check_aux(context, node, call, &has_aux_weights));
    for (int i = 0; i < CELLS; i++) {
        LiteLstmIo* io = &call->io[i];
        *io = (LiteLstmIo){.sequence = sequence, .input = &call->input};
        io->sequence.backward = i == kBackward;
        if (call->aux.tensor != NULL && has_aux_weights) {
            io->aux = &call->aux;
        } else if (call->aux.tensor != NULL && i == kBackward) {
            io->input = &call->aux;
        }
        LITE_TRY(lite_lstm_views(context, node, op, &layouts[i], &call->options, io, &call->views[i]));
    }
    const LiteLstmViews* forward = &call->views[kForward];
    const LiteLstmViews* backward = &call->views[kBackward];
    if (forward->cells != backward->cells || forward->outputs != backward->outputs ||
        forward->input[kLiteOutput].type != backward->input[kLiteOutput].type) {
        return lite_fail(context, "%s: %d cells forward and %d backward, or their outputs or types differ",
                         op, forward->cells, backward->cells);
    }
    return kTfLiteOk;
}

static TfLiteStatus get_call(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                             const TfLiteBidirectionalSequenceLSTMParams* params, Call* call) {
    *call = (Call){.merge = params->merge_outputs,
                   .options = {.activation = params->activation,
                               .cell_clip = params->cell_clip,
                               .proj_clip = params->proj_clip,
                               .asymmetric = params->asymmetric_quantize_inputs}};
    LITE_TRY(lite_kernel_input(context, node, op, 0, &call->input));
    if (call->input.type != kTfLiteFloat32) {
        return lite_fail(context, "%s: the input is %s, expected FLOAT32", op,
                         TfLiteTypeGetName(call->input.type));
    }
    if (lite_kernel_has_input(node, kAuxInput))
        LITE_TRY(lite_kernel_input(context, node, op, kAuxInput, &call->aux));
    for (int i = 0; i < (call->merge ? 1 : CELLS); i++) {
        LITE_TRY(lite_kernel_output(context, node, op, i, &call->outputs[i]));
    }
    return get_cells(context, node, params, call);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Data* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteBidirectionalSequenceLSTMParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, INPUTS, INPUTS, params->merge_outputs ? 1 : CELLS));
    Call call;
    LITE_TRY(get_call(context, node, params, &call));
    LiteShape out = call.input.shape;
    if (call.views[kForward].outputs > INT32_MAX / CELLS) {
        return lite_fail(context, "%s: has %d outputs", op, call.views[kForward].outputs);
    }
    out.dims[2] = call.views[kForward].outputs * (call.merge ? CELLS : 1);
    for (int i = 0; i < (call.merge ? 1 : CELLS); i++) {
        LITE_TRY(lite_kernel_resize(context, call.outputs[i].tensor, &out));
    }
    int temporaries[2 * CELLS];
    for (int i = 0; i < CELLS; i++) {
        LITE_TRY(get_call(context, node, params, &call)); // views do not outlive the temporaries of a cell
        const LiteView* output = &call.outputs[call.merge ? 0 : i];
        LITE_TRY(lite_lstm_prepare(context, node, op, &data->cells[i], &call.options, &call.io[i], output,
                                   &call.views[i], temporaries + 2 * i));
    }
    return lite_kernel_set_temporaries(node, temporaries, 2 * CELLS);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Data* data = TfLiteOpaqueNodeGetUserData(node);
    Call call;
    LITE_TRY(get_call(context, node, TfLiteOpaqueNodeGetBuiltinData(node), &call));
    for (int i = 0; i < CELLS; i++) {
        LiteLstmIo* io = &call.io[i];
        io->output = call.outputs[call.merge ? 0 : i].data;
        io->output_width = call.views[i].outputs;
        if (call.merge) {
            io->output_width *= CELLS;
            if (i == kBackward && io->output != NULL) {
                io->output = (float*)io->output + call.views[kForward].outputs;
            }
        }
        LITE_TRY(lite_lstm_invoke(context, op, &data->cells[i], &call.options, io, &call.views[i]));
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_BIDIRECTIONAL_SEQUENCE_LSTM = {
    .init = init, .free = destroy, .prepare = prepare, .invoke = invoke};
