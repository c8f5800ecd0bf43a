// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/lstm_cell.h"

#include <float.h>
#include <string.h>

#include "kernels-cpu/recurrent/lstm_16.h"
#include "kernels-cpu/recurrent/lstm_8.h"
#include "kernels-cpu/recurrent/lstm_float.h"
#include "kernels-cpu/recurrent/lstm_quant.h"

static const char* const gate_names[LITE_LSTM_GATES] = {"forget", "cell", "output", "input"};
// The operators have the tensors of gates in the order input, forget, cell, output, peephole weights without
// those of the cell gate.
static const int tensor_of_gate[LITE_LSTM_GATES] = {1, 2, 3, 0};
static const int peephole_of_gate[LITE_LSTM_GATES] = {1, -1, 2, 0};

static TfLiteStatus optional(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int index,
                             LiteView* view) {
    return lite_kernel_has_input(node, index) ? lite_kernel_input(context, node, op, index, view) : kTfLiteOk;
}

// Matrices may be sparse: packing expands them.
static TfLiteStatus optional_weights(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                     int index, LiteView* view) {
    if (!lite_kernel_has_input(node, index)) return kTfLiteOk;
    LITE_TRY(lite_kernel_sparse_input(context, node, op, index, view));
    return view->shape.rank == 2 ? kTfLiteOk : lite_kernel_input(context, node, op, index, view);
}

static TfLiteStatus fetch(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                          const LiteLstmLayout* layout, LiteLstmViews* v) {
    memset(v, 0, sizeof(*v));
    const int first = layout->weights;
    for (int g = 0; g < LITE_LSTM_GATES; g++) {
        const int t = tensor_of_gate[g];
        LITE_TRY(optional_weights(context, node, op, first + t, &v->input[g]));
        LITE_TRY(optional_weights(context, node, op, first + 4 + t, &v->recurrent[g]));
        if (peephole_of_gate[g] >= 0) {
            LITE_TRY(optional(context, node, op, first + 8 + peephole_of_gate[g], &v->peephole[g]));
        }
        LITE_TRY(optional(context, node, op, first + 11 + t, &v->bias[g]));
        if (layout->aux_weights >= 0) {
            LITE_TRY(optional_weights(context, node, op, layout->aux_weights + t, &v->aux[g]));
        }
        if (layout->layer_norm >= 0) {
            LITE_TRY(optional(context, node, op, layout->layer_norm + t, &v->norm[g]));
        }
    }
    LITE_TRY(optional_weights(context, node, op, first + 15, &v->projection));
    LITE_TRY(optional(context, node, op, first + 16, &v->projection_bias));
    LITE_TRY(lite_kernel_input(context, node, op, layout->output_state, &v->output_state));
    LITE_TRY(lite_kernel_input(context, node, op, layout->cell_state, &v->cell_state));
    v->gates = v->input[kLiteInput].tensor == NULL ? kLiteInput : LITE_LSTM_GATES;
    v->has_aux = v->aux[kLiteForget].tensor != NULL;
    v->has_peephole = v->peephole[kLiteOutput].tensor != NULL;
    v->has_norm = v->norm[kLiteForget].tensor != NULL;
    v->has_projection = v->projection.tensor != NULL;
    return kTfLiteOk;
}

// What a tensor has to be: a matrix [rows, columns], or a vector [rows] with `columns` -1. A type or sizes.
typedef struct Expected {
    const char* what;
    TfLiteType type;
    int32_t rows;
    int32_t columns;
} Expected;

