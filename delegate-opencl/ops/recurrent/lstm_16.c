// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/recurrent/lstm_16.h"

#include <string.h>

#include "core/semantics/fixed16.h"
#include "delegate-opencl/ops/common/group.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/lstm_16.h"

enum { BUFFERS = 8 }; // of the kernel

static LiteLstmScales scales_of(const LiteClCell* cell) {
    LiteLstmScales s = {.gates = cell->gates,
                        .has_norm = cell->norm[kLiteForget] != NULL,
                        .has_projection = cell->projection != NULL,
                        .input = cell->input->scale,
                        .state = cell->output_state->scale,
                        .cell = cell->cell_state->scale,
                        .output = cell->output->scale,
                        .cell_clip = cell->cell_clip,
                        .proj_clip = cell->proj_clip};
    if (s.has_projection) s.projection = cell->projection->scale;
    for (int g = 0; g < cell->gates; g++) {
        s.weights[g] = cell->weights[g]->scale;
        s.recurrent[g] = cell->recurrent[g]->scale;
        if (cell->peephole[g] != NULL) s.peephole[g] = cell->peephole[g]->scale;
        if (s.has_norm) s.norm[g] = cell->norm[g]->scale;
    }
    return s;
}

static bool check_scales(const LiteClCell* cell, LiteClReason* reason) {
    for (int g = 0; g < cell->gates; g++) {
        const LiteClTensor* tensors[] = {cell->weights[g], cell->recurrent[g], cell->peephole[g],
                                         cell->norm[g]};
        for (int t = 0; t < 4; t++) {
            if (tensors[t] != NULL && !lite_cl_check_quantized(tensors[t], reason)) return false;
        }
    }
    return lite_cl_check_quantized(cell->input, reason) && lite_cl_check_quantized(cell->output, reason) &&
           lite_cl_check_quantized(cell->output_state, reason) &&
           (cell->projection == NULL || lite_cl_check_quantized(cell->projection, reason));
}

// Scales of the intermediates that are used.
static bool get_inner(const LiteClNode* node, const LiteClCell* cell, LiteClTensor inner[],
                      LiteClReason* reason) {
    if (node->intermediate_count != LITE_LSTM_16_INTERMEDIATES)
        return lite_cl_refuse(reason, "no kernel for %d intermediates", node->intermediate_count);
    const bool has_norm = cell->norm[kLiteForget] != NULL;
    for (int i = 0; i < LITE_LSTM_16_INTERMEDIATES; i++) {
        // That of the input gate comes first.
        const bool used = i == LITE_LSTM_HIDDEN || (has_norm && (i > 0 || cell->gates > kLiteInput));
        inner[i] = (LiteClTensor){0};
        if (!used) continue;
        if (node->intermediates[i] == NULL) return lite_cl_refuse(reason, "intermediate %d is absent", i);
        inner[i] = *node->intermediates[i];
        inner[i].type = kTfLiteInt8; // of which the zero point has to be
        if (!lite_cl_check_quantized(&inner[i], reason)) return false;
    }
    return true;
}

bool lite_cl_lstm_16_check(const LiteClNode* node, const LiteClCell* cell, LiteLstmQuant* quant,
                           LiteClReason* reason) {
    LiteClTensor inner[LITE_LSTM_16_INTERMEDIATES];
    float inner_scales[LITE_LSTM_16_INTERMEDIATES];
    if (!check_scales(cell, reason) || !get_inner(node, cell, inner, reason)) return false;
    *quant = (LiteLstmQuant){.input_zero = cell->input->zero_point,
                             .state_zero = cell->output_state->zero_point,
                             .hidden_zero = inner[LITE_LSTM_HIDDEN].zero_point};
    if (!lite_scale_log2(cell->cell_state->scale, &quant->cell_log2) || !lite_lstm_16_takes(quant->cell_log2))
        return lite_cl_refuse(reason, "a cell state of scale %g", (double)cell->cell_state->scale);
    for (int i = 0; i < LITE_LSTM_16_INTERMEDIATES; i++) inner_scales[i] = inner[i].scale;
    const LiteLstmScales scales = scales_of(cell);
    lite_lstm_scale_common(&scales, quant);
    lite_lstm_scale_16(&scales, inner_scales, quant);
    return true;
}

// Functions of 16 bits as tables of all their results: sigmoid, tanh of gates, tanh of cells.
enum { TABLE = 1 << 16, TABLES = 3 };

static void fill_tables(const void* state, float* packed) {
    const int cell_bits = 15 + *(const int*)state;
    int16_t* table = (int16_t*)(void*)packed;
    for (int x = INT16_MIN; x <= INT16_MAX; x++) {
        int16_t* at = table + (x - INT16_MIN);
        at[0] = (int16_t)lite_sigmoid16(x);
        at[TABLE] = (int16_t)lite_tanh16(x, 3);
        at[2 * TABLE] = (int16_t)lite_tanh16(x, cell_bits);
    }
}

int lite_cl_lstm_16_tables(LiteClPlan* plan, int cell_log2) {
    return lite_cl_plan_constant(plan,
                                 (LiteClConstantKey){.role = kLiteClRoleGateTables, .layout = cell_log2},
                                 TABLES * TABLE * sizeof(int16_t), fill_tables, &cell_log2);
}

static size_t depth_of(const LiteClCell* cell) {
    return (size_t)cell->input->shape.dims[cell->input->shape.rank - 1];
}

static char* append(char* to, const LiteClTensor* tensor) {
    if (tensor == NULL) return to;
    memcpy(to, tensor->data, tensor->bytes);
    return to + tensor->bytes;
}

