// SPDX-License-Identifier: Apache-2.0
// The convolution of conv.cl, of floats, on devices with fast local memory: the items of a work-group compute
// a tile of BM output pixels x BN output channels together.
//
//   a team: TEAM items, which have the tile in their registers, MR rows x NV vectors each
//   a slice: BK steps of the depth (taps x input channels of the group). The team brings those of its pixels
//   and of its weights
//            into local memory, and multiplies them.
//   SPLIT teams take slices in turn and add their sums at the end, so that deep products of few pixels have
//   items enough.
//
// Prelude: POINTWISE; TYPE ..., VREAD and VWRITE; VW 4, MR (a multiple of 4), NV, PANEL (see conv.cl; BN is a
// multiple of it, or it of BN); BM, BN, BK (a multiple of 4), TEAM (BM / MR * BN / NR), SPLIT; QUADS_READ:
// the group's input channels are a multiple of 4.
#include "kernels-cl/args/conv.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/gemm_finish.cl"

#define QUADS (BK / 4) // of a pixel in a slice
#define PIXEL_LOADS (BM * QUADS / TEAM)
#define WEIGHT_LOADS (BK * BN / 4 / TEAM)
#define PIXELS_STRIDE (BM + 4) // so that stores of neighbouring steps go to other banks
#define TEAM_FLOATS (BK * (PIXELS_STRIDE + BN))
#define SUM_VECTORS (MR * NV * TEAM)
#define TILE_FLOATS (SPLIT * TEAM_FLOATS)
#define SUM_FLOATS ((SPLIT - 1) * SUM_VECTORS * VW)
#define LOCAL_FLOATS (TILE_FLOATS > SUM_FLOATS ? TILE_FLOATS : SUM_FLOATS)

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
    return place >= 0 ? VREAD(x + place) : (vector)0.0f;
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
    return VREAD(w + ((size_t)(column / PANEL) * depth + k) * PANEL + column % PANEL);
}

__kernel __attribute__((reqd_work_group_size(TEAM * SPLIT, 1, 1))) void
conv_local(const LiteClConvArgs args, const __global TYPE* restrict x,
           const __global weight* restrict weights, const __global word* restrict bias,
           const __global TYPE* restrict addend, __global TYPE* restrict y) {
    __local float memory[LOCAL_FLOATS] __attribute__((aligned(16)));
    const LiteClConvArgs a = args;
    const int item = (int)get_local_id(0) % TEAM, team = (int)get_local_id(0) / TEAM;
    const int first_m = (int)get_group_id(1) * BM, first_n = (int)get_group_id(0) * BN,
              group = get_group_id(2);
    const int panels = (a.group_out + PANEL - 1) / PANEL, columns = panels * PANEL;
    const int depth = a.kernel_h * a.kernel_w * a.group_in, rounds = (depth + BK * SPLIT - 1) / (BK * SPLIT);
    const __global weight* w = weights + (size_t)group * columns * depth;
    __local float* pixels = memory + team * TEAM_FLOATS;
    __local float* taps = pixels + BK * PIXELS_STRIDE;
    x += group * a.group_in;

    const int quad = item % QUADS, row = item / QUADS;
    Window windows[PIXEL_LOADS];
#pragma unroll
    for (int i = 0; i < PIXEL_LOADS; i++) windows[i] = window_at(&a, first_m + row + i * (TEAM / QUADS));
    int k = team * BK;
    Step step = step_at(&a, k + quad * 4);
    const int m = item / (BN / NR) * MR, n = item % (BN / NR) * NR;
    vector acc[MR][NV];
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) acc[i][j] = 0.0f;
    }

    // What comes next is read from global memory while the slice before it is multiplied.
    vector next_pixels[PIXEL_LOADS], next_weights[WEIGHT_LOADS];
    for (int round = 0; round <= rounds; round++) {
        if (round > 0) {
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
            for (int i = 0; i < PIXEL_LOADS; i++) {
                float each[4];
                VSTORE(next_pixels[i], each);
#pragma unroll
                for (int e = 0; e < 4; e++)
                    pixels[(quad * 4 + e) * PIXELS_STRIDE + row + i * (TEAM / QUADS)] = each[e];
            }
#pragma unroll
            for (int i = 0; i < WEIGHT_LOADS; i++) VSTORE(next_weights[i], taps + (item + i * TEAM) * 4);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (round < rounds) {
#pragma unroll
            for (int i = 0; i < PIXEL_LOADS; i++) next_pixels[i] = read_pixel(&a, &windows[i], &step, x);
#pragma unroll
            for (int i = 0; i < WEIGHT_LOADS; i++) {
                const int at = (item + i * TEAM) * 4;
                next_weights[i] = read_weights(k + at / BN, first_n + at % BN, depth, columns, w);
            }
            advance(&a, &step, BK * SPLIT);
            k += BK * SPLIT;
        }
        if (round == 0) continue;
#pragma unroll
        for (int s = 0; s < BK; s++) {
            vector v[NV];
            float p[MR];
#pragma unroll
            for (int j = 0; j < NV; j++) v[j] = VLOAD(taps + s * BN + n + j * VW);
#pragma unroll
            for (int i = 0; i < MR; i += 4) vstore4(vload4(0, pixels + s * PIXELS_STRIDE + m + i), 0, p + i);
#pragma unroll
            for (int i = 0; i < MR; i++) {
#pragma unroll
                for (int j = 0; j < NV; j++) acc[i][j] += p[i] * v[j];
            }
        }
    }

#if SPLIT > 1
    barrier(CLK_LOCAL_MEM_FENCE);
    __local float* sums = memory + item * VW;
#pragma unroll
    for (int i = 0; i < MR * NV; i++) {
        if (team > 0) VSTORE(acc[i / NV][i % NV], sums + ((team - 1) * SUM_VECTORS + i * TEAM) * VW);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (team > 0) return;
#pragma unroll
    for (int i = 0; i < MR * NV; i++) {
        for (int t = 0; t < SPLIT - 1; t++)
            acc[i / NV][i % NV] += VLOAD(sums + (t * SUM_VECTORS + i * TEAM) * VW);
    }
#endif
    if (first_m + m >= a.pixels || first_n + n >= a.group_out) return;
    const __global word* b = bias + group * columns + first_n + n;
#pragma unroll
    for (int j = 0; j < NV; j++) {
        const vector v = VLOAD(b + j * VW);
#pragma unroll
        for (int i = 0; i < MR; i++) acc[i][j] += v;
    }
    finish_tile(acc, &a, first_m + m, first_n + n, addend + group * a.group_out + first_n + n,
                y + group * a.group_out + first_n + n);
}
