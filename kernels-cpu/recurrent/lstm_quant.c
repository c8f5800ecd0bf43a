// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/lstm_quant.h"

#include <math.h>

#include "kernels-cpu/conv/conv_quant.h"

#define MAX_INTERMEDIATES 12

typedef struct Intermediates {
    float scales[MAX_INTERMEDIATES];
    int32_t zero_points[MAX_INTERMEDIATES];
} Intermediates;

static TfLiteStatus fetch(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int index,
                          Intermediates* in) {
    LiteView view;
    LITE_TRY(lite_kernel_intermediate(context, node, op, index, &view));
    LITE_TRY(lite_check_scale(context, op, "intermediate", view.scale));
    in->scales[index] = view.scale;
    in->zero_points[index] = view.zero_point;
    if (view.zero_point >= INT8_MIN && view.zero_point <= INT8_MAX) return kTfLiteOk;
    return lite_fail(context, "%s: intermediate %d has zero point %d", op, index, view.zero_point);
}

static LiteMultiplier multiplier(float scale) {
    return lite_quantize_multiplier((double)scale);
}

static LiteLstmScales scales_of(const LiteLstmOptions* options, const LiteLstmIo* io, const LiteView* output,
                                const LiteLstmViews* v) {
    LiteLstmScales s = {.gates = v->gates,
                        .has_norm = v->has_norm,
                        .has_projection = v->has_projection,
                        .input = io->input->scale,
                        .state = v->output_state.scale,
                        .cell = v->cell_state.scale,
                        .output = output->scale,
                        .projection = v->projection.scale,
                        .cell_clip = options->cell_clip,
                        .proj_clip = options->proj_clip};
    for (int g = 0; g < v->gates; g++) {
        s.weights[g] = v->input[g].scale;
        s.recurrent[g] = v->recurrent[g].scale;
        s.peephole[g] = v->peephole[g].scale;
        s.norm[g] = v->norm[g].scale;
    }
    return s;
}

// Shared by both forms: scales that are divided by or must be there, clips.
static TfLiteStatus prepare_common(TfLiteOpaqueContext* context, const char* op,
                                   const LiteLstmOptions* options, const LiteLstmIo* io,
                                   const LiteView* output, const LiteLstmViews* v, LiteLstmQuant* q) {
    LITE_TRY(lite_check_scale(context, op, "input", io->input->scale));
    LITE_TRY(lite_check_scale(context, op, "output state", v->output_state.scale));
    for (int g = 0; g < v->gates; g++) {
        LITE_TRY(lite_check_scale(context, op, "weights", v->input[g].scale));
        LITE_TRY(lite_check_scale(context, op, "recurrent weights", v->recurrent[g].scale));
        const LiteView* peephole = &v->peephole[g];
        if (peephole->tensor != NULL) {
            LITE_TRY(lite_check_scale(context, op, "peephole weights", peephole->scale));
        }
        if (v->has_norm) {
            LITE_TRY(lite_check_scale(context, op, "layer norm coefficients", v->norm[g].scale));
        }
    }
    if (v->has_projection) {
        LITE_TRY(lite_check_scale(context, op, "projection weights", v->projection.scale));
    }
    q->input_zero = io->input->zero_point;
    q->state_zero = v->output_state.zero_point;
    if (q->input_zero < INT8_MIN || q->input_zero > INT8_MAX || q->state_zero < INT8_MIN ||
        q->state_zero > INT8_MAX) {
        return lite_fail(context, "%s: input and output state have zero points %d and %d", op, q->input_zero,
                         q->state_zero);
    }
    if (!lite_scale_log2(v->cell_state.scale, &q->cell_log2)) {
        return lite_fail(context, "%s: the cell state has scale %g, expected a power of 2", op,
                         (double)v->cell_state.scale);
    }
    if (options->proj_clip > 0.0f) LITE_TRY(lite_check_scale(context, op, "output", output->scale));
    const LiteLstmScales scales = scales_of(options, io, output, v);
    lite_lstm_scale_common(&scales, q);
    return kTfLiteOk;
}

