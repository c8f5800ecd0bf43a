// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/recurrent/lstm_16.h"

#include <assert.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/semantics/fixedpoint.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/recurrent/lstm_integer.h"
#include "kernels-cpu/recurrent/lstm_rows16.h"

typedef struct Buffers {
    int8_t* rows;    // inputs of a chunk
    int16_t* gates;  // of a chunk
    int8_t* hidden;  // output before the projection
    int16_t* active; // tanh of the cell state of one batch
} Buffers;

static Buffers carve(LiteCarver* carver, const LiteLstmRun* run) {
    const LiteSequence* s = &run->io->sequence;
    const LiteLstmViews* v = run->views;
    const int64_t rows = (int64_t)s->batches * lite_sequence_chunk(s);
    Buffers b;
    b.rows = lite_carve(carver, rows, run->weights[kLiteOfInput].depth, 1);
    b.gates = lite_carve(carver, rows, (int64_t)v->gates * v->cells, sizeof(int16_t));
    b.hidden = v->has_projection ? lite_carve(carver, s->batches, v->cells, 1) : v->output_state.data;
    b.active = lite_carve(carver, 1, v->cells, sizeof(int16_t));
    return b;
}

void lite_lstm_16_carve(LiteCarver* carver, const LiteLstmRun* run) {
    carve(carver, run);
}

// Where the sums of a product go: scaled to gates, which those of the state are added to.
typedef struct GateSink {
    const LiteLstmViews* views;
    const LiteMultiplier* multipliers;
    bool of_state;
    int16_t* gates;
} GateSink;

static void store_gates(const void* argument, const LiteTile* tile) {
    const GateSink* sink = argument;
    const LiteLstmViews* v = sink->views;
    const size_t width = (size_t)v->gates * (size_t)v->cells;
    for (int n = 0; n < tile->columns;) {
        const int gate = (tile->column + n) / v->cells;
        const int64_t end = (int64_t)(gate + 1) * v->cells - tile->column;
        const int next = end < tile->columns ? (int)end : tile->columns;
        const LiteMultiplier multiplier = sink->multipliers[gate];
        // With layer normalization the bias is added after it.
        const int32_t* bias = sink->of_state || v->has_norm ? NULL : v->bias[gate].data;
        for (int r = 0; r < tile->rows; r++) {
            int16_t* out = sink->gates + (size_t)(tile->row + r) * width + tile->column;
            const int32_t* sums = tile->sums + r * tile->step;
            for (int i = n; i < next; i++) {
                const int32_t add = bias == NULL ? 0 : bias[tile->column + i - gate * v->cells];
                const int32_t x = lite_multiply(lite_wrapping_add(sums[i], add), multiplier);
                out[i] = (int16_t)lite_saturate_i16(sink->of_state ? lite_wrapping_add(x, out[i]) : x);
            }
        }
        n = next;
    }
}

static TfLiteStatus multiply(const LiteLstmRun* run, int product, int32_t rows, const int8_t* input,
                             void* gates) {
    const LiteLstmQuant* q = &run->cell->quant;
    const bool of_state = product == kLiteOfState;
    const GateSink sink = {run->views, of_state ? q->recurrent : q->input, of_state, gates};
    return lite_lstm_integer_multiply(run, product, rows, input, store_gates, &sink);
}

