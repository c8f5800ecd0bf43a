// SPDX-License-Identifier: Apache-2.0
// Scales of LSTM cells in integers, computed in the reference's order and precision.
#include <math.h>

#include "kernels-cpu/conv_quant.h"
#include "kernels-cpu/lstm_cell.h"

#define GATE_SCALE (1.0f / 4096) // of the sums of a gate without layer normalization: three integer bits
#define MAX_INTERMEDIATES 12

bool lite_scale_log2(float scale, int* log2) {
    if (!(scale > 0.0f) || !isfinite(scale)) return false;
    const float exact = logf(scale) * (1.0f / logf(2.0f));
    const float rounded = roundf(exact);
    *log2 = (int)rounded;
    return fabsf(exact - rounded) < 1e-3f;
}

typedef struct Intermediates {
    float scales[MAX_INTERMEDIATES];
    int32_t zero_points[MAX_INTERMEDIATES];
} Intermediates;

static TfLiteStatus fetch(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int index,
                          Intermediates* in) {
    LiteView view;
    LITE_TRY(lite_intermediate(context, node, op, index, &view));
    LITE_TRY(lite_check_scale(context, op, "intermediate", view.scale));
    in->scales[index] = view.scale;
    in->zero_points[index] = view.zero_point;
    if (view.zero_point >= INT8_MIN && view.zero_point <= INT8_MAX) return kTfLiteOk;
    return lite_fail(context, "%s: intermediate %d has zero point %d", op, index, view.zero_point);
}

static LiteMultiplier multiplier(float scale) {
    return lite_quantize_multiplier((double)scale);
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
            q->norm[g] = multiplier(v->norm[g].scale);
            const float guard = 10000.0f * v->norm[g].scale; // as large as keeps the sums in their types
            q->variance_guard[g] = guard > 1.0f && guard < 0x1p31f ? (int32_t)guard : 1;
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
    q->cell_clip = q->proj_clip = 0;
    if (options->cell_clip > 0.0f) {
        q->cell_clip = (int16_t)fminf(options->cell_clip / v->cell_state.scale, INT16_MAX);
    }
    if (options->proj_clip > 0.0f) {
        LITE_TRY(lite_check_scale(context, op, "output", output->scale));
        q->proj_clip = (int8_t)fminf(options->proj_clip / output->scale, INT8_MAX);
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_16(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               const LiteLstmIo* io, const LiteLstmViews* v, LiteLstmQuant* q) {
    // Intermediates of the gates input, forget, cell, output, and the output before its projection.
    static const int intermediate[LITE_LSTM_GATES] = {1, 2, 3, 0};
    if (lite_num_intermediates(node) != 5) {
        return lite_fail(context, "%s: has %d intermediates, expected 5", op, lite_num_intermediates(node));
    }
    if (q->cell_log2 < -15 || q->cell_log2 > -9) {
        return lite_fail(context, "%s: the cell state has scale 2^%d, expected 2^-15 to 2^-9", op,
                         q->cell_log2);
    }
    Intermediates in;
    LITE_TRY(fetch(context, node, op, 4, &in));
    const double cell = ldexp(1.0, q->cell_log2);
    const float state = v->output_state.scale;
    for (int g = 0; g < v->gates; g++) {
        float gate = GATE_SCALE;
        if (v->has_norm) {
            LITE_TRY(fetch(context, node, op, intermediate[g], &in));
            gate = in.scales[intermediate[g]];
        }
        q->input[g] = multiplier(v->input[g].scale * io->input->scale / gate);
        q->recurrent[g] = multiplier(v->recurrent[g].scale * state / gate);
        q->peephole[g] = multiplier((float)(cell * (double)v->peephole[g].scale / (double)gate));
    }
    q->hidden = multiplier((float)(0x1p-15 / (double)in.scales[4] * 0x1p-15));
    q->hidden_zero = in.zero_points[4];
    if (v->has_projection) q->projection = multiplier(v->projection.scale * in.scales[4] / state);
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
    return kind == kLiteLstm16 ? prepare_16(context, node, op, io, v, q)
                               : prepare_8(context, node, op, options, io, v, q);
}
