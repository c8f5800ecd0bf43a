// SPDX-License-Identifier: Apache-2.0
// LSTM cells in integers with gates of 16 bits, bit for bit as the CPU's. Of lstm_16 a work-group is one
// batch; its items share the elements of each vector.
//
// Prelude: QUANTIZED, GROUP: items of a work-group.
#include "kernels-cl/args/lstm_16.h"
#include "kernels-cl/common/common.cl"

#if GROUP > 1
#define SYNC() barrier(CLK_GLOBAL_MEM_FENCE)
#else
#define SYNC()
#endif
#define EACH(i, count)                                                                                       \
    int i = get_local_id(0);                                                                                 \
    i < (count);                                                                                             \
    i += GROUP

enum { FORGET, UPDATE, OUTPUT, INPUT, GATES };
enum { SIGMOID, TANH, TANH_OF_CELL }; // tables

inline int saturate16(int x) {
    return clamp(x, SHRT_MIN, SHRT_MAX);
}

inline int wrapping_add(int x, int y) {
    return (int)((uint)x + (uint)y);
}

// x * m with halves up in both roundings.
inline int multiply_half_up(int x, LiteClMultiplier m) {
    const int left = max(m.shift, 0);
    const int right = max(-m.shift, 0);
    const long high = doubling_high_mul((int)((uint)x << left), m.value);
    return (int)((high + ((1L << right) >> 1)) >> right);
}

inline int look_up(const __global short* tables, int which, int x) {
    return tables[which * 65536 + x + 32768];
}

// 1 / sqrt(x) for x >= 1: five steps of Newton's method with three integer bits.
inline LiteClMultiplier inverse_sqrt(int x) {
    LiteClMultiplier m = {INT_MAX, 0};
    if (x <= 1) return m;
    int shift = 11;
    for (; x >= 1 << 29; x /= 4) shift++;
    const int pairs = ((int)clz(x) - 1) / 2 - 1;
    shift -= pairs;
    const int half_x = rounding_shift_right((int)((uint)x << 2 * pairs) >> 1, 1);
    const int three_halves = (1 << 28) + (1 << 27);
    int y = 1 << 28;
    for (int i = 0; i < 5; i++) {
        const int cube = doubling_high_mul(doubling_high_mul(y, y), y);
        const int y3 = convert_int_sat((long)cube * 64);
        const int next = doubling_high_mul(three_halves, y) - doubling_high_mul(half_x, y3);
        y = convert_int_sat((long)next * 8);
    }
    y = doubling_high_mul(y, 1518500250); // sqrt(2) / 2
    m.value = shift < 0 ? (int)((uint)y << -shift) : y;
    m.shift = shift < 0 ? 0 : -shift;
    return m;
}

inline uint dot_bytes(const __global char* x, const __global char* w, int count, int zero) {
    uint sum = 0;
    for (int k = 0; k < count; k++) sum += (uint)((x[k] - zero) * w[k]);
    return sum;
}

