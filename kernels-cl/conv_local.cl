// SPDX-License-Identifier: Apache-2.0
// The convolution of conv.cl on devices with fast local memory: the items of a work-group compute a tile of
// BM output pixels x BN output channels together, see local_tile.cl. The depth is taps x steps of the group's
// input channels: of bytes a step is four, filled up with zeros of weights.
//
// Prelude: that of local_tile.cl; POINTWISE; TYPE ..., VREAD and VWRITE; PANEL (see conv.cl; a divisor of
// BN); QUADS_READ: the group's input channels are a multiple of four steps; FLOATS: elements are. QUANTIZED:
// INT8, with DOTS, and what else conv.cl has then; WORDS_READ: input channels are a multiple of four.
#include "kernels-cl/args/conv.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/factor.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/gemm_finish.cl"
#include "kernels-cl/common/local_tile.cl"

// Vectors at multiples of their size: the bias, and of floats the weights, and quads of pixels.
#define ALIGNED(p) (*(const __global steps*)(p))
#if defined(FLOATS) || defined(QUANTIZED)
#define READ_QUAD(p) ALIGNED(p)
#else
#define READ_QUAD(p) VREAD(p)
#endif

inline int steps_of_tap(const LiteClConvArgs* a) {
    return (a->group_in + STEP - 1) / STEP;
}

// A step of the depth: a tap, and which of its steps.
typedef struct Step {
    int ky, kx, c;
} Step;

inline Step step_at(const LiteClConvArgs* a, int k) {
#ifdef POINTWISE
    return (Step){0, 0, k};
#else
    const int tap = k / steps_of_tap(a), ky = tap / a->kernel_w;
    return (Step){ky, tap - ky * a->kernel_w, k - tap * steps_of_tap(a)};
#endif
}

inline void advance(const LiteClConvArgs* a, Step* step, int count) {
    step->c += count;
#ifndef POINTWISE
    const int each = steps_of_tap(a);
    while (step->c >= each && step->ky < a->kernel_h) {
        step->c -= each;
        if (++step->kx == a->kernel_w) {
            step->kx = 0;
            step->ky++;
        }
    }
#endif
}

// Where the window of a pixel begins.
typedef struct Window {
    int image, top, left;
} Window;

inline Window window_at(const LiteClConvArgs* a, int pixel) {
    const int m = min(pixel, a->pixels - 1); // rows past the end are the last one: computed, not stored
#ifdef POINTWISE
    return (Window){m * a->in_c, 0, 0};
#else
    const int row = m / a->out_w, n = row / a->out_h;
    return (Window){n * a->in_h * a->in_w * a->in_c, (row - n * a->out_h) * a->stride_h - a->pad_top,
                    (m - row * a->out_w) * a->stride_w - a->pad_left};
#endif
}

// Where a window has a step; -1 in the padding and behind the last one.
inline int place_of(const LiteClConvArgs* a, const Window* window, const Step* step) {
#ifdef POINTWISE
    return step->c < steps_of_tap(a) ? window->image + step->c * STEP : -1;
#else
    const int y = window->top + step->ky * a->dilation_h, x = window->left + step->kx * a->dilation_w;
    const bool inside = step->ky < a->kernel_h && (uint)y < (uint)a->in_h && (uint)x < (uint)a->in_w;
    return inside ? window->image + (y * a->in_w + x) * a->in_c + step->c * STEP : -1;
#endif
}

#ifdef QUANTIZED
// A step's bytes; weights beyond the last channel are zeros.
inline int read_step(const LiteClConvArgs* a, const __global TYPE* x, int place, int c) {
#ifdef WORDS_READ
    return *(const __global int*)(x + place);
#else
    return load_step(x + place, a->group_in - c * STEP);
#endif
}
#define SEEN(v) PIXELS(v)
#else
#define read_step(a, x, place, c) LOAD(x, place)
#define SEEN(v) (v)
#endif

// Four steps of a pixel; `around` stands for those in the padding.
inline steps read_pixel(const LiteClConvArgs* a, const Window* window, const Step* step,
                        const __global TYPE* x, step_type around) {
#ifdef QUADS_READ
    const int place = place_of(a, window, step);
    return SEEN(place >= 0 ? READ_QUAD(x + place) : (steps)around);
#else
    step_type each[4];
    Step at = *step;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int place = place_of(a, window, &at);
        each[i] = place >= 0 ? read_step(a, x, place, at.c) : around;
        advance(a, &at, 1);
    }
    return SEEN((steps)(each[0], each[1], each[2], each[3]));
