// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/lstm_basic.h"

#include <float.h>
#include <string.h>

#include "core/semantics/fixed16.h"
#include "core/semantics/fixedpoint.h"
#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/gemm/gemm_pack.h"
#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/recurrent/lstm_cell.h"

static const char op[] = "LSTM";

// Rows of the weights: these gates below each other, each as deep as the activation.
enum { kInputGate, kUpdateGate, kForgetGate, kOutputGate, GATES };

typedef struct Views {
    LiteView input;
    LiteView activation; // of the step before
    LiteView weights;
    LiteView bias;
    LiteView state; // of the step before
    LiteView new_activation;
    LiteView new_state;
    LiteView joined; // input and activation
    LiteView gates;
    int32_t batches;
    int32_t depth;
    int32_t cells;
} Views;

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Views* v) {
    LiteView* const inputs[] = {&v->input, &v->activation, &v->weights, &v->bias, &v->state};
    LiteView* const outputs[] = {&v->new_activation, &v->new_state, &v->joined, &v->gates};
    for (int i = 0; i < 5; i++) LITE_TRY(lite_kernel_input(context, node, op, i, inputs[i]));
    for (int i = 0; i < 4; i++) LITE_TRY(lite_kernel_output(context, node, op, i, outputs[i]));
    if (v->input.shape.rank != 2 || v->activation.shape.rank != 2) {
        return lite_fail(context, "%s: input and activation have %d and %d dimensions, expected 2", op,
                         v->input.shape.rank, v->activation.shape.rank);
    }
    v->batches = v->input.shape.dims[0];
    v->depth = v->input.shape.dims[1];
    v->cells = v->activation.shape.dims[1];
    return kTfLiteOk;
}

static bool has_shape(const LiteView* view, int rank, int64_t first, int64_t second) {
    return view->shape.rank == rank && view->shape.dims[0] == first &&
           (rank < 2 || view->shape.dims[1] == second);
}

