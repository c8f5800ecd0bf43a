// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/rnn_cell.h"

#include <string.h>

#include "kernels-cpu/recurrent/recurrent_rows.h"

static TfLiteStatus check_matrix(TfLiteOpaqueContext* context, const char* op, const char* what,
                                 const LiteView* view, const LiteRnnCell* cell, int32_t columns) {
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

static TfLiteStatus check_cell(TfLiteOpaqueContext* context, const char* op, const LiteRnnCell* cell) {
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

TfLiteStatus lite_rnn_cell_get(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               const LiteRnnLayout* layout, LiteRnnCell* cell) {
    LITE_TRY(lite_kernel_sparse_input(context, node, op, layout->first, &cell->weights));
    LITE_TRY(lite_kernel_sparse_input(context, node, op, layout->first + 1, &cell->recurrent));
    LITE_TRY(lite_kernel_input(context, node, op, layout->first + 2, &cell->bias));
    LITE_TRY(lite_kernel_input(context, node, op, layout->first + 3, &cell->state));
    if (cell->aux != NULL)
        LITE_TRY(lite_kernel_sparse_input(context, node, op, layout->aux, &cell->aux_weights));
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

TfLiteStatus lite_rnn_cell_prepare(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                                   const LiteRnnCell* cell, bool asymmetric, int temporaries[2]) {
    recurrent->asymmetric = asymmetric;
    LITE_TRY(lite_recurrent_prepare(context, op, recurrent, cell->products));
    LiteCarver carver = {0};
    LiteRecurrentBuffers buffers;
    lite_recurrent_carve(&carver, cell->products, &cell->sequence, cell->hybrid, &buffers);
    LITE_TRY(lite_carve_prepare(context, op, &carver, &recurrent->workspace));
    temporaries[0] = recurrent->scratch;
    temporaries[1] = recurrent->workspace;
    return kTfLiteOk;
}

typedef struct Run {
    const LiteRnnCell* cell;
    TfLiteFusedActivation activation;
    LiteRnnOutput output;
} Run;

static TfLiteStatus advance(void* argument, const LiteStep* step) {
    const Run* run = argument;
    const LiteRnnCell* cell = run->cell;
    const size_t units = (size_t)cell->units;
    float* state = cell->state.data;
    for (size_t b = 0; b < (size_t)cell->sequence.batches; b++) {
        float* x = step->input + b * units;
        lite_row_add(x, cell->bias.data, cell->units);
        if (step->aux != NULL) lite_row_add(x, step->aux + b * units, cell->units);
        lite_row_add(x, step->state + b * units, cell->units);
        lite_row_activate(run->activation, x, state + b * units, cell->units);
    }
    lite_sequence_scatter(&cell->sequence, step->index, state, units * sizeof(float), run->output.data,
                          run->output.width * sizeof(float));
    return kTfLiteOk;
}

TfLiteStatus lite_rnn_cell_run(TfLiteOpaqueContext* context, const char* op, LiteRecurrent* recurrent,
                               const LiteRnnCell* cell, TfLiteFusedActivation activation,
                               LiteRnnOutput output) {
    Run run = {cell, activation, output};
    LITE_TRY(lite_recurrent_pack(context, op, recurrent, cell->products));
    LiteCarver carver;
    LITE_TRY(lite_carve_begin(context, op, recurrent->workspace, &carver));
    LiteRecurrentRun products = {.recurrent = recurrent,
                                 .weights = cell->products,
                                 .sequence = cell->sequence,
                                 .input = cell->input->data,
                                 .aux = cell->aux == NULL ? NULL : cell->aux->data,
                                 .state = cell->state.data};
    lite_recurrent_carve(&carver, cell->products, &cell->sequence, cell->hybrid, &products.buffers);
    return lite_recurrent_run(context, op, &products, advance, &run);
}
