// SPDX-License-Identifier: Apache-2.0
// Cells that run over a sequence: the products of all inputs are there, those of the state are added step by
// step. One work-group: one batch; its items share the columns of each product and the elements of each
// vector. Weights are packed as in conv.cl; 8-bit ones are floats here, and what they are multiplied with is
// quantized and turned back.
//
// Prelude: VW, NV, PANEL (a multiple of VW * NV), GROUP: items of a work-group.
#include "kernels-cl/args/activation.h"
#include "kernels-cl/args/hybrid.h"
#include "kernels-cl/args/recurrent.h"
#include "kernels-cl/common/common.cl"

#define NR (NV * VW)

#if GROUP > 1
#define SYNC() barrier(CLK_GLOBAL_MEM_FENCE)
#else
#define SYNC()
#endif

// The elements of a vector, or its vectors, that this item does.
#define EACH(i, count)                                                                                       \
    int i = get_local_id(0);                                                                                 \
    i < (count);                                                                                             \
    i += GROUP
#define EACH_VECTOR(i, count)                                                                                \
    int i = (int)get_local_id(0) * VW;                                                                       \
    i < (count);                                                                                             \
    i += GROUP * VW

// Forget gate, cell gate, output gate, input gate.
enum { FORGET, UPDATE, OUTPUT, INPUT };

inline vector sigmoid(vector x) {
    return 1.0f / (1.0f + exp(-x));
}

// NaN becomes the lower end of a range, as on the host.
inline vector activate(LiteClActivation a, vector x) {
    if (a.function == LITE_CL_TANH) return tanh(x);
    if (a.function == LITE_CL_SIGMOID) return sigmoid(x);
    return a.low > -INFINITY ? fmin(fmax(x, a.low), a.high) : x;
}

