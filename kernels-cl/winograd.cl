// SPDX-License-Identifier: Apache-2.0
// Convolutions of floats by filters of 3 x 3, without strides and groups, with fewer multiplications
// (Winograd, "minimal filtering"): for each tile of 2 x 2 outputs 16 instead of 36, for one of 4 x 4 36
// instead of 144.
//
//   winograd_input: the SPAN x SPAN pixels that a tile sees become a row of each of MATRICES matrices; one
//   item: a tile (on a CPU with all channels, else with a vector of them)
//   winograd: one item multiplies MR rows of every matrix by NV vectors of columns, as conv.cl does, and
//   makes these tiles' outputs of the sums, which are private until then
//
// Tiles of 2 have the points 0, 1, -1 and infinity, those of 4 have 0, +-sqrt(1/2), +-sqrt(2) and infinity,
// as in kernels-cpu/micro/micro_winograd_tmpl.h. An infinity or NaN reaches all outputs of a tile this way;
// where there is one, these are computed as in conv.cl.
//
// Prelude: SIDE, 2 or 4; else that of conv.cl for floats that are no products of pixels.
#include "kernels-cl/args/winograd.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/gemm_tile.cl"

#define SPAN (SIDE + 2)
#define MATRICES (SPAN * SPAN)
#define SQRT_2 1.41421356237309505f

// One dimension of the way there.
inline void transform_input(const vector d[SPAN], vector v[SPAN]) {
#if SIDE == 2
    v[0] = d[0] - d[2];
    v[1] = d[2] + d[1];
    v[2] = d[2] - d[1];
    v[3] = d[3] - d[1];
#else
    const vector even = d[4] - 2.0f * d[2], odd = d[3] - 2.0f * d[1];
    const vector wide_even = d[4] - 0.5f * d[2], wide_odd = d[3] - 0.5f * d[1];
    v[0] = d[4] - 2.5f * d[2] + d[0];
    v[1] = even + (0.5f * SQRT_2) * odd;
    v[2] = even - (0.5f * SQRT_2) * odd;
    v[3] = wide_even + SQRT_2 * wide_odd;
    v[4] = wide_even - SQRT_2 * wide_odd;
    v[5] = d[5] - 2.5f * d[3] + d[1];
#endif
}

// And of the way back.
inline void transform_output(const vector m[SPAN], vector y[SIDE]) {
#if SIDE == 2
    y[0] = m[0] + m[1] + m[2];
    y[1] = m[1] - m[2] + m[3];
#else
    const vector even = m[1] + m[2], odd = m[1] - m[2], wide_even = m[3] + m[4], wide_odd = m[3] - m[4];
    y[0] = m[0] + even + wide_even;
    y[1] = (0.5f * SQRT_2) * odd + SQRT_2 * wide_odd;
    y[2] = 0.5f * even + 2.0f * wide_even;
    y[3] = (0.25f * SQRT_2) * odd + (2.0f * SQRT_2) * wide_odd + m[5];
#endif
}

// Where a tile's outputs begin.
typedef struct Tile {
    int image, y, x;
    int at; // in the output's elements
} Tile;

inline Tile find_tile(const LiteClWinogradArgs* a, int index) {
    const int line = index / a->across, image = line / a->down;
    const int y = (line - image * a->down) * SIDE, x = (index - line * a->across) * SIDE;
    return (Tile){image, y, x, ((image * a->conv.out_h + y) * a->conv.out_w + x) * a->conv.out_c};
}

