// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/lstm_float.h"

#include "kernels-cpu/recurrent/recurrent_rows.h"

typedef struct FloatRun {
    const LiteLstmRun* run;
    LiteRecurrentRun products;
    float* hidden; // what is projected
} FloatRun;

static bool is_hybrid(const LiteLstmRun* run) {
    return run->views->input[kLiteOutput].type != kTfLiteFloat32;
}

// Where the output before the projection goes; without one it is the output.
static float* carve(LiteCarver* carver, const LiteLstmRun* run, LiteRecurrentBuffers* buffers) {
    lite_recurrent_carve(carver, run->weights, &run->io->sequence, is_hybrid(run), buffers);
    if (!run->views->has_projection) return run->views->output_state.data;
    return lite_carve(carver, run->io->sequence.batches, run->views->cells, sizeof(float));
}

void lite_lstm_float_carve(LiteCarver* carver, const LiteLstmRun* run) {
    LiteRecurrentBuffers buffers;
    carve(carver, run, &buffers);
}

// One batch at one step: products of all gates, and states.
typedef struct Row {
    float* gates;
    const float* aux;
    const float* recurrent;
    const float* output;
    float* cell;
} Row;

static float* compute_gate(const FloatRun* r, const Row* row, int gate) {
    const LiteLstmViews* v = r->run->views;
    const int32_t cells = v->cells;
    const size_t at = (size_t)gate * (size_t)cells;
    float* x = row->gates + at;
    const LiteView* recurrent = &v->recurrent[gate];
    const LiteView* peephole = &v->peephole[gate];
    if (!v->has_norm) lite_row_add(x, v->bias[gate].data, cells);
    if (row->aux != NULL) lite_row_add(x, row->aux + at, cells);
    if (recurrent->shape.rank == 1) {
        lite_row_add_product(x, recurrent->data, row->output, cells);
    } else {
        lite_row_add(x, row->recurrent + at, cells);
    }
    if (v->has_peephole && peephole->tensor != NULL) {
        if (peephole->type == kTfLiteFloat32) {
            lite_row_add_product(x, peephole->data, row->cell, cells);
        } else {
            lite_row_add_scaled(x, peephole->data, peephole->scale, row->cell, cells);
        }
    }
    if (v->has_norm) lite_row_normalize(x, v->norm[gate].data, v->bias[gate].data, cells);
    lite_row_activate(gate == kLiteUpdate ? r->run->options->activation : kTfLiteActSigmoid, x, x, cells);
    return x;
}

static TfLiteStatus project(const FloatRun* r) {
    const LiteLstmRun* run = r->run;
    const LiteLstmViews* v = run->views;
    const int32_t batches = run->io->sequence.batches;
    float* out = v->output_state.data;
    LITE_TRY(lite_recurrent_multiply(run->context, run->op, &run->cell->recurrent, run->weights,
                                     kLiteOfHidden, batches, r->hidden, &r->products.buffers, out));
    for (int32_t b = 0; b < batches; b++, out += v->outputs) {
        if (v->projection_bias.tensor != NULL) lite_row_add(out, v->projection_bias.data, v->outputs);
        if (run->options->proj_clip > 0.0f) lite_row_clip(out, run->options->proj_clip, v->outputs);
    }
    return kTfLiteOk;
}

static TfLiteStatus advance(void* argument, const LiteStep* step) {
    const FloatRun* r = argument;
    const LiteLstmRun* run = r->run;
    const LiteLstmViews* v = run->views;
    const LiteLstmIo* io = run->io;
    const size_t cells = (size_t)v->cells;
    const size_t width = (size_t)v->gates * cells;
    for (size_t b = 0; b < (size_t)io->sequence.batches; b++) {
        const Row row = {
            .gates = step->input + b * width,
            .aux = step->aux == NULL ? NULL : step->aux + b * width,
            .recurrent = step->state == NULL ? NULL : step->state + b * width,
            .output = (const float*)v->output_state.data + b * (size_t)v->outputs,
            .cell = (float*)v->cell_state.data + b * cells,
        };
        const float* forget = compute_gate(r, &row, kLiteForget);
        const float* update = compute_gate(r, &row, kLiteUpdate);
        const float* input = v->gates > kLiteInput ? compute_gate(r, &row, kLiteInput) : NULL;
        lite_row_update_cell(row.cell, forget, update, input, run->options->cell_clip, v->cells);
        const float* output = compute_gate(r, &row, kLiteOutput);
        float* hidden = r->hidden + b * cells;
        // Without an activation the reference takes the cell gate, which it holds in the place of the result.
        const float* active = run->options->activation == kTfLiteActNone ? update : row.cell;
        lite_row_activate(run->options->activation, active, hidden, v->cells);
        lite_row_multiply(hidden, output, v->cells);
    }
    if (v->has_projection) LITE_TRY(project(r));
    lite_sequence_scatter(&io->sequence, step->index, v->output_state.data,
                          (size_t)v->outputs * sizeof(float), io->output,
                          (size_t)io->output_width * sizeof(float));
    return kTfLiteOk;
}

TfLiteStatus lite_lstm_float_run(const LiteLstmRun* run, LiteCarver* carver) {
    FloatRun r = {.run = run,
                  .products = {.recurrent = &run->cell->recurrent,
                               .weights = run->weights,
                               .sequence = run->io->sequence,
                               .input = run->io->input->data,
                               .aux = run->views->has_aux ? run->io->aux->data : NULL,
                               .state = run->views->output_state.data}};
    r.hidden = carve(carver, run, &r.products.buffers);
    return lite_recurrent_run(run->context, run->op, &r.products, advance, &r);
}