static TfLiteStatus check(TfLiteOpaqueContext* context, const char* op, const char* gate,
                          const LiteView* view, const Expected* e) {
    if (view->tensor == NULL) {
        return lite_fail(context, "%s: the %s gate has no %s", op, gate, e->what);
    }
    const int rank = e->columns < 0 ? 1 : 2;
    const int32_t* dims = view->shape.dims;
    if (view->type != e->type) {
        return lite_fail(context, "%s: %s of the %s gate are %s, expected %s", op, e->what, gate,
                         TfLiteTypeGetName(view->type), TfLiteTypeGetName(e->type));
    }
    if (view->shape.rank != rank || dims[0] != e->rows || (rank == 2 && dims[1] != e->columns)) {
        return lite_fail(context, "%s: %s of the %s gate have %d dimensions [%d, %d], expected %d: [%d, %d]",
                         op, e->what, gate, view->shape.rank, view->shape.rank > 0 ? dims[0] : 1,
                         view->shape.rank > 1 ? dims[1] : 1, rank, e->rows, rank == 2 ? e->columns : 1);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_absent(TfLiteOpaqueContext* context, const char* op, int gate, const char* what,
                                 const LiteView* view) {
    if (view->tensor == NULL) return kTfLiteOk;
    return lite_fail(context, "%s: the %s gate has %s, but not all that belongs to them", op,
                     gate_names[gate], what);
}

static TfLiteStatus check_gate(TfLiteOpaqueContext* context, const char* op, const LiteLstmViews* v, int gate,
                               const LiteLstmOptions* options, const LiteLstmIo* io) {
    const char* name = gate_names[gate];
    const bool is_float = io->input->type == kTfLiteFloat32;
    const TfLiteType weights = v->input[kLiteOutput].type;
    const TfLiteType vector = is_float ? weights : kTfLiteInt16;
    const int32_t depth = io->input->shape.dims[io->input->shape.rank - 1];
    const Expected input = {"weights", weights, v->cells, depth};
    LITE_TRY(check(context, op, name, &v->input[gate], &input));
    const bool diagonal = options->diagonal && is_float && v->recurrent[gate].shape.rank == 1;
    if (diagonal && v->cells != v->outputs) {
        return lite_fail(context, "%s: diagonal weights for %d cells and %d outputs", op, v->cells,
                         v->outputs);
    }
    const Expected recurrent = {"recurrent weights", diagonal ? kTfLiteFloat32 : weights, v->cells,
                                diagonal ? -1 : v->outputs};
    LITE_TRY(check(context, op, name, &v->recurrent[gate], &recurrent));
    const Expected bias = {"biases", is_float ? kTfLiteFloat32 : kTfLiteInt32, v->cells, -1};
    LITE_TRY(check(context, op, name, &v->bias[gate], &bias));
    if (v->has_aux) {
        const Expected aux = {"auxiliary weights", weights, v->cells, io->aux->shape.dims[2]};
        LITE_TRY(check(context, op, name, &v->aux[gate], &aux));
    } else {
        LITE_TRY(check_absent(context, op, gate, "auxiliary weights", &v->aux[gate]));
    }
    if (v->has_peephole && gate != kLiteUpdate) {
        const Expected peephole = {"peephole weights", vector, v->cells, -1};
        LITE_TRY(check(context, op, name, &v->peephole[gate], &peephole));
    } else {
        LITE_TRY(check_absent(context, op, gate, "peephole weights", &v->peephole[gate]));
    }
    if (v->has_norm) {
        const Expected norm = {"layer norm coefficients", is_float ? kTfLiteFloat32 : kTfLiteInt16, v->cells,
                               -1};
        return check(context, op, name, &v->norm[gate], &norm);
    }
    return check_absent(context, op, gate, "layer norm coefficients", &v->norm[gate]);
}

// Sizes of the cell, from the weights of the output gate, and the type of all weights.
static TfLiteStatus check_sizes(TfLiteOpaqueContext* context, const char* op, LiteLstmViews* v,
                                TfLiteType input) {
    const LiteView* weights = &v->input[kLiteOutput];
    const LiteView* recurrent = &v->recurrent[kLiteOutput];
    if (weights->shape.rank != 2 || recurrent->shape.rank < 1 || recurrent->shape.rank > 2) {
        return lite_fail(context, "%s: weights of the output gate have %d and %d dimensions, expected 2", op,
                         weights->shape.rank, recurrent->shape.rank);
    }
    v->cells = weights->shape.dims[0];
    v->outputs = recurrent->shape.dims[recurrent->shape.rank - 1];
    if (v->cells < 1 || v->outputs < 1) {
        return lite_fail(context, "%s: has %d cells and %d outputs", op, v->cells, v->outputs);
    }
    const bool is_8_bit = weights->type == kTfLiteInt8 || weights->type == kTfLiteUInt8;
    const bool right = input == kTfLiteFloat32 ? is_8_bit || weights->type == kTfLiteFloat32
                                               : input == kTfLiteInt8 && is_8_bit;
    if (right) return kTfLiteOk;
    return lite_fail(context, "%s: %s input and %s weights do not go together", op, TfLiteTypeGetName(input),
                     TfLiteTypeGetName(weights->type));
}

static TfLiteStatus check_rest(TfLiteOpaqueContext* context, const char* op, const LiteLstmViews* v,
                               const LiteLstmOptions* options, const LiteLstmIo* io) {
    const bool is_float = io->input->type == kTfLiteFloat32;
    if (v->has_projection) {
        const Expected weights = {"projection weights", v->input[kLiteOutput].type, v->outputs, v->cells};
        LITE_TRY(check(context, op, "output", &v->projection, &weights));
    } else if (v->cells != v->outputs) {
        return lite_fail(context, "%s: %d cells and %d outputs without a projection", op, v->cells,
                         v->outputs);
    }
    if (v->projection_bias.tensor != NULL) {
        if (!v->has_projection) return lite_fail(context, "%s: a projection bias without weights", op);
        const Expected bias = {"projection biases", is_float ? kTfLiteFloat32 : kTfLiteInt32, v->outputs, -1};
        LITE_TRY(check(context, op, "output", &v->projection_bias, &bias));
    }
    if (!(options->cell_clip >= 0.0f) || !(options->proj_clip >= 0.0f)) {
        return lite_fail(context, "%s: clips cells at %g and outputs at %g", op, (double)options->cell_clip,
                         (double)options->proj_clip);
    }
    const int64_t batches = io->sequence.batches;
    LITE_TRY(lite_check_state(context, op, "output", &v->output_state,
                              is_float ? kTfLiteFloat32 : kTfLiteInt8, batches * v->outputs));
    return lite_check_state(context, op, "cell", &v->cell_state, is_float ? kTfLiteFloat32 : kTfLiteInt16,
                            batches * v->cells);
}

TfLiteStatus lite_lstm_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             const LiteLstmLayout* layout, const LiteLstmOptions* options,
                             const LiteLstmIo* io, LiteLstmViews* v) {
    LITE_TRY(fetch(context, node, op, layout, v));
    LITE_TRY(check_sizes(context, op, v, io->input->type));
    if (v->has_aux && io->aux == NULL) {
        return lite_fail(context, "%s: auxiliary weights without an auxiliary input", op);
    }
    for (int g = 0; g < v->gates; g++) LITE_TRY(check_gate(context, op, v, g, options, io));
    if (v->gates == kLiteInput) { // peephole weights of the absent gate are allowed, and ignored
        LITE_TRY(check_absent(context, op, kLiteInput, "recurrent weights", &v->recurrent[kLiteInput]));
        LITE_TRY(check_absent(context, op, kLiteInput, "biases", &v->bias[kLiteInput]));
        LITE_TRY(check_absent(context, op, kLiteInput, "layer norm coefficients", &v->norm[kLiteInput]));
    }
    return check_rest(context, op, v, options, io);
}

static void set_weights(LiteLstmRun* run) {
    const LiteLstmViews* v = run->views;
    const LiteLstmIo* io = run->io;
    // With 8-bit products the reference never computes an input gate.
    const int gates = run->cell->kind == kLiteLstm8 ? kLiteInput : v->gates;
    memset(run->weights, 0, sizeof(run->weights));
    LiteWeights* input = &run->weights[kLiteOfInput];
    LiteWeights* aux = &run->weights[kLiteOfAux];
    LiteWeights* state = &run->weights[kLiteOfState];
    *input = (LiteWeights){
        .count = gates, .columns = v->cells, .depth = io->input->shape.dims[io->input->shape.rank - 1]};
    *aux = (LiteWeights){.count = v->has_aux ? gates : 0, .columns = v->cells};
    if (v->has_aux) aux->depth = io->aux->shape.dims[2];
    *state = (LiteWeights){.columns = v->cells, .depth = v->outputs};
    for (int g = 0; g < gates; g++) {
        input->gates[g] = &v->input[g];
        if (v->has_aux) aux->gates[g] = &v->aux[g];
        if (v->recurrent[g].shape.rank == 1) continue; // diagonal: multiplied cell by cell
        state->gates[g] = &v->recurrent[g];
        state->count = gates;
    }
    if (v->has_projection) {
        run->weights[kLiteOfHidden] =
            (LiteWeights){.gates = {&v->projection}, .count = 1, .columns = v->outputs, .depth = v->cells};
    }
    for (int p = 0; p < LITE_PRODUCTS; p++) {
        const bool wide = p == kLiteOfHidden && run->cell->kind == kLiteLstm8;
        run->weights[p].form =
            lite_gemm_form(wide ? kTfLiteInt16 : io->input->type, v->input[kLiteOutput].type);
    }
}

static void carve(LiteCarver* carver, const LiteLstmRun* run) {
    switch (run->cell->kind) {
    case kLiteLstmFloat:
        lite_lstm_float_carve(carver, run);
        break;
    case kLiteLstm16:
        lite_lstm_16_carve(carver, run);
        break;
    case kLiteLstm8:
        lite_lstm_8_carve(carver, run);
        break;
    }
}

TfLiteStatus lite_lstm_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteLstmCell* cell, const LiteLstmOptions* options, const LiteLstmIo* io,
                               const LiteView* output, const LiteLstmViews* views, int temporaries[2]) {
    if (output->type != io->input->type) {
        return lite_fail(context, "%s: the input is %s, the output %s", op,
                         TfLiteTypeGetName(io->input->type), TfLiteTypeGetName(output->type));
    }
    cell->kind = kLiteLstmFloat;
    if (io->input->type == kTfLiteInt8) {
        cell->kind = lite_kernel_num_intermediates(node) == 12 ? kLiteLstm8 : kLiteLstm16;
        LITE_TRY(
            lite_lstm_quant_prepare(context, node, op, cell->kind, options, io, output, views, &cell->quant));
    }
    cell->recurrent.asymmetric = options->asymmetric;
    cell->recurrent.limit = FLT_MAX;
    LiteLstmRun run = {
        .context = context, .op = op, .cell = cell, .options = options, .io = io, .views = views};
    set_weights(&run);
    LITE_TRY(lite_recurrent_prepare(context, op, &cell->recurrent, run.weights));
    LiteCarver carver = {0};
    carve(&carver, &run);
    LITE_TRY(lite_carve_prepare(context, op, &carver, &cell->recurrent.workspace));
    temporaries[0] = cell->recurrent.scratch;
    temporaries[1] = cell->recurrent.workspace;
    return kTfLiteOk;
}

TfLiteStatus lite_lstm_invoke(TfLiteOpaqueContext* context, const char* op, LiteLstmCell* cell,
                              const LiteLstmOptions* options, const LiteLstmIo* io,
                              const LiteLstmViews* views) {
    LiteLstmRun run = {
        .context = context, .op = op, .cell = cell, .options = options, .io = io, .views = views};
    set_weights(&run);
    LITE_TRY(lite_recurrent_pack(context, op, &cell->recurrent, run.weights));
    LiteCarver carver;
    LITE_TRY(lite_carve_begin(context, op, cell->recurrent.workspace, &carver));
    switch (cell->kind) {
    case kLiteLstm16:
        return lite_lstm_16_run(&run, &carver);
    case kLiteLstm8:
        return lite_lstm_8_run(&run, &carver);
    default:
        return lite_lstm_float_run(&run, &carver);
    }
}
