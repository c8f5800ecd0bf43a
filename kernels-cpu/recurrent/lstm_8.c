// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/lstm_8.h"

#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/semantics/fixedpoint.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/recurrent/lstm_integer.h"
#include "kernels-cpu/recurrent/lstm_rows16.h"

#define GATES kLiteInput // the input gate does not count

typedef struct Buffers {
    int8_t* rows;    // inputs of a chunk
    int8_t* input;   // their products
    int8_t* state;   // products of the state
    int16_t* gates;  // of one batch
    int16_t* hidden; // output before the projection
} Buffers;

static Buffers carve(LiteCarver* carver, const LiteLstmRun* run) {
    const LiteSequence* s = &run->io->sequence;
    const int64_t cells = run->views->cells;
    const int64_t rows = (int64_t)s->batches * lite_sequence_chunk(s);
    Buffers b;
    b.rows = lite_carve(carver, rows, run->weights[kLiteOfInput].depth, 1);
    b.input = lite_carve(carver, rows, GATES * cells, 1);
    b.state = lite_carve(carver, s->batches, GATES * cells, 1);
    b.gates = lite_carve(carver, GATES, cells, sizeof(int16_t));
    b.hidden = lite_carve(carver, s->batches, cells, sizeof(int16_t));
    return b;
}

void lite_lstm_8_carve(LiteCarver* carver, const LiteLstmRun* run) {
    carve(carver, run);
}

typedef struct ProductSink {
    int32_t cells;
    const LiteMultiplier* multipliers; // of each gate
    const int32_t* zero_points;
    int8_t* out;
} ProductSink;

static void store_products(const void* argument, const LiteTile* tile) {
    const ProductSink* sink = argument;
    const size_t width = GATES * (size_t)sink->cells;
    for (int r = 0; r < tile->rows; r++) {
        int8_t* out = sink->out + (size_t)(tile->row + r) * width + tile->column;
        for (int n = 0; n < tile->columns; n++) {
            const int gate = (tile->column + n) / sink->cells;
            const int32_t x = lite_multiply(tile->sums[r * tile->step + n], sink->multipliers[gate]);
            const int32_t y = lite_wrapping_add(x, sink->zero_points[gate]);
            out[n] = (int8_t)lite_clamp_i32(y, INT8_MIN, INT8_MAX);
        }
    }
}

static TfLiteStatus multiply(const LiteLstmRun* run, int product, int32_t rows, const int8_t* input,
                             void* out) {
    const LiteLstmQuant* q = &run->cell->quant;
    const bool of_state = product == kLiteOfState;
    const ProductSink sink = {run->views->cells, of_state ? q->recurrent : q->input,
                              of_state ? q->recurrent_zero : q->product_zero, out};
    return lite_lstm_integer_multiply(run, product, rows, input, store_products, &sink);
}

// What is out of range or NaN becomes INT32_MIN, as conversion instructions of x86-64 have it.
static int32_t to_int32(float x) {
    return fabsf(x) < 0x1p31f ? (int32_t)x : INT32_MIN;
}

static void normalize(const LiteLstmRun* run, int gate, int16_t* x) {
    const LiteMultiplier multiplier = run->cell->quant.norm[gate];
    const int32_t cells = run->views->cells;
    const int16_t* coefficients = run->views->norm[gate].data;
    const int32_t* bias = run->views->bias[gate].data;
    const float scale = (float)(multiplier.value * ldexp(1.0, multiplier.shift - 31));
    const float bias_scale = 0x1p-10f * scale;
    float sum = 0.0f;
    float squares = 0.0f;
    for (int32_t i = 0; i < cells; i++) {
        sum += (float)x[i];
        squares += (float)x[i] * (float)x[i];
    }
    const float mean = sum / (float)cells;
    const float variance = squares / (float)cells - mean * mean;
    const float inverse = 1.0f / sqrtf(variance == 0.0f ? 1e-8f : variance);
    for (int32_t i = 0; i < cells; i++) {
        const float normal = ((float)x[i] - mean) * inverse;
        const float y = normal * (float)coefficients[i] * scale + (float)bias[i] * bias_scale;
        x[i] = (int16_t)lite_saturate_i16(to_int32(roundf(y * 4096.0f)));
    }
}

static void activate(int gate, int16_t* x, int32_t cells) {
    for (int32_t i = 0; i < cells; i++) {
        const float y = (float)x[i] * 0x1p-12f;
        const float active = gate == kLiteUpdate ? tanhf(y) : 1.0f / (1.0f + expf(-y));
        x[i] = (int16_t)lite_saturate_i16(to_int32(active * 32768.0f));
    }
}