static void pack_weights(const void* state, float* packed) {
    const LiteClCell* cell = state;
    char* to = (char*)packed;
    for (int g = 0; g < cell->gates; g++) to = append(to, cell->weights[g]);
    for (int g = 0; g < cell->gates; g++) to = append(to, cell->recurrent[g]);
    (void)append(to, cell->projection);
}

// `width` ints of each gate that has some.
static void widen(const LiteClTensor* const* gates, int count, size_t width, int32_t* to) {
    for (int g = 0; g < count; g++) {
        for (size_t i = 0; i < width && gates[g] != NULL; i++) {
            int16_t narrow;
            int32_t wide;
            memcpy(&narrow, (const char*)gates[g]->data + i * sizeof narrow, sizeof narrow);
            if (gates[g]->type == kTfLiteInt32)
                memcpy(&wide, (const char*)gates[g]->data + i * sizeof wide, sizeof wide);
            else
                wide = narrow;
            to[(size_t)g * width + i] = wide;
        }
    }
}

// Biases, peephole weights and coefficients of all gates, biases of the projection.
static void pack_vectors(const void* state, float* packed) {
    const LiteClCell* cell = state;
    int32_t* to = (int32_t*)(void*)packed;
    const size_t cells = (size_t)cell->cells;
    widen(cell->bias, cell->gates, cells, to);
    widen(cell->peephole, cell->gates, cells, to + LITE_LSTM_GATES * cells);
    widen(cell->norm, cell->gates, cells, to + 2 * LITE_LSTM_GATES * cells);
    widen(&cell->projection_bias, 1, (size_t)cell->outputs, to + 3 * LITE_LSTM_GATES * cells);
}

static LiteClLstm16Args args_of(const LiteClCell* cell, const LiteLstmQuant* q) {
    const LiteClSequence* s = &cell->sequence;
    LiteClLstm16Args args = {
        .steps = s->steps,
        .batches = s->batches,
        .step_rows = s->time_major ? s->batches : 1,
        .batch_rows = s->time_major ? 1 : s->steps,
        .gates = cell->gates,
        .cells = cell->cells,
        .outputs = cell->outputs,
        .depth = (int)depth_of(cell),
        .work = (cell->gates + 1) * cell->cells,
        .has_peephole = cell->peephole[kLiteOutput] != NULL,
        .has_norm = cell->norm[kLiteForget] != NULL,
        .has_projection = cell->projection != NULL,
        .peephole_cells = cell->outputs < cell->cells ? cell->outputs : cell->cells,
        .zero_x = q->input_zero,
        .zero_state = q->state_zero,
        // The reference's projection expects the negative zero point.
        .zero_hidden = cell->projection != NULL ? -q->hidden_zero : q->hidden_zero,
        .cell_log2 = q->cell_log2,
        .cell_clip = q->cell_clip,
        .proj_clip = q->proj_clip,
        .hidden = lite_cl_multiplier(q->hidden),
        .projection = lite_cl_multiplier(q->projection),
    };
    for (int g = 0; g < LITE_LSTM_GATES; g++) {
        args.input[g] = lite_cl_multiplier(q->input[g]);
        args.recurrent[g] = lite_cl_multiplier(q->recurrent[g]);
        args.peephole[g] = lite_cl_multiplier(q->peephole[g]);
        args.norm[g] = lite_cl_multiplier(q->norm[g]);
        args.variance_guard[g] = q->variance_guard[g];
    }
    return args;
}

bool lite_cl_lstm_16_fits(const LiteClDevice* device, LiteClReason* reason) {
    const LiteClLaunch launch = {.args_size = sizeof(LiteClLstm16Args), .buffer_count = BUFFERS};
    return lite_cl_launch_fits(device, &launch, reason);
}

TfLiteStatus lite_cl_lstm_16_lower(LiteClPlan* plan, const LiteClCell* cell, const LiteLstmQuant* quant) {
    const LiteClLstm16Args args = args_of(cell, quant);
    const size_t cells = (size_t)cell->cells, outputs = (size_t)cell->outputs, gates = (size_t)cell->gates;
    const size_t weights =
        gates * cells * (depth_of(cell) + outputs) + (cell->projection != NULL ? outputs * cells : 0);
    const size_t vectors = (3 * LITE_LSTM_GATES * cells + outputs) * sizeof(int32_t);
    const size_t work = (size_t)args.batches * (size_t)args.work * sizeof(int32_t);
    LiteClPrelude prelude = {0};
    size_t group;
    lite_cl_define(&prelude, "QUANTIZED");
    LITE_TRY(lite_cl_choose_group(plan, &lite_cl_source_lstm_16, "lstm_16", &prelude, &group));
    const LiteClLaunch launch = {
        .family = &lite_cl_source_lstm_16,
        .kernel = "lstm_16",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = BUFFERS,
        .buffers = {lite_cl_plan_tensor(plan, cell->input),
                    lite_cl_plan_constant(plan,
                                          (LiteClConstantKey){.owner = cell->node,
                                                              .role = kLiteClRoleWeights,
                                                              .part = cell->part},
                                          weights, pack_weights, cell),
                    lite_cl_plan_constant(
                        plan,
                        (LiteClConstantKey){.owner = cell->node, .role = kLiteClRoleCell, .part = cell->part},
                        vectors, pack_vectors, cell),
                    lite_cl_lstm_16_tables(plan, quant->cell_log2),
                    lite_cl_plan_add_storage(plan, kLiteClArena, work),
                    lite_cl_plan_tensor(plan, cell->output_state),
                    lite_cl_plan_tensor(plan, cell->cell_state), lite_cl_plan_tensor(plan, cell->output)},
        .items = {(size_t)args.batches * group, 1, 1},
        .group = group,
    };
    return lite_cl_plan_launch(plan, &launch);
}