static TfLiteStatus prepare_16(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               const LiteLstmOptions* options, const LiteLstmIo* io, const LiteView* output,
                               const LiteLstmViews* v, LiteLstmQuant* q) {
    if (lite_kernel_num_intermediates(node) != LITE_LSTM_16_INTERMEDIATES) {
        return lite_fail(context, "%s: has %d intermediates, expected 5", op,
                         lite_kernel_num_intermediates(node));
    }
    if (!lite_lstm_16_takes(q->cell_log2)) {
        return lite_fail(context, "%s: the cell state has scale 2^%d, expected 2^-15 to 2^-9", op,
                         q->cell_log2);
    }
    Intermediates in;
    LITE_TRY(fetch(context, node, op, LITE_LSTM_HIDDEN, &in));
    for (int g = 0; g < v->gates && v->has_norm; g++) {
        LITE_TRY(fetch(context, node, op, lite_lstm_intermediate[g], &in));
    }
    const LiteLstmScales scales = scales_of(options, io, output, v);
    lite_lstm_scale_16(&scales, in.scales, q);
    q->hidden_zero = in.zero_points[LITE_LSTM_HIDDEN];
    return kTfLiteOk;
}

// Each gate has three intermediates: the sum, the product of the input and that of the state.
static TfLiteStatus prepare_8(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                              const LiteLstmOptions* options, const LiteLstmIo* io, const LiteLstmViews* v,
                              LiteLstmQuant* q) {
    static const int first[LITE_LSTM_GATES] = {3, 6, 9, 0};
    if (!v->has_norm || !v->has_projection || v->projection_bias.tensor == NULL) {
        return lite_fail(context, "%s: 8-bit products need layer normalization, projection and its bias", op);
    }
    if (v->cell_state.scale != 1.0f / 32768) {
        return lite_fail(context, "%s: the cell state has scale %g, expected 2^-15", op,
                         (double)v->cell_state.scale);
    }
    if (options->cell_clip >= 1.0f) q->cell_clip = 0;
    Intermediates in;
    for (int i = 0; i < MAX_INTERMEDIATES; i++) LITE_TRY(fetch(context, node, op, i, &in));
    const float state = v->output_state.scale;
    for (int g = 0; g < kLiteInput; g++) {
        const float sum = in.scales[first[g]];
        const float product = in.scales[first[g] + 1];
        const float recurrent = in.scales[first[g] + 2];
        q->input[g] = multiplier(v->input[g].scale * io->input->scale / product);
        q->recurrent[g] = multiplier(v->recurrent[g].scale * state / recurrent);
        q->input_to_gate[g] = multiplier(product / sum);
        q->recurrent_to_gate[g] = multiplier(recurrent / sum);
        q->product_zero[g] = in.zero_points[first[g] + 1];
        q->recurrent_zero[g] = in.zero_points[first[g] + 2];
    }
    // The reference takes other entries of its tables here: the shift of the forget gate for a multiplier,
    // and a zero point of the cell gate.
    q->recurrent_to_gate[kLiteOutput].value = q->recurrent_to_gate[kLiteForget].shift;
    q->recurrent_zero[kLiteOutput] = q->product_zero[kLiteUpdate];
    q->projection = multiplier((float)((double)v->projection.scale * 0x1p-15 / (double)state));
    return kTfLiteOk;
}

TfLiteStatus lite_lstm_quant_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                     LiteLstmKind kind, const LiteLstmOptions* options, const LiteLstmIo* io,
                                     const LiteView* output, const LiteLstmViews* v, LiteLstmQuant* q) {
    LITE_TRY(prepare_common(context, op, options, io, output, v, q));
    return kind == kLiteLstm16 ? prepare_16(context, node, op, options, io, output, v, q)
                               : prepare_8(context, node, op, options, io, v, q);
}