KERNEL winograd_input(ITEM const LiteClWinogradArgs args, const __global TYPE* restrict x,
                      __global float* restrict rows) {
    const LiteClWinogradArgs a = args;
    const int row = get_global_id(1);
    if (row >= a.end - a.first) return;
    const Tile tile = find_tile(&a, a.first + row);
    const int in_h = a.conv.in_h, in_w = a.conv.in_w, in_c = a.conv.in_c;
    const int top = tile.y - a.conv.pad_top, left = tile.x - a.conv.pad_left;
    x += tile.image * in_h * in_w * in_c;
    rows += row * a.depth;
    for (int c = (int)get_global_id(0) * VW; c < in_c; c += (int)get_global_size(0) * VW) {
        vector lines[SPAN][SPAN]; // columns are done
#pragma unroll 1
        for (int j = 0; j < SPAN; j++) {
            vector d[SPAN], v[SPAN];
#pragma unroll
            for (int i = 0; i < SPAN; i++) {
                const bool inside = (uint)(top + i) < (uint)in_h && (uint)(left + j) < (uint)in_w;
                const __global TYPE* pixel = x + ((top + i) * in_w + left + j) * in_c + c;
                d[i] = inside ? load_first(in_c - c, pixel) : (vector)0.0f;
            }
            transform_input(d, v);
#pragma unroll
            for (int i = 0; i < SPAN; i++) lines[i][j] = v[i];
        }
#pragma unroll 1
        for (int i = 0; i < SPAN; i++) {
            vector v[SPAN];
            transform_input(lines[i], v);
#pragma unroll
            for (int j = 0; j < SPAN; j++) VSTORE(v[j], rows + (i * SPAN + j) * a.matrix + c);
        }
    }
}

// By bits, as compilers may believe that there are no infinities. Not zero in lanes that have one, or NaN.
inline integers find_infinite(vector v) {
#if VW == 1
    const integers bits = as_int(v);
#else
    const integers bits = PASTE(as_int, VW)(v);
#endif
    return (bits & 0x7FFFFFFF) >= 0x7F800000;
}

inline bool is_zero(integers lanes) {
    union {
        integers all;
        int each[VW];
    } bits = {.all = lanes};
    int found = 0;
    for (int e = 0; e < VW; e++) found |= bits.each[e];
    return found == 0;
}

// A tile's sums of one column vector become its outputs, which then are at [i * SPAN + j]. *infinite gets
// what find_infinite says of them.
inline void finish_sums(vector sums[MATRICES], integers* infinite) {
#pragma unroll 1
    for (int i = 0; i < SPAN; i++) {
        vector y[SIDE];
        transform_output(sums + i * SPAN, y);
#pragma unroll
        for (int j = 0; j < SIDE; j++) sums[i * SPAN + j] = y[j];
    }
#pragma unroll 1
    for (int j = 0; j < SIDE; j++) {
        vector m[SPAN], y[SIDE];
#pragma unroll
        for (int i = 0; i < SPAN; i++) m[i] = sums[i * SPAN + j];
        transform_output(m, y);
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            sums[i * SPAN + j] = y[i];
            *infinite |= find_infinite(y[i]);
        }
    }
}

// Output (oy, ox) of the tiles with the sums of conv.cl, of one after the other: little code, as it hardly
// ever runs.
inline void compute_directly(vector results[MR][NV], const LiteClConvArgs* a, const Tile tiles[MR], int oy,
                             int ox, const __global TYPE* x, const __global TYPE* zeros,
                             const __global weight* weights, const __global float* bias) {
#pragma unroll 1
    for (int i = 0; i < MR; i++) {
        const int top = tiles[i].y + oy - a->pad_top, left = tiles[i].x + ox - a->pad_left;
        const __global weight* w = weights;
        vector sums[NV];
        for (int j = 0; j < NV; j++) sums[j] = VLOAD(bias + j * VW);
#pragma unroll 1
        for (int tap = 0; tap < 9; tap++) {
            const int iy = top + tap / 3, ix = left + tap % 3;
            const bool inside = (uint)iy < (uint)a->in_h && (uint)ix < (uint)a->in_w;
            const __global TYPE* pixel =
                inside ? x + ((tiles[i].image * a->in_h + iy) * a->in_w + ix) * a->in_c : zeros;
#pragma unroll 1
            for (int c = 0; c < a->in_c; c++, w += PANEL) {
                for (int j = 0; j < NV; j++) sums[j] += pixel[c] * VREAD(w + j * VW);
            }
        }
        for (int j = 0; j < NV; j++) results[i][j] = sums[j];
    }
}