// Layer normalization of one gate in one batch; the sums have 10 bits more than the gate.
static void normalize(const LiteLstmRun* run, int gate, int16_t* x) {
    const LiteLstmQuant* q = &run->cell->quant;
    const int32_t cells = run->views->cells;
    const int16_t* coefficients = run->views->norm[gate].data;
    const int32_t* bias = run->views->bias[gate].data;
    int64_t sum = 0;
    int64_t squares = 0;
    for (int32_t i = 0; i < cells; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    const int32_t mean = (int32_t)(sum * 1024 / cells);
    const int64_t variance20 = squares * ((1 << 20) / cells) - (int64_t)mean * mean;
    const int32_t variance = (int32_t)(variance20 / (1 << 20));
    const LiteMultiplier inverse = lite_inverse_sqrt(variance < 1 ? q->variance_guard[gate] : variance);
    LiteMultiplier scale = q->norm[gate];
    scale.shift = scale.shift + 12 > 31 ? 31 : scale.shift + 12;
    for (int32_t i = 0; i < cells; i++) {
        const int32_t normal = lite_multiply(1024 * x[i] - mean, inverse);
        const uint32_t product = (uint32_t)normal * (uint32_t)(int32_t)coefficients[i] + (uint32_t)bias[i];
        const int64_t wide = (int32_t)product;
        const int32_t y = (int32_t)((wide > 0 ? wide + 512 : wide - 512) / 1024);
        x[i] = (int16_t)lite_saturate_i16(lite_multiply(y, scale));
    }
}

// Adds cell state times peephole weights. The reference steps through both by the number of outputs, not of
// cells, where all batches of a step are computed together; the products that fill its vectors round halves
// up.
static void add_peephole(const LiteLstmRun* run, int gate, int16_t* gates) {
    const LiteLstmViews* v = run->views;
    const LiteSequence* s = &run->io->sequence;
    const size_t width = (size_t)v->gates * (size_t)v->cells;
    const int32_t used = v->outputs < v->cells ? v->outputs : v->cells;
    const int32_t in_vectors = used & ~15;
    const int32_t stride = s->time_major ? used : v->cells;
    const LiteMultiplier scale = run->cell->quant.peephole[gate];
    const int16_t* weights = v->peephole[gate].data;
    const int16_t* cell = v->cell_state.data;
    for (int32_t b = 0; b < s->batches; b++) {
        for (int32_t i = 0; i < used; i++) {
            const size_t at = (size_t)b * (size_t)stride + (size_t)i; // among the cells of all batches
            int16_t* x = gates + at / (size_t)v->cells * width + (size_t)gate * (size_t)v->cells +
                         at % (size_t)v->cells;
            const int32_t product = weights[i] * cell[at];
            const int32_t scaled =
                i < in_vectors ? lite_multiply_half_up(product, scale) : lite_multiply(product, scale);
            *x = (int16_t)lite_saturate_i16(lite_wrapping_add(scaled, *x));
        }
    }
}

#define TANH_ROW(BITS)                                                                                       \
    case BITS:                                                                                               \
        for (int32_t i = 0; i < count; i++) out[i] = (int16_t)lite_tanh16(x[i], BITS);                       \
        break;

// A constant number of bits lets the compiler unroll and vectorise.
static void tanh_row(int integer_bits, const int16_t* x, int16_t* out, int32_t count) {
    switch (integer_bits) {
        TANH_ROW(0)
        TANH_ROW(1)
        TANH_ROW(2)
        TANH_ROW(3)
        TANH_ROW(4)
        TANH_ROW(5)
        TANH_ROW(6)
    default:
        break;
    }
}

// Finishes a gate of all batches.
static void finish_gate(const LiteLstmRun* run, int gate, int16_t* gates) {
    const LiteLstmViews* v = run->views;
    const int32_t cells = v->cells;
    if (v->has_peephole && v->peephole[gate].tensor != NULL) add_peephole(run, gate, gates);
    for (size_t b = 0; b < (size_t)run->io->sequence.batches; b++) {
        int16_t* x = gates + (b * (size_t)v->gates + (size_t)gate) * (size_t)cells;
        if (v->has_norm) normalize(run, gate, x);
        if (gate == kLiteUpdate) {
            tanh_row(3, x, x, cells);
        } else {
            for (int32_t i = 0; i < cells; i++) x[i] = (int16_t)lite_sigmoid16(x[i]);
        }
    }
}

static void store_projection(const void* argument, const LiteTile* tile) {
    const LiteLstmRun* run = argument;
    const LiteLstmViews* v = run->views;
    const LiteLstmQuant* q = &run->cell->quant;
    const int32_t* bias = v->projection_bias.data;
    for (int r = 0; r < tile->rows; r++) {
        int8_t* out = lite_lstm_integer_output(run, tile, r);
        for (int n = 0; n < tile->columns; n++) {
            const int32_t add = bias == NULL ? 0 : bias[tile->column + n];
            const int32_t sum = lite_wrapping_add(tile->sums[r * tile->step + n], add);
            const int32_t x = lite_wrapping_add(lite_multiply(sum, q->projection), q->state_zero);
            out[n] = (int8_t)lite_clamp_i32(x, INT8_MIN, INT8_MAX);
        }
        lite_lstm_clip8(out, q->proj_clip, tile->columns);
    }
}

// output gate * tanh(cell) as int8, to be projected.
static TfLiteStatus compute_output(const LiteLstmRun* run, const Buffers* buffers, const int16_t* gates) {
    const LiteLstmViews* v = run->views;
    const LiteLstmQuant* q = &run->cell->quant;
    const size_t cells = (size_t)v->cells;
    // The reference's projection expects the negative zero point.
    const int32_t zero = v->has_projection ? -q->hidden_zero : q->hidden_zero;
    for (size_t b = 0; b < (size_t)run->io->sequence.batches; b++) {
        const int16_t* gate = gates + (b * (size_t)v->gates + kLiteOutput) * cells;
        int8_t* hidden = buffers->hidden + b * cells;
        tanh_row(15 + q->cell_log2, (const int16_t*)v->cell_state.data + b * cells, buffers->active,
                 v->cells);
        for (size_t i = 0; i < cells; i++) {
            const int32_t x = lite_multiply(gate[i] * buffers->active[i], q->hidden);
            hidden[i] = (int8_t)lite_clamp_i32(lite_wrapping_add(x, zero), INT8_MIN, INT8_MAX);
        }
    }
    if (!v->has_projection) return kTfLiteOk;
    const LiteGemm gemm =
        lite_recurrent_product(&run->cell->recurrent, kLiteOfHidden, run->io->sequence.batches);
    const LiteGemmInput in = {kTfLiteInt8, buffers->hidden, &zero, false};
    return lite_gemm_run_int(run->context, run->op, &gemm, &in, store_projection, run);
}

static TfLiteStatus advance(const LiteLstmRun* run, const void* argument, int32_t step, void* products) {
    const Buffers* buffers = argument;
    int16_t* gates = products;
    assert(gates != NULL);
    const LiteLstmViews* v = run->views;
    const LiteLstmQuant* q = &run->cell->quant;
    const LiteLstmIo* io = run->io;
    const size_t cells = (size_t)v->cells;
    LITE_TRY(multiply(run, kLiteOfState, io->sequence.batches, v->output_state.data, gates));
    if (lite_cancelled()) return kTfLiteOk;
    finish_gate(run, kLiteForget, gates);
    finish_gate(run, kLiteUpdate, gates);
    if (v->gates > kLiteInput) finish_gate(run, kLiteInput, gates);
    for (size_t b = 0; b < (size_t)io->sequence.batches; b++) {
        const int16_t* row = gates + b * (size_t)v->gates * cells;
        lite_lstm_update_cell16(
            (int16_t*)v->cell_state.data + b * cells, row + kLiteForget * cells, row + kLiteUpdate * cells,
            v->gates > kLiteInput ? row + kLiteInput * cells : NULL, q->cell_log2, q->cell_clip, v->cells);
    }
    finish_gate(run, kLiteOutput, gates);
    LITE_TRY(compute_output(run, buffers, gates));
    lite_lstm_integer_scatter(run, step);
    return kTfLiteOk;
}

TfLiteStatus lite_lstm_16_run(const LiteLstmRun* run, LiteCarver* carver) {
    const Buffers buffers = carve(carver, run);
    const LiteLstmInteger integer = {.run = run,
                                     .rows = buffers.rows,
                                     .products = buffers.gates,
                                     .step_bytes = (size_t)run->io->sequence.batches *
                                                   (size_t)run->views->gates * (size_t)run->views->cells *
                                                   sizeof(int16_t),
                                     .multiply = multiply,
                                     .advance = advance,
                                     .buffers = &buffers};
    return lite_lstm_integer_run(&integer);
}