// y = x as 8 bits keep it; elements from `first` on, `stride` apart. NaN becomes the byte 0, as on the host.
inline void quantize(int how, const __global float* x, int count, int first, int stride, __global float* y) {
    float low = 0.0f, high = 0.0f;
    for (int i = 0; i < count; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    const bool symmetric = how == LITE_CL_SYMMETRIC;
    const float range = max(high, -low);
    const float scale = symmetric ? range / 127.0f : (high - low) / 255.0f;
    const float inverse = symmetric ? 127.0f / range : scale == 0.0f ? 0.0f : 1.0f / scale;
    const float bottom = symmetric ? -127.0f : -128.0f;
    const float zero = symmetric ? 0.0f : clamp(round(-128.0f - low / scale), -128.0f, 127.0f);
    for (int i = first; i < count; i += stride) {
        const float q = zero + round(x[i] * inverse);
        const float byte = q <= bottom ? bottom : q >= 127.0f ? 127.0f : q == q ? q : 0.0f;
        y[i] = low == high ? 0.0f : (byte - zero) * scale;
    }
}

// Item: a row.
KERNEL quantize_rows(ITEM const LiteClQuantizeArgs a, const __global float* restrict x,
                     __global float* restrict y) {
    const int row = get_global_id(0);
    if (row < a.rows) quantize(a.how, x + row * a.width, a.width, 0, 1, y + row * a.width);
}

// What the products multiply in the place of x.
inline const __global float* operand(int how, const __global float* x, int count, __global float* quantized) {
    if (how == 0) return x;
    quantize(how, x, count, get_local_id(0), GROUP, quantized);
    SYNC();
    return quantized;
}

// sums += x * weights
inline void add_product(const __global float* weights, const __global float* x, int depth, int width,
                        __global float* sums) {
    for (int n0 = (int)get_local_id(0) * NR; n0 < width; n0 += GROUP * NR) {
        const __global float* w = weights + (size_t)(n0 / PANEL) * depth * PANEL + n0 % PANEL;
        vector acc[NV];
#pragma unroll
        for (int j = 0; j < NV; j++) acc[j] = VLOAD(sums + n0 + j * VW);
        for (int k = 0; k < depth; k++) {
            const float s = x[k];
#pragma unroll
            for (int j = 0; j < NV; j++) acc[j] += s * VLOAD(w + j * VW);
            w += PANEL;
        }
#pragma unroll
        for (int j = 0; j < NV; j++) VSTORE(acc[j], sums + n0 + j * VW);
    }
}

// Where the rows of a sequence are.
inline int row_of(const LiteClRecurrentArgs* a, int step, int batch) {
    return (a->backward ? a->steps - 1 - step : step) * a->step_rows + batch * a->batch_rows;
}

// Products of the auxiliary input and of the output, added to a row of sums.
inline void add_products(const LiteClRecurrentArgs* a, const __global float* constants,
                         const __global float* aux, const __global float* output, __global float* quantized,
                         __global float* sums) {
    if (a->aux_depth > 0) {
        aux = operand(a->quantizes, aux, a->aux_depth, quantized);
        add_product(constants + a->aux, aux, a->aux_depth, a->width, sums);
        SYNC();
    }
    output = operand(a->quantizes, output, a->outputs, quantized);
    add_product(constants + a->recurrent, output, a->outputs, a->width, sums);
    SYNC();
}

// Copies between a state and the work-group's own memory, or to the operator's output.
inline void copy(const __global float* from, int count, __global float* to) {
    for (EACH(i, count)) to[i] = from[i];
}

KERNEL rnn(ITEM const LiteClRecurrentArgs a, __global float* restrict sums,
           const __global float* restrict constants, const __global float* restrict aux,
           __global float* restrict work, __global float* restrict state, __global float* restrict y) {
    const int batch = get_group_id(0);
    if (batch >= a.batches) return;
    __global float* output = work + batch * a.work;
    __global float* quantized = output + a.output_pitch;
    state += batch * a.outputs;
    copy(state, a.outputs, output);
    SYNC();
    for (int step = 0; step < a.steps; step++) {
        const int row = row_of(&a, step, batch);
        __global float* x = sums + row * a.width;
        add_products(&a, constants, aux + row * a.aux_depth, output, quantized, x);
        for (EACH_VECTOR(i, a.pitch)) VSTORE(activate(a.activation, VLOAD(x + i)), output + i);
        SYNC();
        copy(output, a.outputs, y + row * a.y_width + a.y_offset);
    }
    copy(output, a.outputs, state);
}

// Turns the sums of a gate into the gate.
inline void finish_gate(const LiteClRecurrentArgs* a, const __global float* constants, int gate,
                        const __global float* cell, __global float* sums) {
    const int at = gate * a->pitch;
    __global float* x = sums + at;
    if (a->has_peephole && gate != UPDATE) {
        const __global float* w = constants + a->peephole + at;
        for (EACH_VECTOR(i, a->pitch)) VSTORE(VLOAD(x + i) + VLOAD(w + i) * VLOAD(cell + i), x + i);
    }
    if (a->has_norm) {
        const __global float* coefficients = constants + a->norm + at;
        const __global float* bias = constants + a->bias + at;
        float sum = 0.0f, squares = 0.0f;
        SYNC();
        for (int i = 0; i < a->cells; i++) sum += x[i];
        const float mean = sum / (float)a->cells;
        for (int i = 0; i < a->cells; i++) squares += (x[i] - mean) * (x[i] - mean);
        const float inverse = 1.0f / sqrt(squares / (float)a->cells + 1e-8f);
        SYNC();
        for (EACH_VECTOR(i, a->pitch)) {
            VSTORE((VLOAD(x + i) - mean) * inverse * VLOAD(coefficients + i) + VLOAD(bias + i), x + i);
        }
    }
    for (EACH_VECTOR(i, a->pitch)) {
        const vector v = VLOAD(x + i);
        VSTORE(gate == UPDATE ? activate(a->activation, v) : sigmoid(v), x + i);
    }
}

// NaN becomes the upper end, as on the host.
inline vector clip(vector x, float limit) {
    return fmax(fmin(x, limit), -limit);
}

inline void update_cell(const LiteClRecurrentArgs* a, const __global float* gates, __global float* cell) {
    for (EACH_VECTOR(i, a->pitch)) {
        const vector forget = VLOAD(gates + FORGET * a->pitch + i);
        const vector update = VLOAD(gates + UPDATE * a->pitch + i);
        const vector input = a->gates > INPUT ? VLOAD(gates + INPUT * a->pitch + i) : 1.0f - forget;
        const vector next = VLOAD(cell + i) * forget + update * input;
        VSTORE(a->cell_clip > 0.0f ? clip(next, a->cell_clip) : next, cell + i);
    }
}

// output = projection of hidden
inline void project(const LiteClRecurrentArgs* a, const __global float* constants,
                    const __global float* hidden, __global float* quantized, __global float* output) {
    copy(constants + a->projection_bias, a->output_pitch, output);
    hidden = operand(a->quantizes, hidden, a->cells, quantized);
    SYNC();
    add_product(constants + a->projection, hidden, a->cells, a->output_pitch, output);
    SYNC();
    if (a->proj_clip > 0.0f) {
        for (EACH(i, a->outputs)) output[i] = fmax(fmin(output[i], a->proj_clip), -a->proj_clip);
        SYNC();
    }
}

KERNEL lstm(ITEM const LiteClRecurrentArgs a, __global float* restrict sums,
            const __global float* restrict constants, const __global float* restrict aux,
            __global float* restrict work, __global float* restrict output_state,
            __global float* restrict cell_state, __global float* restrict y) {
    const int batch = get_group_id(0);
    if (batch >= a.batches) return;
    __global float* output = work + batch * a.work;
    __global float* cell = output + a.output_pitch;
    __global float* hidden = cell + a.pitch;
    __global float* quantized = hidden + a.pitch;
    output_state += batch * a.outputs;
    cell_state += batch * a.cells;
    copy(output_state, a.outputs, output);
    // Vectors reach beyond the last cell.
    for (EACH(i, a.pitch)) cell[i] = i < a.cells ? cell_state[i] : 0.0f;
    SYNC();
    for (int step = 0; step < a.steps; step++) {
        const int row = row_of(&a, step, batch);
        __global float* x = sums + row * a.width;
        add_products(&a, constants, aux + row * a.aux_depth, output, quantized, x);
        finish_gate(&a, constants, FORGET, cell, x);
        finish_gate(&a, constants, UPDATE, cell, x);
        if (a.gates > INPUT) finish_gate(&a, constants, INPUT, cell, x);
        update_cell(&a, x, cell);
        finish_gate(&a, constants, OUTPUT, cell, x);
        const __global float* source = a.takes_update ? x + UPDATE * a.pitch : cell;
        __global float* target = a.has_projection ? hidden : output;
        for (EACH_VECTOR(i, a.pitch)) {
            VSTORE(VLOAD(x + OUTPUT * a.pitch + i) * activate(a.activation, VLOAD(source + i)), target + i);
        }
        SYNC();
        if (a.has_projection) project(&a, constants, hidden, quantized, output);
        copy(output, a.outputs, y + row * a.y_width + a.y_offset);
    }
    SYNC();
    copy(output, a.outputs, output_state);
    copy(cell, a.cells, cell_state);
}

// Input gate, cell gate, forget gate and output gate side by side. Item: a cell.
KERNEL lstm_basic(ITEM const LiteClLstmBasicArgs a, const __global float* restrict gates,
                  const __global float* restrict state, __global float* restrict new_state,
                  __global float* restrict activation) {
    const int i = get_global_id(0);
    if (i >= a.count) return;
    const __global float* x = gates + i / a.cells * 4 * a.cells + i % a.cells;
    const float update = tanh(x[a.cells]) / (1.0f + exp(-x[0]));
    const float next = update + state[i] / (1.0f + exp(-x[2 * a.cells]));
    new_state[i] = next;
    activation[i] = tanh(next) / (1.0f + exp(-x[3 * a.cells]));
}