#endif
}

// Four columns of a step's weights.
inline steps read_weights(int k, int column, int depth, int columns, const __global weight* w) {
    if (k >= depth || column >= columns) return 0;
    return READ_QUAD(w + ((size_t)(column / PANEL) * depth + k) * PANEL + column % PANEL);
}

// The sums of an item's part of the tile, on the first team.
INLINE void multiply_windows(const LiteClConvArgs* a, const Item* at, const __global TYPE* x,
                             const __global weight* w, int columns, step_type around,
                             __local step_type* memory, steps acc[MR][NV]) {
    const int m0 = (int)get_group_id(1) * BM, n0 = (int)get_group_id(0) * BN;
    const int depth = a->kernel_h * a->kernel_w * steps_of_tap(a);
    const int rounds = (depth + BK * SPLIT - 1) / (BK * SPLIT);
    __local step_type* tile = memory + at->team * TEAM_STEPS;
    Window windows[ROW_LOADS];
#pragma unroll
    for (int i = 0; i < ROW_LOADS; i++) windows[i] = window_at(a, m0 + at->row + i * (TEAM / QUADS));
    int k = at->team * BK;
    Step step = step_at(a, k + at->quad * 4);
    // What comes next is read from global memory while the slice before it is multiplied.
    steps next_rows[ROW_LOADS], next_columns[COLUMN_LOADS];
    clear_tile(acc);
    for (int round = 0; round <= rounds; round++) {
        if (round > 0) store_slice(at, next_rows, next_columns, tile);
        if (round < rounds) {
#pragma unroll
            for (int i = 0; i < ROW_LOADS; i++) next_rows[i] = read_pixel(a, &windows[i], &step, x, around);
#pragma unroll
            for (int i = 0; i < COLUMN_LOADS; i++) {
                const int quad = (at->item + i * TEAM) * 4;
                next_columns[i] = read_weights(k + quad / BN, n0 + quad % BN, depth, columns, w);
            }
            advance(a, &step, BK * SPLIT);
            k += BK * SPLIT;
        }
        if (round > 0) multiply_slice(at, tile, acc);
    }
    join_teams(at, memory, acc);
}

__kernel __attribute__((reqd_work_group_size(TEAM * SPLIT, 1, 1))) void
conv_local(const LiteClConvArgs args, const __global TYPE* restrict x,
           const __global weight* restrict weights, const __global word* restrict bias,
           const __global TYPE* restrict zeros,
#ifdef QUANTIZED
           SCALES(restrict),
#else
           const __global TYPE* restrict addend,
#endif
           __global TYPE* restrict y) {
    __local steps memory[LOCAL_VECTORS];
    const LiteClConvArgs a = args;
    const Item at = find_item();
    const int m = (int)get_group_id(1) * BM + at.m, n = (int)get_group_id(0) * BN + at.n,
              group = get_group_id(2);
    const int columns = (a.group_out + PANEL - 1) / PANEL * PANEL, column = group * columns + n;
    const __global weight* w =
        weights + (size_t)(group * columns) * (a.kernel_h * a.kernel_w * steps_of_tap(&a));
    x += group * a.group_in;
    y += group * a.group_out + n;

    // What is added at the end is read at the beginning: nothing waits for it then.
    const bool stores = at.team == 0 && m < a.pixels && n < a.group_out;
    steps first[NV], acc[MR][NV];
#pragma unroll
    for (int j = 0; j < NV; j++) first[j] = stores ? ALIGNED(bias + column + j * VW) : (steps)0;
#ifdef QUANTIZED
    const int around = (int)((uchar)zeros[0] * 0x01010101u);
#else
    const float around = 0.0f;
    const bool reads = stores && a.adds && m + MR <= a.pixels && n + NR <= a.group_out;
    addend += group * a.group_out + n;
    tile_row others[MR];
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) others[i][j] = reads ? VREAD(addend + (m + i) * a.out_c + j * VW) : 0.0f;
    }
#endif
    multiply_windows(&a, &at, x, w, columns, around, (__local step_type*)memory, acc);
    if (!stores) return;
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) acc[i][j] += first[j];
    }
#ifdef QUANTIZED
    finish_tile(acc, &a, m, n, column, SCALES_OF, y);
#else
    finish_tile(acc, &a, m, n, others, addend, y);
#endif
}
