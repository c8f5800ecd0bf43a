// SPDX-License-Identifier: Apache-2.0
// RNN (one step), UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN:
//
//     state = activation(weights * input + recurrent weights * state + bias)
//
// in float or with 8-bit weights; the output is the state.
#include <string.h>

#include "kernels-cpu/recurrent.h"
#include "kernels-cpu/recurrent_rows.h"
#include "kernels-cpu/sparse.h"

// Where a cell's tensors are among the inputs of the node.
typedef struct Layout {
    int first; // weights, recurrent weights, bias, state
    int aux;   // auxiliary weights, -1: none
} Layout;

typedef struct Cell {
    LiteView weights;
    LiteView recurrent;
    LiteView bias;
    LiteView state;
    LiteView aux_weights;
    LiteView output;
    LiteWeights products[LITE_PRODUCTS];
    LiteSequence sequence;
    const LiteView* input;
    const LiteView* aux; // NULL: none
    int32_t units;
    bool hybrid;
} Cell;

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
    int count; // of cells
    LiteView input;
    LiteView aux;
    Cell cells[CELLS];
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

static TfLiteStatus check_matrix(TfLiteOpaqueContext* context, const char* op, const char* what,
                                 const LiteView* view, const Cell* cell, int32_t columns) {
    if (view->type != cell->weights.type) {
        return lite_fail(context, "%s: weights are %s, %s weights %s", op,
                         TfLiteTypeGetName(cell->weights.type), what, TfLiteTypeGetName(view->type));
    }
    const int32_t* dims = view->shape.dims;
    if (view->shape.rank == 2 && dims[0] == cell->units && dims[1] == columns) return kTfLiteOk;
    return lite_fail(context, "%s: %s weights have %d dimensions [%d, %d], expected [%d, %d]", op, what,
                     view->shape.rank, view->shape.rank > 0 ? dims[0] : 1, view->shape.rank > 1 ? dims[1] : 1,
                     cell->units, columns);
}

static TfLiteStatus check_cell(TfLiteOpaqueContext* context, const char* op, const Cell* cell) {
    const TfLiteType type = cell->weights.type;
    if (cell->input->type != kTfLiteFloat32 ||
        (type != kTfLiteFloat32 && type != kTfLiteInt8 && type != kTfLiteUInt8)) {
        return lite_fail(context, "%s: %s input and %s weights do not go together", op,
                         TfLiteTypeGetName(cell->input->type), TfLiteTypeGetName(type));
    }
    const LiteShape* input = &cell->input->shape;
    LITE_TRY(check_matrix(context, op, "input", &cell->weights, cell, input->dims[input->rank - 1]));
    LITE_TRY(check_matrix(context, op, "recurrent", &cell->recurrent, cell, cell->units));
    if (cell->aux != NULL) {
        LITE_TRY(check_matrix(context, op, "auxiliary", &cell->aux_weights, cell, cell->aux->shape.dims[2]));
    }
    if (cell->bias.type != kTfLiteFloat32 || cell->bias.shape.rank != 1 ||
        cell->bias.shape.dims[0] != cell->units) {
        return lite_fail(context, "%s: the bias has %lld elements of type %s, expected %d of type FLOAT32",
                         op, (long long)cell->bias.count, TfLiteTypeGetName(cell->bias.type), cell->units);
    }
    const LiteShape* state = &cell->state.shape;
    if (state->rank != 2 || state->dims[0] != cell->sequence.batches) {
        return lite_fail(context, "%s: the hidden state has %d dimensions, expected [%d, %d]", op,
                         state->rank, cell->sequence.batches, cell->units);
    }
    return lite_check_state(context, op, "hidden", &cell->state, kTfLiteFloat32,
                            (int64_t)cell->sequence.batches * cell->units);
}

