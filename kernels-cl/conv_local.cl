// SPDX-License-Identifier: Apache-2.0
// The convolution of conv.cl, of floats, on devices with fast local memory: the items of a work-group compute
// a tile of BM output pixels x BN output channels together, see local_tile.cl. The depth is taps x input
// channels of the group.
//
// Prelude: that of local_tile.cl; POINTWISE; TYPE ..., VREAD and VWRITE; PANEL (see conv.cl; a divisor of
// BN); QUADS_READ: the group's input channels are a multiple of 4; FLOATS: elements are.
#include "kernels-cl/args/conv.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/gemm_finish.cl"
#include "kernels-cl/common/local_tile.cl"

// Vectors at multiples of their size: the bias, and of floats the weights, and quads of pixels.
#define ALIGNED(p) (*(const __global vector*)(p))
#ifdef FLOATS
#define READ_QUAD(p) ALIGNED(p)
#else
#define READ_QUAD(p) VREAD(p)
#endif

// A step of the depth: a tap and a channel.
typedef struct Step {
    int ky, kx, c;
} Step;

inline Step step_at(const LiteClConvArgs* a, int k) {
#ifdef POINTWISE
    return (Step){0, 0, k};
#else
    const int tap = k / a->group_in, ky = tap / a->kernel_w;
    return (Step){ky, tap - ky * a->kernel_w, k - tap * a->group_in};
#endif
}

inline void advance(const LiteClConvArgs* a, Step* step, int count) {
    step->c += count;
#ifndef POINTWISE
    while (step->c >= a->group_in && step->ky < a->kernel_h) {
        step->c -= a->group_in;
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
    return step->c < a->group_in ? window->image + step->c : -1;
#else
    const int y = window->top + step->ky * a->dilation_h, x = window->left + step->kx * a->dilation_w;
    const bool inside = step->ky < a->kernel_h && (uint)y < (uint)a->in_h && (uint)x < (uint)a->in_w;
    return inside ? window->image + (y * a->in_w + x) * a->in_c + step->c : -1;
#endif
}

// Four steps of a pixel.
inline vector read_pixel(const LiteClConvArgs* a, const Window* window, const Step* step,
                         const __global TYPE* x) {
#ifdef QUADS_READ
    const int place = place_of(a, window, step);
    return place >= 0 ? READ_QUAD(x + place) : (vector)0.0f;
#else
    float each[4];
    Step at = *step;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int place = place_of(a, window, &at);
        each[i] = place >= 0 ? LOAD(x, place) : 0.0f;
        advance(a, &at, 1);
    }
    return VLOAD(each);
#endif
}

// Four columns of a step's weights.
inline vector read_weights(int k, int column, int depth, int columns, const __global weight* w) {
    if (k >= depth || column >= columns) return 0.0f;
    return READ_QUAD(w + ((size_t)(column / PANEL) * depth + k) * PANEL + column % PANEL);
}

__kernel __attribute__((reqd_work_group_size(TEAM * SPLIT, 1, 1))) void
conv_local(const LiteClConvArgs args, const __global TYPE* restrict x,
           const __global weight* restrict weights, const __global word* restrict bias,
           const __global TYPE* restrict addend, __global TYPE* restrict y) {
    __local vector memory[LOCAL_VECTORS];
    const LiteClConvArgs a = args;
    const Item at = find_item();
    const int m0 = (int)get_group_id(1) * BM, n0 = (int)get_group_id(0) * BN, group = get_group_id(2);
    const int columns = (a.group_out + PANEL - 1) / PANEL * PANEL;
    const int depth = a.kernel_h * a.kernel_w * a.group_in, rounds = (depth + BK * SPLIT - 1) / (BK * SPLIT);
    const __global weight* w = weights + (size_t)group * columns * depth;
    __local float* tile = (__local float*)memory + at.team * TEAM_FLOATS;
    const int m = m0 + at.m, n = n0 + at.n;
    x += group * a.group_in;
    addend += group * a.group_out + n;
    y += group * a.group_out + n;

    Window windows[ROW_LOADS];
#pragma unroll
    for (int i = 0; i < ROW_LOADS; i++) windows[i] = window_at(&a, m0 + at.row + i * (TEAM / QUADS));
    int k = at.team * BK;
    Step step = step_at(&a, k + at.quad * 4);

    // What is added at the end is read at the beginning: nothing waits for it then.
    const bool stores = at.team == 0 && m < a.pixels && n < a.group_out;
    const bool reads = stores && a.adds && m + MR <= a.pixels && n + NR <= a.group_out;
    vector sums[NV];
    tile_row others[MR];
#pragma unroll
    for (int j = 0; j < NV; j++) sums[j] = stores ? ALIGNED(bias + group * columns + n + j * VW) : 0.0f;
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) others[i][j] = reads ? VREAD(addend + (m + i) * a.out_c + j * VW) : 0.0f;
    }

    // What comes next is read from global memory while the slice before it is multiplied.
    vector acc[MR][NV], next_rows[ROW_LOADS], next_columns[COLUMN_LOADS];
    clear_tile(acc);
    for (int round = 0; round <= rounds; round++) {
        if (round > 0) store_slice(&at, next_rows, next_columns, tile);
        if (round < rounds) {
#pragma unroll
            for (int i = 0; i < ROW_LOADS; i++) next_rows[i] = read_pixel(&a, &windows[i], &step, x);
#pragma unroll
            for (int i = 0; i < COLUMN_LOADS; i++) {
                const int quad = (at.item + i * TEAM) * 4;
                next_columns[i] = read_weights(k + quad / BN, n0 + quad % BN, depth, columns, w);
            }
            advance(&a, &step, BK * SPLIT);
            k += BK * SPLIT;
        }
        if (round > 0) multiply_slice(&at, tile, acc);
    }
    join_teams(&at, (__local float*)memory, acc);
    if (!stores) return;
#pragma unroll
    for (int j = 0; j < NV; j++) {
#pragma unroll
        for (int i = 0; i < MR; i++) acc[i][j] += sums[j];
    }
    finish_tile(acc, &a, m, n, others, addend, y);
}
