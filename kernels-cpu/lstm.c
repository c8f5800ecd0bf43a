// SPDX-License-Identifier: Apache-2.0
// LSTM (one step, in the FULL form or the BASIC one) and UNIDIRECTIONAL_SEQUENCE_LSTM.
#include "kernels-cpu/recurrent/lstm_basic.h"
#include "kernels-cpu/recurrent/lstm_cell.h"

static const char lstm_op[] = "LSTM";
static const char sequence_op[] = "UNIDIRECTIONAL_SEQUENCE_LSTM";

typedef struct LstmData {
    LiteLstmCell cell;
    LiteLstmBasic basic;
} LstmData;

static void* lstm_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    LstmData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    lite_recurrent_init(&data->cell.recurrent);
    data->basic.gemm.scratch_tensor = -1;
    return data;
}

static void lstm_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    LstmData* data = user_data;
    if (data == NULL) return;
    lite_recurrent_free(&data->cell.recurrent);
    lite_gemm_free(&data->basic.gemm);
    lite_free(data);
}

// What prepare and invoke of both operators look at.
typedef struct Call {
    LiteLstmOptions options;
    LiteLstmIo io;
    LiteLstmViews views;
    LiteView input;
    LiteView output;
} Call;

static TfLiteStatus get_call(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             Call* call) {
    // Older models have no tensors for layer normalization.
    const bool can_normalize = TfLiteOpaqueNodeNumberOfInputs(node) > 20;
    const LiteLstmLayout layout = {.weights = 1,
                                   .output_state = 18,
                                   .cell_state = 19,
                                   .aux_weights = -1,
                                   .layer_norm = can_normalize ? 20 : -1};
    call->io.input = &call->input;
    LITE_TRY(lite_lstm_views(context, node, op, &layout, &call->options, &call->io, &call->views));
    call->io.output = call->output.data;
    call->io.output_width = call->views.outputs;
    return kTfLiteOk;
}

static TfLiteStatus check_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op) {
    const int count = TfLiteOpaqueNodeNumberOfInputs(node);
    if (count == 20 || count == 24) return lite_kernel_check_counts(context, node, op, 20, 24, 1);
    return lite_fail(context, "%s: The LSTM Full kernel expects 20 or 24 inputs. Got %d inputs", op, count);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                            LstmData* data, const Call* call) {
    LiteShape out = call->input.shape;
    out.dims[out.rank - 1] = call->views.outputs;
    LITE_TRY(lite_kernel_resize(context, call->output.tensor, &out));
    int temporaries[2];
    LITE_TRY(lite_lstm_prepare(context, node, op, &data->cell, &call->options, &call->io, &call->output,
                               &call->views, temporaries));
    return lite_kernel_set_temporaries(node, temporaries, 2);
}

static TfLiteStatus get_lstm(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                             const TfLiteLSTMParams* params, Call* call) {
    call->options = (LiteLstmOptions){.activation = params->activation,
                                      .cell_clip = params->cell_clip,
                                      .proj_clip = params->proj_clip,
                                      .asymmetric = params->asymmetric_quantize_inputs};
    call->io = (LiteLstmIo){0};
    LITE_TRY(lite_kernel_input(context, node, lstm_op, 0, &call->input));
    LITE_TRY(lite_kernel_output(context, node, lstm_op, 0, &call->output));
    if (call->input.shape.rank != 2) {
        return lite_fail(context, "%s: the input has %d dimensions, expected 2", lstm_op,
                         call->input.shape.rank);
    }
    call->io.sequence = (LiteSequence){1, call->input.shape.dims[0], true, false};
    return get_call(context, node, lstm_op, call);
}

static TfLiteStatus lstm_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LstmData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteLSTMParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", lstm_op);
    if (params->kernel_type == kTfLiteLSTMBasicKernel) {
        return lite_lstm_basic_prepare(context, node, &data->basic);
    }
    if (params->kernel_type != kTfLiteLSTMFullKernel) {
        return lite_fail(context, "%s: there is no kernel type %d", lstm_op, (int)params->kernel_type);
    }
    LITE_TRY(check_inputs(context, node, lstm_op));
    Call call;
    LITE_TRY(get_lstm(context, node, params, &call));
    return prepare(context, node, lstm_op, data, &call);
}

static TfLiteStatus lstm_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LstmData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteLSTMParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params->kernel_type == kTfLiteLSTMBasicKernel) {
        return lite_lstm_basic_invoke(context, node, &data->basic);
    }
    Call call;
    LITE_TRY(get_lstm(context, node, params, &call));
    return lite_lstm_invoke(context, lstm_op, &data->cell, &call.options, &call.io, &call.views);
}

const LiteKernel lite_kernel_LSTM = {
    .init = lstm_init, .free = lstm_free, .prepare = lstm_prepare, .invoke = lstm_invoke};

static TfLiteStatus get_sequence(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const TfLiteUnidirectionalSequenceLSTMParams* params, Call* call) {
    call->options = (LiteLstmOptions){.activation = params->activation,
                                      .cell_clip = params->cell_clip,
                                      .proj_clip = params->proj_clip,
                                      .asymmetric = params->asymmetric_quantize_inputs,
                                      .diagonal = true};
    call->io = (LiteLstmIo){0};
    LITE_TRY(lite_kernel_input(context, node, sequence_op, 0, &call->input));
    LITE_TRY(lite_kernel_output(context, node, sequence_op, 0, &call->output));
    LITE_TRY(lite_sequence(context, sequence_op, &call->input, params->time_major, &call->io.sequence));
    return get_call(context, node, sequence_op, call);
}

static TfLiteStatus sequence_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LstmData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteUnidirectionalSequenceLSTMParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", sequence_op);
    LITE_TRY(check_inputs(context, node, sequence_op));
    Call call;
    LITE_TRY(get_sequence(context, node, params, &call));
    if (call.input.type == kTfLiteInt8 && lite_kernel_num_intermediates(node) != 5) {
        return lite_fail(context, "%s: has %d intermediates, expected 5", sequence_op,
                         lite_kernel_num_intermediates(node));
    }
    return prepare(context, node, sequence_op, data, &call);
}

static TfLiteStatus sequence_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LstmData* data = TfLiteOpaqueNodeGetUserData(node);
    Call call;
    LITE_TRY(get_sequence(context, node, TfLiteOpaqueNodeGetBuiltinData(node), &call));
    return lite_lstm_invoke(context, sequence_op, &data->cell, &call.options, &call.io, &call.views);
}

const LiteKernel lite_kernel_UNIDIRECTIONAL_SEQUENCE_LSTM = {
    .init = lstm_init, .free = lstm_free, .prepare = sequence_prepare, .invoke = sequence_invoke};
