// SPDX-License-Identifier: Apache-2.0
// RNN (one step), UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN.
#include "core/base/cancel.h"
#include "kernels-cpu/recurrent/rnn_cell.h"

enum { kForward, kBackward, CELLS };

typedef struct Data {
    LiteRecurrent cells[CELLS];
} Data;

// A node of any of the operators; the unidirectional ones use the first cell only.
typedef struct Call {
    const char* op;
    TfLiteFusedActivation activation;
    bool asymmetric;
    bool merge;
    LiteView input;
    LiteView aux;
    LiteRnnCell cells[CELLS];
    LiteView outputs[CELLS]; // merged: the first
} Call;

static void* init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    Data* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    for (int i = 0; i < CELLS; i++) lite_recurrent_init(&data->cells[i]);
    return data;
}

static void destroy(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    Data* data = user_data;
    if (data == NULL) return;
    for (int i = 0; i < CELLS; i++) lite_recurrent_free(&data->cells[i]);
    lite_free(data);
}

static TfLiteStatus prepare_cell(TfLiteOpaqueContext* context, Data* data, const Call* call, int index,
                                 int temporaries[2]) {
    return lite_rnn_cell_prepare(context, call->op, &data->cells[index], &call->cells[index],
                                 call->asymmetric, temporaries);
}

static TfLiteStatus run_cell(TfLiteOpaqueContext* context, Data* data, const Call* call, int index) {
    const LiteRnnCell* cell = &call->cells[index];
    LiteRnnOutput output = {call->outputs[call->merge ? kForward : index].data, (size_t)cell->units};
    if (call->merge) {
        output.width = (size_t)call->cells[kForward].units + (size_t)call->cells[kBackward].units;
        if (index == kBackward) output.data += call->cells[kForward].units;
    }
    return lite_rnn_cell_run(context, call->op, &data->cells[index], cell, call->activation, output);
}

// RNN and UNIDIRECTIONAL_SEQUENCE_RNN

// Sets all of a call but the sequence and the cell.
static TfLiteStatus begin_single(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Call* call) {
    LITE_TRY(lite_kernel_check_counts(context, node, call->op, 5, 5, 1));
    LITE_TRY(lite_kernel_input(context, node, call->op, 0, &call->input));
    return lite_kernel_output(context, node, call->op, 0, &call->outputs[kForward]);
}

static TfLiteStatus get_single(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Call* call) {
    static const LiteRnnLayout layout = {.first = 1, .aux = -1};
    LiteRnnCell* cell = &call->cells[kForward];
    cell->input = &call->input;
    return lite_rnn_cell_get(context, node, call->op, &layout, cell);
}

static TfLiteStatus prepare_single(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Call* call) {
    Data* data = TfLiteOpaqueNodeGetUserData(node);
    const LiteView* output = &call->outputs[kForward];
    if (data == NULL) return lite_fail(context, "%s: out of memory", call->op);
    if (output->type != kTfLiteFloat32) {
        return lite_fail(context, "%s: the output is %s, expected FLOAT32", call->op,
                         TfLiteTypeGetName(output->type));
    }
    LiteShape out = call->input.shape;
    out.dims[out.rank - 1] = call->cells[kForward].units;
    LITE_TRY(lite_kernel_resize(context, output->tensor, &out));
    int temporaries[2];
    LITE_TRY(prepare_cell(context, data, call, kForward, temporaries));
    return lite_kernel_set_temporaries(node, temporaries, 2);
}

static TfLiteStatus get_rnn(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Call* call) {
    const TfLiteRNNParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    *call = (Call){.op = "RNN"};
    if (params == NULL) return lite_fail(context, "%s: has no parameters", call->op);
    call->activation = params->activation;
    call->asymmetric = params->asymmetric_quantize_inputs;
    LITE_TRY(begin_single(context, node, call));
    if (call->input.shape.rank != 2) {
        return lite_fail(context, "%s: the input has %d dimensions, expected 2", call->op,
                         call->input.shape.rank);
    }
    call->cells[kForward].sequence = (LiteSequence){1, call->input.shape.dims[0], true, false};
    return get_single(context, node, call);
}

static TfLiteStatus rnn_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Call call;
    LITE_TRY(get_rnn(context, node, &call));
    return prepare_single(context, node, &call);
}

static TfLiteStatus rnn_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Call call;
    LITE_TRY(get_rnn(context, node, &call));
    return run_cell(context, TfLiteOpaqueNodeGetUserData(node), &call, kForward);
}

const LiteKernel lite_kernel_RNN = {
    .init = init, .free = destroy, .prepare = rnn_prepare, .invoke = rnn_invoke};

static TfLiteStatus get_sequence(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Call* call) {
    const TfLiteSequenceRNNParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    *call = (Call){.op = "UNIDIRECTIONAL_SEQUENCE_RNN"};
    if (params == NULL) return lite_fail(context, "%s: has no parameters", call->op);
    call->activation = params->activation;
    call->asymmetric = params->asymmetric_quantize_inputs;
    LITE_TRY(begin_single(context, node, call));
    LITE_TRY(
        lite_sequence(context, call->op, &call->input, params->time_major, &call->cells[kForward].sequence));
    return get_single(context, node, call);
}

static TfLiteStatus sequence_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Call call;
    LITE_TRY(get_sequence(context, node, &call));
    return prepare_single(context, node, &call);
}

static TfLiteStatus sequence_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Call call;
    LITE_TRY(get_sequence(context, node, &call));
    return run_cell(context, TfLiteOpaqueNodeGetUserData(node), &call, kForward);
}