// Stores output (oy, ox) of the tiles, where there is one. Not unrolled, as store_part in gemm_finish.cl.
inline void store_outputs(const vector results[MR][NV], const LiteClConvArgs* a, const Tile tiles[MR], int oy,
                          int ox, int columns, const __global TYPE* addend, __global TYPE* y) {
    const int offset = (oy * a->out_w + ox) * a->out_c;
#pragma unroll 1
    for (int i = 0; i < MR; i++) {
        if (tiles[i].y + oy >= a->out_h || tiles[i].x + ox >= a->out_w) continue;
        const int at = tiles[i].at + offset;
        if (columns >= NR) {
#pragma unroll
            for (int j = 0; j < NV; j++) {
                vector v = results[i][j];
                if (a->adds) v = clamp_vector(v + VREAD(addend + at + j * VW), a->sum_low, a->sum_high);
                VWRITE(v, y + at + j * VW);
            }
            continue;
        }
#pragma unroll 1
        for (int j = 0; j < NV; j++) {
            const int count = columns - j * VW;
            vector v = results[i][j];
            if (a->adds)
                v = clamp_vector(v + load_first(count, addend + at + j * VW), a->sum_low, a->sum_high);
            store_first(v, count, y + at + j * VW);
        }
    }
}

// Rows from m0 on of all matrices, times weights from w on.
__attribute__((always_inline)) inline void multiply_rows(vector sums[MR][NV][MATRICES],
                                                         const LiteClWinogradArgs* a, int m0,
                                                         const __global float* rows,
                                                         const __global weight* w) {
    const int last = a->end - a->first - 1;
    for (int matrix = 0; matrix < MATRICES; matrix++, rows += a->matrix) {
        // Rows past the end are the last one: computed, not stored.
        const __global float* row[MR];
        accumulator acc[MR][NV];
#pragma unroll
        for (int i = 0; i < MR; i++) {
            row[i] = rows + min(m0 + i, last) * a->depth;
#pragma unroll
            for (int j = 0; j < NV; j++) acc[i][j] = 0.0f;
        }
        w = add_run(acc, row, a->conv.in_c, w);
#pragma unroll
        for (int i = 0; i < MR; i++) {
#pragma unroll
            for (int j = 0; j < NV; j++) sums[i][j][matrix] = acc[i][j];
        }
    }
}

KERNEL winograd(ITEM const LiteClWinogradArgs args, const __global float* restrict rows,
                const __global weight* restrict transformed, const __global TYPE* restrict x,
                const __global weight* restrict weights, const __global float* restrict bias,
                const __global TYPE* restrict zeros, const __global TYPE* restrict addend,
                __global TYPE* restrict y) {
    const LiteClWinogradArgs a = args;
    const int m0 = (int)get_global_id(ROWS_DIM) * MR, n0 = (int)get_global_id(1 - ROWS_DIM) * NR;
    const int count = a.end - a.first, in_c = a.conv.in_c;
    if (m0 >= count || n0 >= a.conv.out_c) return;
    const int panel = n0 / PANEL;
    const __global weight* w = transformed + (size_t)panel * MATRICES * in_c * PANEL + n0 % PANEL;
    vector sums[MR][NV][MATRICES];
    multiply_rows(sums, &a, m0, rows, w);
    Tile tiles[MR];
    integers infinite = 0;
#pragma unroll 1
    for (int i = 0; i < MR; i++) {
        tiles[i] = find_tile(&a, a.first + m0 + i);
        if (m0 + i >= count) tiles[i].y = a.conv.out_h + a.conv.in_h + SPAN; // it sees padding alone
#pragma unroll 1
        for (int j = 0; j < NV; j++) finish_sums(sums[i][j], &infinite);
    }
    const bool finite = is_zero(infinite);
    weights += (size_t)panel * (9 * in_c * PANEL) + n0 % PANEL;
    bias += n0;
#pragma unroll 1
    for (int k = 0; k < SIDE * SIDE; k++) {
        const int oy = k / SIDE, ox = k % SIDE;
        vector results[MR][NV];
        infinite = 0;
#pragma unroll
        for (int i = 0; i < MR; i++) {
#pragma unroll
            for (int j = 0; j < NV; j++) {
                results[i][j] = sums[i][j][oy * SPAN + ox] + VLOAD(bias + j * VW);
                infinite |= find_infinite(results[i][j]);
            }
        }
        if (!finite && !is_zero(infinite))
            compute_directly(results, &a.conv, tiles, oy, ox, x, zeros, weights, bias);
        limit_tile(results, a.conv.low, a.conv.high);
        compute_after(results, a.conv.after);
        store_outputs(results, &a.conv, tiles, oy, ox, a.conv.out_c - n0, addend + n0, y + n0);
    }
}