// The gate of one batch from its products.
static int16_t* compute_gate(const LiteLstmRun* run, int gate, const int8_t* input, const int8_t* state,
                             int16_t* gates) {
    const LiteLstmQuant* q = &run->cell->quant;
    const int32_t cells = run->views->cells;
    const size_t at = (size_t)gate * (size_t)cells;
    int16_t* x = gates + at;
    for (int32_t i = 0; i < cells; i++) {
        const int32_t a =
            lite_multiply(input[at + (size_t)i] - q->product_zero[gate], q->input_to_gate[gate]);
        const int32_t b =
            lite_multiply(state[at + (size_t)i] - q->recurrent_zero[gate], q->recurrent_to_gate[gate]);
        x[i] = (int16_t)lite_saturate_i16(lite_wrapping_add(a, b));
    }
    normalize(run, gate, x);
    activate(gate, x, cells);
    return x;
}

static void store_projection(const void* argument, const LiteTile* tile) {
    const LiteLstmRun* run = argument;
    const LiteLstmViews* v = run->views;
    const LiteLstmQuant* q = &run->cell->quant;
    const int32_t* bias = v->projection_bias.data;
    for (int r = 0; r < tile->rows; r++) {
        int8_t* out = lite_lstm_integer_output(run, tile, r);
        for (int n = 0; n < tile->columns; n++) {
            const int64_t sum = tile->wide[r * tile->step + n] + bias[tile->column + n];
            const int64_t x = (int64_t)lite_multiply_i64(sum, q->projection) + q->state_zero;
            out[n] = (int8_t)(x < INT8_MIN ? INT8_MIN : x > INT8_MAX ? INT8_MAX : x);
        }
        lite_lstm_clip8(out, q->proj_clip, tile->columns);
    }
}

static TfLiteStatus advance(const LiteLstmRun* run, const void* argument, int32_t step, void* products) {
    const Buffers* buffers = argument;
    const int8_t* input = products;
    const LiteLstmViews* v = run->views;
    const LiteLstmQuant* q = &run->cell->quant;
    const LiteLstmIo* io = run->io;
    const int32_t batches = io->sequence.batches;
    const size_t cells = (size_t)v->cells;
    LITE_TRY(multiply(run, kLiteOfState, batches, v->output_state.data, buffers->state));
    if (lite_cancelled()) return kTfLiteOk;
    for (size_t b = 0; b < (size_t)batches; b++) {
        const int8_t* in = input + b * GATES * cells;
        const int8_t* state = buffers->state + b * GATES * cells;
        int16_t* cell = (int16_t*)v->cell_state.data + b * cells;
        int16_t* hidden = buffers->hidden + b * cells;
        const int16_t* forget = compute_gate(run, kLiteForget, in, state, buffers->gates);
        const int16_t* update = compute_gate(run, kLiteUpdate, in, state, buffers->gates);
        lite_lstm_update_cell16(cell, forget, update, NULL, -15, q->cell_clip, v->cells);
        const int16_t* output = compute_gate(run, kLiteOutput, in, state, buffers->gates);
        for (size_t i = 0; i < cells; i++) {
            const int32_t active = lite_saturate_i16(to_int32(tanhf((float)cell[i] * 0x1p-15f) * 32768.0f));
            hidden[i] = (int16_t)lite_rounding_shift_right(output[i] * active, 15);
        }
    }
    const LiteGemm gemm = lite_recurrent_product(&run->cell->recurrent, kLiteOfHidden, batches);
    const LiteGemmInput in = {kTfLiteInt16, buffers->hidden, NULL, false};
    LITE_TRY(lite_gemm_run_int(run->context, run->op, &gemm, &in, store_projection, run));
    lite_lstm_integer_scatter(run, step);
    return kTfLiteOk;
}

TfLiteStatus lite_lstm_8_run(const LiteLstmRun* run, LiteCarver* carver) {
    const Buffers buffers = carve(carver, run);
    const LiteLstmInteger integer = {.run = run,
                                     .rows = buffers.rows,
                                     .products = buffers.input,
                                     .step_bytes = (size_t)run->io->sequence.batches * GATES *
                                                   (size_t)run->views->cells * sizeof(int8_t),
                                     .multiply = multiply,
                                     .advance = advance,
                                     .buffers = &buffers};
    return lite_lstm_integer_run(&integer);
}