// The sums have 10 bits more than the gate.
inline void normalize(const LiteClLstm16Args* a, const __global int* vectors, int gate, __global int* x) {
    const __global int* bias = vectors + gate * a->cells;
    const __global int* coefficients = vectors + (2 * GATES + gate) * a->cells;
    long sum = 0, squares = 0;
    SYNC();
    for (int i = 0; i < a->cells; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    SYNC();
    const int mean = (int)(sum * 1024 / a->cells);
    const long variance20 = squares * ((1 << 20) / a->cells) - (long)mean * mean;
    const int variance = (int)(variance20 / (1 << 20));
    const LiteClMultiplier inverse = inverse_sqrt(variance < 1 ? a->variance_guard[gate] : variance);
    LiteClMultiplier scale = a->norm[gate];
    scale.shift = min(scale.shift + 12, 31);
    for (EACH(i, a->cells)) {
        const int normal = multiply(1024 * x[i] - mean, inverse);
        const int wide = (int)((uint)normal * (uint)coefficients[i] + (uint)bias[i]);
        const int distance = (int)((abs(wide) + 512) / 1024), y = wide < 0 ? -distance : distance;
        x[i] = saturate16(multiply(y, scale));
    }
}

// The reference adds the weights to as many cells as there are outputs, which are, where all batches of a
// step are computed together, the first ones of all their cells.
inline void add_peephole(const LiteClLstm16Args* a, const __global int* vectors, int gate, int batch,
                         const __global short* cell, __global int* x) {
    const __global int* w = vectors + (GATES + gate) * a->cells;
    const int used = a->peephole_cells, in_vectors = used & ~15; // of the reference, which round halves up
    const bool together = a->step_rows == a->batches;
    const int first = together ? batch * a->cells : 0, end = together ? a->batches * used : used;
    for (EACH(i, min(a->cells, end - first))) {
        const int k = (first + i) % used, product = w[k] * cell[i];
        const int scaled = k < in_vectors ? multiply_half_up(product, a->peephole[gate])
                                          : multiply(product, a->peephole[gate]);
        x[i] = saturate16(wrapping_add(scaled, x[i]));
    }
}

// Turns the sums of a gate into the gate.
inline void finish_gate(const LiteClLstm16Args* a, const __global int* vectors, const __global short* tables,
                        int gate, int batch, const __global short* cell, __global int* gates) {
    __global int* x = gates + gate * a->cells;
    if (a->has_peephole && gate != UPDATE) add_peephole(a, vectors, gate, batch, cell, x);
    if (a->has_norm) normalize(a, vectors, gate, x);
    for (EACH(i, a->cells)) x[i] = look_up(tables, gate == UPDATE ? TANH : SIGMOID, x[i]);
}

inline void update_cell(const LiteClLstm16Args* a, const __global int* gates, __global short* cell) {
    for (EACH(i, a->cells)) {
        const int forget = gates[FORGET * a->cells + i], update = gates[UPDATE * a->cells + i];
        const int input = a->gates > INPUT ? gates[INPUT * a->cells + i] : SHRT_MAX - forget;
        const int kept = (short)rounding_shift_right(forget * cell[i], 15);
        const int added = (short)rounding_shift_right(input * update, 30 + a->cell_log2);
        const int next = saturate16(kept + added);
        cell[i] = (short)(a->cell_clip != 0 ? clamp(next, -a->cell_clip, a->cell_clip) : next);
    }
}

KERNEL lstm_16(ITEM const LiteClLstm16Args args, const __global char* restrict input,
               const __global char* restrict weights, const __global int* restrict vectors,
               const __global short* restrict tables, __global int* restrict work,
               __global char* restrict output_state, __global short* restrict cell_state,
               __global char* restrict y) {
    const LiteClLstm16Args a = args;
    const int batch = get_group_id(0), width = a.gates * a.cells;
    if (batch >= a.batches) return;
    const __global char* recurrent = weights + width * a.depth;
    const __global char* projection = recurrent + width * a.outputs;
    const __global int* projection_bias = vectors + 3 * GATES * a.cells;
    __global int* gates = work + batch * a.work;
    __global int* hidden = gates + width;
    __global char* output = output_state + batch * a.outputs;
    __global short* cell = cell_state + batch * a.cells;
    for (int step = 0; step < a.steps; step++) {
        const int row = step * a.step_rows + batch * a.batch_rows;
        for (EACH(n, width)) {
            const int gate = n / a.cells;
            // With layer normalization the bias is added after it.
            const uint bias = a.has_norm ? 0 : (uint)vectors[n];
            const uint of_input = dot_bytes(input + row * a.depth, weights + n * a.depth, a.depth, a.zero_x);
            const uint of_state = dot_bytes(output, recurrent + n * a.outputs, a.outputs, a.zero_state);
            const int x = saturate16(multiply((int)(of_input + bias), a.input[gate]));
            gates[n] = saturate16(wrapping_add(multiply((int)of_state, a.recurrent[gate]), x));
        }
        SYNC();
        finish_gate(&a, vectors, tables, FORGET, batch, cell, gates);
        finish_gate(&a, vectors, tables, UPDATE, batch, cell, gates);
        if (a.gates > INPUT) finish_gate(&a, vectors, tables, INPUT, batch, cell, gates);
        update_cell(&a, gates, cell);
        finish_gate(&a, vectors, tables, OUTPUT, batch, cell, gates);
        for (EACH(i, a.cells)) {
            const int active = look_up(tables, TANH_OF_CELL, cell[i]) * gates[OUTPUT * a.cells + i];
            const int x = clamp(wrapping_add(multiply(active, a.hidden), a.zero_hidden), CHAR_MIN, CHAR_MAX);
            hidden[i] = x;
            if (!a.has_projection) output[i] = (char)x;
        }
        SYNC();
        for (EACH(n, a.has_projection ? a.outputs : 0)) {
            uint sum = (uint)projection_bias[n];
            for (int k = 0; k < a.cells; k++) {
                sum += (uint)((hidden[k] - a.zero_hidden) * projection[n * a.cells + k]);
            }
            const int x = wrapping_add(multiply((int)sum, a.projection), a.zero_state);
            const int bounded = clamp(x, CHAR_MIN, CHAR_MAX);
            output[n] = (char)(a.proj_clip != 0 ? clamp(bounded, -a.proj_clip, a.proj_clip) : bounded);
        }
        SYNC();
        for (EACH(i, a.outputs)) y[row * a.outputs + i] = output[i];
    }
}

// The kernel type BASIC, on bytes without sign: sums of a row of inputs, gates. Item: a gate's cell in a
// batch.
KERNEL basic_gates(ITEM const LiteClLstm16Args a, const __global uchar* restrict x,
                   const __global short* restrict weights, const __global int* restrict bias,
                   __global short* restrict y) {
    const int n = get_global_id(0), width = GATES * a.cells;
    if (n >= a.batches * width) return;
    x += n / width * a.depth;
    weights += n % width * a.depth;
    uint sum = (uint)bias[n % width];
    for (int k = 0; k < a.depth; k++) sum += (uint)((x[k] - a.zero_x) * weights[k]);
    y[n] = (short)saturate16(multiply_half_up((int)sum, a.input[0]));
}

inline int multiply16(int a, int b) {
    return min((a * b + (1 << 14)) >> 15, SHRT_MAX);
}

// Input gate, cell gate, forget gate and output gate side by side. Item: a cell.
KERNEL basic_cells(ITEM const LiteClLstm16Args a, const __global short* restrict gates,
                   const __global short* restrict tables, const __global short* restrict state,
                   __global short* restrict new_state, __global uchar* restrict activation) {
    const int i = get_global_id(0);
    if (i >= a.batches * a.cells) return;
    const __global short* x = gates + i / a.cells * GATES * a.cells + i % a.cells;
    const int update = multiply16(look_up(tables, SIGMOID, x[0]), look_up(tables, TANH, x[a.cells]));
    const int kept = multiply16(look_up(tables, SIGMOID, x[2 * a.cells]), state[i]);
    const int next = saturate16(rounding_shift_right(update, 4) + kept);
    const int active =
        multiply16(look_up(tables, SIGMOID, x[3 * a.cells]), look_up(tables, TANH_OF_CELL, next));
    new_state[i] = (short)next;
    activation[i] = (uchar)(128 + clamp(rounding_shift_right(active, 8), CHAR_MIN, CHAR_MAX));
}