// Fetches the tensors of a cell whose sequence, input and auxiliary input are set.
static TfLiteStatus get_cell(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             const Layout* layout, Cell* cell) {
    LITE_TRY(lite_sparse_input(context, node, op, layout->first, &cell->weights));
    LITE_TRY(lite_sparse_input(context, node, op, layout->first + 1, &cell->recurrent));
    LITE_TRY(lite_input(context, node, op, layout->first + 2, &cell->bias));
    LITE_TRY(lite_input(context, node, op, layout->first + 3, &cell->state));
    if (cell->aux != NULL) LITE_TRY(lite_sparse_input(context, node, op, layout->aux, &cell->aux_weights));
    if (cell->weights.shape.rank < 1) return lite_fail(context, "%s: the weights are a scalar", op);
    cell->units = cell->weights.shape.dims[0];
    cell->hybrid = cell->weights.type != kTfLiteFloat32;
    LITE_TRY(check_cell(context, op, cell));
    const LiteShape* input = &cell->input->shape;
    memset(cell->products, 0, sizeof(cell->products));
    cell->products[kLiteOfInput] = (LiteWeights){
        .gates = {&cell->weights}, .count = 1, .columns = cell->units, .depth = input->dims[input->rank - 1]};
    cell->products[kLiteOfState] =
        (LiteWeights){.gates = {&cell->recurrent}, .count = 1, .columns = cell->units, .depth = cell->units};
    if (cell->aux != NULL) {
        cell->products[kLiteOfAux] = (LiteWeights){.gates = {&cell->aux_weights},
                                                   .count = 1,
                                                   .columns = cell->units,
                                                   .depth = cell->aux->shape.dims[2]};
    }
    for (int p = 0; p < LITE_PRODUCTS; p++) {
        cell->products[p].form = lite_gemm_form(cell->input->type, cell->weights.type);
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_call(TfLiteOpaqueContext* context, Data* data, const Call* call, int index,
                                 int temporaries[2]) {
    const Cell* cell = &call->cells[index];
    LiteRecurrent* recurrent = &data->cells[index];
    recurrent->asymmetric = call->asymmetric;
    LITE_TRY(lite_recurrent_prepare(context, call->op, recurrent, cell->products));
    LiteCarver carver = {0};
    LiteRecurrentBuffers buffers;
    lite_recurrent_carve(&carver, cell->products, &cell->sequence, cell->hybrid, &buffers);
    LITE_TRY(lite_carve_prepare(context, call->op, &carver, &recurrent->workspace));
    temporaries[0] = recurrent->scratch;
    temporaries[1] = recurrent->workspace;
    return kTfLiteOk;
}

typedef struct Run {
    const Call* call;
    const Cell* cell;
    float* output;
    size_t width; // elements from one row of the output to the next
} Run;

static TfLiteStatus advance(void* argument, const LiteStep* step) {
    const Run* run = argument;
    const Cell* cell = run->cell;
    const size_t units = (size_t)cell->units;
    float* state = cell->state.data;
    for (size_t b = 0; b < (size_t)cell->sequence.batches; b++) {
        float* x = step->input + b * units;
        lite_row_add(x, cell->bias.data, cell->units);
        if (step->aux != NULL) lite_row_add(x, step->aux + b * units, cell->units);
        lite_row_add(x, step->state + b * units, cell->units);
        lite_row_activate(run->call->activation, x, state + b * units, cell->units);
    }
    lite_sequence_scatter(&cell->sequence, step->index, state, units * sizeof(float), run->output,
                          run->width * sizeof(float));
    return kTfLiteOk;
}

static TfLiteStatus run_cell(TfLiteOpaqueContext* context, Data* data, const Call* call, int index) {
    const Cell* cell = &call->cells[index];
    LiteRecurrent* recurrent = &data->cells[index];
    Run run = {.call = call, .cell = cell, .output = cell->output.data, .width = (size_t)cell->units};
    if (call->merge) {
        run.width = (size_t)call->cells[kForward].units + (size_t)call->cells[kBackward].units;
        if (index == kBackward) run.output += call->cells[kForward].units;
    }
    LITE_TRY(lite_recurrent_pack(context, call->op, recurrent, cell->products));
    LiteCarver carver;
    LITE_TRY(lite_carve_begin(context, call->op, recurrent->workspace, &carver));
    LiteRecurrentRun products = {.recurrent = recurrent,
                                 .weights = cell->products,
                                 .sequence = cell->sequence,
                                 .input = cell->input->data,
                                 .aux = cell->aux == NULL ? NULL : cell->aux->data,
                                 .state = cell->state.data};
    lite_recurrent_carve(&carver, cell->products, &cell->sequence, cell->hybrid, &products.buffers);
    return lite_recurrent_run(context, call->op, &products, advance, &run);
}

// RNN and UNIDIRECTIONAL_SEQUENCE_RNN

static TfLiteStatus get_single(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Call* call) {
    static const Layout layout = {.first = 1, .aux = -1};
    Cell* cell = &call->cells[kForward];
    cell->input = &call->input;
    return get_cell(context, node, call->op, &layout, cell);
}

static TfLiteStatus prepare_single(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Call* call) {
    Data* data = TfLiteOpaqueNodeGetUserData(node);
    const Cell* cell = &call->cells[kForward];
    if (data == NULL) return lite_fail(context, "%s: out of memory", call->op);
    if (cell->output.type != kTfLiteFloat32) {
        return lite_fail(context, "%s: the output is %s, expected FLOAT32", call->op,
                         TfLiteTypeGetName(cell->output.type));
    }
    LiteShape out = call->input.shape;
    out.dims[out.rank - 1] = cell->units;
    LITE_TRY(lite_resize(context, cell->output.tensor, &out));
    int temporaries[2];
    LITE_TRY(prepare_call(context, data, call, kForward, temporaries));
    return TfLiteOpaqueNodeSetTemporaries(node, temporaries, 2);
}

static TfLiteStatus get_rnn(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Call* call) {
    const TfLiteRNNParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    *call = (Call){.op = "RNN", .count = 1};
    if (params == NULL) return lite_fail(context, "%s: has no parameters", call->op);
    call->activation = params->activation;
    call->asymmetric = params->asymmetric_quantize_inputs;
    LITE_TRY(lite_check_counts(context, node, call->op, 5, 5, 1));
    LITE_TRY(lite_input(context, node, call->op, 0, &call->input));
    LITE_TRY(lite_output(context, node, call->op, 0, &call->cells[kForward].output));
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
    *call = (Call){.op = "UNIDIRECTIONAL_SEQUENCE_RNN", .count = 1};
    if (params == NULL) return lite_fail(context, "%s: has no parameters", call->op);
    call->activation = params->activation;
    call->asymmetric = params->asymmetric_quantize_inputs;
    LITE_TRY(lite_check_counts(context, node, call->op, 5, 5, 1));
    LITE_TRY(lite_input(context, node, call->op, 0, &call->input));
    LITE_TRY(lite_output(context, node, call->op, 0, &call->cells[kForward].output));
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

static const Layout layouts[CELLS] = {{.first = 1, .aux = 10}, {.first = 5, .aux = 11}};
enum { kAuxInput = 9, BIDIRECTIONAL_INPUTS = 12 };

static TfLiteStatus check_aux(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Call* call,
                              bool* has_weights) {
    *has_weights = lite_has_input(node, layouts[kForward].aux);
    if (*has_weights != lite_has_input(node, layouts[kBackward].aux)) {
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
    *call = (Call){.op = "BIDIRECTIONAL_SEQUENCE_RNN", .count = CELLS};
    if (params == NULL) return lite_fail(context, "%s: has no parameters", call->op);
    call->activation = params->activation;
    call->asymmetric = params->asymmetric_quantize_inputs;
    call->merge = params->merge_outputs;
    LITE_TRY(lite_check_counts(context, node, call->op, BIDIRECTIONAL_INPUTS, BIDIRECTIONAL_INPUTS,
                               call->merge ? 1 : CELLS));
    LITE_TRY(lite_input(context, node, call->op, 0, &call->input));
    if (lite_has_input(node, kAuxInput)) {
        LITE_TRY(lite_input(context, node, call->op, kAuxInput, &call->aux));
    }
    LiteSequence sequence;
    bool has_aux_weights;
    LITE_TRY(lite_sequence(context, call->op, &call->input, params->time_major, &sequence));
    LITE_TRY(check_aux(context, node, call, &has_aux_weights));
    for (int i = 0; i < CELLS; i++) {
        Cell* cell = &call->cells[i];
        cell->sequence = sequence;
        cell->sequence.backward = i == kBackward;
        cell->input = &call->input;
        if (has_aux_weights) {
            cell->aux = &call->aux;
        } else if (call->aux.tensor != NULL && i == kBackward && params->time_major) {
            cell->input = &call->aux; // otherwise the reference ignores it
        }
        LITE_TRY(lite_output(context, node, call->op, call->merge ? 0 : i, &cell->output));
        LITE_TRY(get_cell(context, node, call->op, &layouts[i], cell));
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
        const Cell* cell = &call.cells[i];
        if (cell->output.type != kTfLiteFloat32) {
            return lite_fail(context, "%s: output %d is %s, expected FLOAT32", call.op, i,
                             TfLiteTypeGetName(cell->output.type));
        }
        LiteShape out = call.input.shape;
        out.dims[2] = call.merge ? (int32_t)both : cell->units;
        LITE_TRY(lite_resize(context, cell->output.tensor, &out));
    }
    int temporaries[2 * CELLS];
    for (int i = 0; i < CELLS; i++) {
        LITE_TRY(get_bidirectional(context, node, &call)); // views do not outlive a cell's temporaries
        LITE_TRY(prepare_call(context, data, &call, i, temporaries + 2 * i));
    }
    return TfLiteOpaqueNodeSetTemporaries(node, temporaries, 2 * CELLS);
}

static TfLiteStatus bidirectional_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Call call;
    LITE_TRY(get_bidirectional(context, node, &call));
    // The reference runs hybrid cells over a time-major sequence as often as it has steps.
    const Cell* forward = &call.cells[kForward];
    const LiteSequence* sequence = &forward->sequence;
    const int32_t times = forward->hybrid && sequence->time_major ? sequence->steps : 1;
    for (int32_t t = 0; t < times; t++) {
        for (int i = 0; i < CELLS; i++) {
            LITE_TRY(run_cell(context, TfLiteOpaqueNodeGetUserData(node), &call, i));
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_BIDIRECTIONAL_SEQUENCE_RNN = {
    .init = init, .free = destroy, .prepare = bidirectional_prepare, .invoke = bidirectional_invoke};