static TfLiteStatus check(TfLiteOpaqueContext* context, const Views* v) {
    const bool is_float = v->input.type == kTfLiteFloat32;
    const TfLiteType type = is_float ? kTfLiteFloat32 : kTfLiteUInt8;
    const TfLiteType bias = is_float ? kTfLiteFloat32 : kTfLiteInt32;
    const TfLiteType state = is_float ? kTfLiteFloat32 : kTfLiteInt16;
    const bool types = v->input.type == type && v->activation.type == type && v->weights.type == type &&
                       v->bias.type == bias && v->state.type == state && v->new_activation.type == type &&
                       v->new_state.type == state && v->joined.type == type && v->gates.type == state;
    if (!types) {
        return lite_fail(context, "%s: %s input, %s weights, %s bias and %s state do not go together", op,
                         TfLiteTypeGetName(v->input.type), TfLiteTypeGetName(v->weights.type),
                         TfLiteTypeGetName(v->bias.type), TfLiteTypeGetName(v->state.type));
    }
    const int64_t width = (int64_t)GATES * v->cells;
    const int64_t depth = (int64_t)v->depth + v->cells;
    const bool shapes = has_shape(&v->activation, 2, v->batches, v->cells) &&
                        has_shape(&v->weights, 2, width, depth) && has_shape(&v->bias, 1, width, 0) &&
                        has_shape(&v->state, 2, v->batches, v->cells);
    if (!shapes) {
        return lite_fail(context,
                         "%s: activation, weights, bias or state do not fit %d batches of %d inputs and %d "
                         "cells",
                         op, v->batches, v->depth, v->cells);
    }
    if (v->activation.constant || v->state.constant) {
        return lite_fail(context, "%s: activation and state are written and cannot be constant", op);
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_u8(TfLiteOpaqueContext* context, LiteLstmBasic* data, const Views* v) {
    int log2;
    if (!lite_scale_log2(v->new_state.scale, &log2) || log2 != -11) {
        return lite_fail(context, "%s: the state has scale %g, expected 2^-11", op,
                         (double)v->new_state.scale);
    }
    if (v->weights.zero_point < 0 || v->weights.zero_point > UINT8_MAX) {
        return lite_fail(context, "%s: the weights have zero point %d", op, v->weights.zero_point);
    }
    data->to_gates = lite_quantize_multiplier(4096.0 * (double)v->bias.scale);
    return kTfLiteOk;
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, LiteLstmBasic* data, const Views* v) {
    const LiteGemmWeights weights = {.type = kTfLiteUInt8,
                                     .source = v->weights.data,
                                     .column_step = (size_t)v->depth + (size_t)v->cells,
                                     .depth_step = 1,
                                     .zero_point = v->weights.zero_point};
    return lite_gemm_pack(context, op, &data->gemm, &weights);
}

TfLiteStatus lite_lstm_basic_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                     LiteLstmBasic* data) {
    LITE_TRY(lite_kernel_check_counts(context, node, op, 5, 5, 4));
    Views v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(check(context, &v));
    const bool is_float = v.input.type == kTfLiteFloat32;
    if (!is_float) LITE_TRY(prepare_u8(context, data, &v));
    const int32_t depth = v.depth + v.cells; // both are dimensions of the weights, which hold their sum
    const LiteShape states = {2, {v.batches, v.cells}};
    const LiteShape joined = {2, {v.batches, depth}};
    const LiteShape gates = {2, {v.batches, GATES * v.cells}};
    LITE_TRY(lite_kernel_resize(context, v.new_activation.tensor, &states));
    LITE_TRY(lite_kernel_resize(context, v.new_state.tensor, &states));
    LITE_TRY(lite_kernel_resize(context, v.joined.tensor, &joined));
    LITE_TRY(lite_kernel_resize(context, v.gates.tensor, &gates));
    const LiteConvShape shape = lite_conv_shape_of_product(v.batches, depth, GATES * v.cells);
    LITE_TRY(lite_gemm_prepare(context, op, &data->gemm, &shape, lite_gemm_form(v.input.type, v.weights.type),
                               lite_kernel_shared(context, &v.weights)));
    LITE_TRY(lite_kernel_set_temporaries(node, &data->gemm.scratch_tensor, 1));
    return lite_kernel_is_unpacked(&v.weights, data->gemm.source) ? pack(context, data, &v) : kTfLiteOk;
}

// Rows of input and activation side by side.
static void join(const Views* v) {
    const size_t element = lite_type_size(v->input.type);
    const size_t first = (size_t)v->depth * element;
    const size_t second = (size_t)v->cells * element;
    char* to = v->joined.data;
    for (size_t b = 0; b < (size_t)v->batches; b++, to += first + second) {
        if (first > 0) memcpy(to, (const char*)v->input.data + b * first, first);
        memcpy(to + first, (const char*)v->activation.data + b * second, second);
    }
}

static void cell_f32(const Views* v) {
    const size_t cells = (size_t)v->cells;
    for (size_t b = 0; b < (size_t)v->batches; b++) {
        const float* gates = (const float*)v->gates.data + b * GATES * cells;
        const float* state = (const float*)v->state.data + b * cells;
        float* new_state = (float*)v->new_state.data + b * cells;
        float* activation = (float*)v->new_activation.data + b * cells;
        for (size_t i = 0; i < cells; i++) {
            const float update =
                lite_logisticf(gates[kInputGate * cells + i]) * lite_tanhf(gates[kUpdateGate * cells + i]);
            new_state[i] = update + lite_logisticf(gates[kForgetGate * cells + i]) * state[i];
            activation[i] = lite_logisticf(gates[kOutputGate * cells + i]) * lite_tanhf(new_state[i]);
        }
    }
}

// Gates have three integer bits, states four.
static void cell_u8(const Views* v) {
    const size_t cells = (size_t)v->cells;
    for (size_t b = 0; b < (size_t)v->batches; b++) {
        const int16_t* gates = (const int16_t*)v->gates.data + b * GATES * cells;
        const int16_t* state = (const int16_t*)v->state.data + b * cells;
        int16_t* new_state = (int16_t*)v->new_state.data + b * cells;
        uint8_t* activation = (uint8_t*)v->new_activation.data + b * cells;
        for (size_t i = 0; i < cells; i++) {
            const int32_t update = lite_mul16(lite_sigmoid16(gates[kInputGate * cells + i]),
                                              lite_tanh16(gates[kUpdateGate * cells + i], 3));
            const int32_t kept = lite_mul16(lite_sigmoid16(gates[kForgetGate * cells + i]), state[i]);
            const int32_t next = lite_saturate_i16(lite_rounding_shift_right(update, 4) + kept);
            const int32_t out =
                lite_mul16(lite_sigmoid16(gates[kOutputGate * cells + i]), lite_tanh16(next, 4));
            new_state[i] = (int16_t)next;
            const int32_t narrow = lite_rounding_shift_right(out, 8);
            activation[i] = (uint8_t)(128 + lite_clamp_i32(narrow, INT8_MIN, INT8_MAX));
        }
    }
}

typedef struct Sink {
    const LiteLstmBasic* data;
    const Views* views;
} Sink;

static void store_gates(const void* argument, const LiteTile* tile) {
    const Sink* sink = argument;
    const Views* v = sink->views;
    const int32_t* bias = (const int32_t*)v->bias.data + tile->column;
    for (int r = 0; r < tile->rows; r++) {
        int16_t* out =
            (int16_t*)v->gates.data + (size_t)(tile->row + r) * GATES * (size_t)v->cells + tile->column;
        for (int n = 0; n < tile->columns; n++) {
            const int32_t sum = lite_wrapping_add(tile->sums[r * tile->step + n], bias[n]);
            out[n] = (int16_t)lite_saturate_i16(lite_multiply_half_up(sum, sink->data->to_gates));
        }
    }
}

TfLiteStatus lite_lstm_basic_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                    LiteLstmBasic* data) {
    Views v;
    LITE_TRY(get_views(context, node, &v));
    if (v.new_state.count == 0) return kTfLiteOk;
    if (!v.weights.constant) LITE_TRY(pack(context, data, &v));
    join(&v);
    if (v.input.type == kTfLiteFloat32) {
        lite_gemm_bias_f32(&data->gemm, v.bias.data);
        LITE_TRY(lite_gemm_run_f32(context, op, &data->gemm, v.joined.data, -FLT_MAX, FLT_MAX, v.gates.data,
                                   NULL));
        cell_f32(&v);
    } else {
        const int32_t zero = 128;
        const LiteGemmInput input = {kTfLiteUInt8, v.joined.data, &zero, false};
        const Sink sink = {data, &v};
        LITE_TRY(lite_gemm_run_int(context, op, &data->gemm, &input, store_gates, &sink));
        cell_u8(&v);
    }
    // The next run goes on from here unless the program sets these inputs again.
    memcpy(v.activation.data, v.new_activation.data, v.new_activation.bytes);
    memcpy(v.state.data, v.new_state.data, v.new_state.bytes);
    return kTfLiteOk;
}