const LiteKernel lite_kernel_UNIDIRECTIONAL_SEQUENCE_RNN = {
    .init = init, .free = destroy, .prepare = sequence_prepare, .invoke = sequence_invoke};

// BIDIRECTIONAL_SEQUENCE_RNN: an auxiliary input either has weights of its own in both cells or, without any,
// is the input of the backward cell.

static const LiteRnnLayout layouts[CELLS] = {{.first = 1, .aux = 10}, {.first = 5, .aux = 11}};
enum { kAuxInput = 9, BIDIRECTIONAL_INPUTS = 12 };

static TfLiteStatus check_aux(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Call* call,
                              bool* has_weights) {
    *has_weights = lite_kernel_has_input(node, layouts[kForward].aux);
    if (*has_weights != lite_kernel_has_input(node, layouts[kBackward].aux)) {
        return lite_fail(context, "%s: only one of the cells has auxiliary weights", call->op);
    }
    if (call->aux.tensor == NULL) {
        return *has_weights ? lite_fail(context, "%s: auxiliary weights without an input", call->op)
                            : kTfLiteOk;
    }
    const LiteShape* input = &call->input.shape;
    const LiteShape* aux = &call->aux.shape;
    if (call->aux.type != kTfLiteFloat32 || aux->rank != 3 || aux->dims[0] != input->dims[0] ||
        aux->dims[1] != input->dims[1] || (!*has_weights && aux->dims[2] != input->dims[2])) {
        return lite_fail(context, "%s: the auxiliary input does not fit the input", call->op);
    }
    return kTfLiteOk;
}

static TfLiteStatus get_bidirectional(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Call* call) {
    const TfLiteBidirectionalSequenceRNNParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    *call = (Call){.op = "BIDIRECTIONAL_SEQUENCE_RNN"};
    if (params == NULL) return lite_fail(context, "%s: has no parameters", call->op);
    call->activation = params->activation;
    call->asymmetric = params->asymmetric_quantize_inputs;
    call->merge = params->merge_outputs;
    LITE_TRY(lite_kernel_check_counts(context, node, call->op, BIDIRECTIONAL_INPUTS, BIDIRECTIONAL_INPUTS,
                                      call->merge ? 1 : CELLS));
    LITE_TRY(lite_kernel_input(context, node, call->op, 0, &call->input));
    if (lite_kernel_has_input(node, kAuxInput)) {
        LITE_TRY(lite_kernel_input(context, node, call->op, kAuxInput, &call->aux));
    }
    LiteSequence sequence;
    bool has_aux_weights;
    LITE_TRY(lite_sequence(context, call->op, &call->input, params->time_major, &sequence));
    LITE_TRY(check_aux(context, node, call, &has_aux_weights));
    for (int i = 0; i < CELLS; i++) {
        LiteRnnCell* cell = &call->cells[i];
        cell->sequence = sequence;
        cell->sequence.backward = i == kBackward;
        cell->input = &call->input;
        if (has_aux_weights) {
            cell->aux = &call->aux;
        } else if (call->aux.tensor != NULL && i == kBackward && params->time_major) {
            cell->input = &call->aux; // otherwise the reference ignores it
        }
        LITE_TRY(lite_kernel_output(context, node, call->op, call->merge ? 0 : i, &call->outputs[i]));
        LITE_TRY(lite_rnn_cell_get(context, node, call->op, &layouts[i], cell));
    }
    return kTfLiteOk;
}

static TfLiteStatus bidirectional_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Data* data = TfLiteOpaqueNodeGetUserData(node);
    Call call;
    LITE_TRY(get_bidirectional(context, node, &call));
    if (data == NULL) return lite_fail(context, "%s: out of memory", call.op);
    const int64_t both = (int64_t)call.cells[kForward].units + call.cells[kBackward].units;
    if (both > INT32_MAX) return lite_fail(context, "%s: has too many units", call.op);
    for (int i = 0; i < (call.merge ? 1 : CELLS); i++) {
        const LiteRnnCell* cell = &call.cells[i];
        if (call.outputs[i].type != kTfLiteFloat32) {
            return lite_fail(context, "%s: output %d is %s, expected FLOAT32", call.op, i,
                             TfLiteTypeGetName(call.outputs[i].type));
        }
        LiteShape out = call.input.shape;
        out.dims[2] = call.merge ? (int32_t)both : cell->units;
        LITE_TRY(lite_kernel_resize(context, call.outputs[i].tensor, &out));
    }
    int temporaries[2 * CELLS];
    for (int i = 0; i < CELLS; i++) {
        LITE_TRY(get_bidirectional(context, node, &call)); // views do not outlive a cell's temporaries
        LITE_TRY(prepare_cell(context, data, &call, i, temporaries + 2 * i));
    }
    return lite_kernel_set_temporaries(node, temporaries, 2 * CELLS);
}

static TfLiteStatus bidirectional_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Call call;
    LITE_TRY(get_bidirectional(context, node, &call));
    // The reference runs hybrid cells over a time-major sequence as often as it has steps.
    const LiteRnnCell* forward = &call.cells[kForward];
    const LiteSequence* sequence = &forward->sequence;
    const int32_t times = forward->hybrid && sequence->time_major ? sequence->steps : 1;
    for (int32_t t = 0; t < times && !lite_cancelled(); t++) {
        for (int i = 0; i < CELLS; i++) {
            LITE_TRY(run_cell(context, TfLiteOpaqueNodeGetUserData(node), &call, i));
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_BIDIRECTIONAL_SEQUENCE_RNN = {
    .init = init, .free = destroy, .prepare = bidirectional_prepare, .invoke = bidirectional_invoke};
