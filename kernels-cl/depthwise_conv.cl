// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution with as many outputs as inputs, NHWC. One item: TILE_H x TILE_W neighbouring output
// pixels, for the channel vectors that its place in dimension 0 gives it (on a CPU: all of them). Each input
// pixel of a vector is loaded once.
//
// Prelude: TYPE, VREAD, VWRITE; VW (at most the number of channels), TILE_H, TILE_W, KERNEL_H,
// KERNEL_W, STRIDE, DILATION; GPU: many items hide what one waits for; QUANTIZED: bytes. Their sums are exact
// in floating point: the delegate sees to it that they stay under 2^24.
#include "kernels-cl/args/depthwise_conv.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/gemm_tile.cl"

#ifdef QUANTIZED
typedef int addend;
typedef float weight;
#define PIXELS(p) CONVERT(float, VLOAD(p))
#define WEIGHTS(p) VLOAD(p)
#define FIRST(p) 0 // the bias is added to integers
#else
typedef float addend;
typedef TYPE weight;
#define PIXELS(p) VREAD(p)
#define WEIGHTS(p) VREAD(p)
#define FIRST(p) VLOAD(p)
#endif

// A row of outputs needs one row of taps after the other. Not unrolled, that is a fraction of the code, which
// compilers take long for.
#if TILE_H == 1 && !defined(GPU)
#define ROWS_AT_ONCE 1
#else
#define ROWS_AT_ONCE IN_H
#endif

// The pixels that a tile sees, from (top, left) of the image x on. Those of the padding are one of zeros: no
// branches later.
INLINE void find_pixels(const LiteClDepthwiseArgs* a, int top, int left, const __global TYPE* x,
                        const __global TYPE* zeros, const __global TYPE* in[IN_H][IN_W]) {
#pragma unroll ROWS_AT_ONCE
    for (int i = 0; i < IN_H; i++) {
#pragma unroll
        for (int j = 0; j < IN_W; j++) {
            const bool inside = (uint)(top + i) < (uint)a->in_h && (uint)(left + j) < (uint)a->in_w;
            in[i][j] = inside ? x + ((top + i) * a->in_w + left + j) * a->channels : zeros;
        }
    }
}

#ifdef QUANTIZED
// Scales and stores `rows` x `columns` of a tile. Through memory and not unrolled: this is much code, and
// compilers take long for it.
INLINE void store_bytes(const LiteClDepthwiseArgs* a, vector acc[TILE_H][TILE_W], int rows, int columns,
                        integers addends, integers value, integers shift, __global TYPE* y) {
    integers sums[TILE_H][TILE_W];
#pragma unroll
    for (int i = 0; i < TILE_H; i++) {
#pragma unroll
        for (int j = 0; j < TILE_W; j++) sums[i][j] = add_wrapping(CONVERT(int, acc[i][j]), addends);
    }
#ifdef FLOAT_SCALES
    FloatScale scale;
    integers near = 0;
    if (find_scale(value, shift, a->zero, &scale)) {
#pragma unroll 1
        for (int i = 0; i < rows; i++) {
#pragma unroll 1
            for (int j = 0; j < columns; j++) {
                const integers out = requantize_near(sums[i][j], &scale, a->int_low, a->int_high, &near);
                VWRITE(CONVERT(TYPE, out), y + (i * a->out_w + j) * a->channels);
            }
        }
        if (!is_any(near)) return;
    }
#endif
#pragma unroll 1
    for (int i = 0; i < rows; i++) {
#pragma unroll 1
        for (int j = 0; j < columns; j++) {
            const integers out = requantize(sums[i][j], value, shift, a->zero, a->int_low, a->int_high);
            VWRITE(CONVERT(TYPE, out), y + (i * a->out_w + j) * a->channels);
        }
    }
}
#endif

KERNEL depthwise_conv(ITEM const LiteClDepthwiseArgs args, const __global TYPE* restrict x,
                      const __global weight* restrict weights, const __global addend* restrict bias,
                      const __global TYPE* restrict zeros,
#ifdef QUANTIZED
                      const __global int* restrict multipliers, const __global int* restrict shifts,
#endif
                      __global TYPE* restrict y) {
    const LiteClDepthwiseArgs a = args;
    const int across = (a.out_w + TILE_W - 1) / TILE_W, down = (a.out_h + TILE_H - 1) / TILE_H;
    const int id = get_global_id(1), n = id / (across * down);
    if (n >= a.images) return;
    const int oy = (id / across - n * down) * TILE_H, ox = id % across * TILE_W;
    const int top = oy * STRIDE - a.pad_top, left = ox * STRIDE - a.pad_left;
    x += n * a.in_h * a.in_w * a.channels;
    y += n * a.out_h * a.out_w * a.channels;
    const __global TYPE* in[IN_H][IN_W];
    find_pixels(&a, top, left, x, zeros, in);
    for (int begin = (int)get_global_id(0) * VW; begin < a.channels; begin += (int)get_global_size(0) * VW) {
        // The last vector overlaps the one before; both write the same values.
        const int c = min(begin, a.channels - VW);
        vector k[KERNEL_H][KERNEL_W], acc[TILE_H][TILE_W];
        const vector first = FIRST(bias + c);
#pragma unroll
        for (int i = 0; i < TILE_H; i++) {
#pragma unroll
            for (int j = 0; j < TILE_W; j++) acc[i][j] = first;
        }
#if TILE_H == 1
#pragma unroll ROWS_AT_ONCE
        for (int i = 0; i < KERNEL_H; i++) {
#pragma unroll
            for (int j = 0; j < KERNEL_W; j++)
                k[0][j] = WEIGHTS(weights + (i * KERNEL_W + j) * a.channels + c);
#pragma unroll
            for (int j = 0; j < IN_W; j++) add_pixel(acc, k, PIXELS(in[i * DILATION][j] + c), 0, j);
        }
#else
#pragma unroll
        for (int i = 0; i < KERNEL_H; i++) {
#pragma unroll
            for (int j = 0; j < KERNEL_W; j++)
                k[i][j] = WEIGHTS(weights + (i * KERNEL_W + j) * a.channels + c);
        }
#pragma unroll
        for (int i = 0; i < IN_H; i++) {
#pragma unroll
            for (int j = 0; j < IN_W; j++) add_pixel(acc, k, PIXELS(in[i][j] + c), i, j);
        }
#endif
#ifdef QUANTIZED
        const int rows = min(TILE_H, a.out_h - oy), columns = min(TILE_W, a.out_w - ox);
        store_bytes(&a, acc, rows, columns, VLOAD(bias + c), VLOAD(multipliers + c), VLOAD(shifts + c),
                    y + (oy * a.out_w + ox) * a.channels + c);
#else
        limit_tile(acc, a.low, a.high);
        compute_after(acc, a.after);
#pragma unroll
        for (int i = 0; i < TILE_H; i++) {
#pragma unroll
            for (int j = 0; j < TILE_W; j++) {
                if (oy + i < a.out_h && ox + j < a.out_w)
                    VWRITE(acc[i][j], y + ((oy + i) * a.out_w + ox + j) * a.channels + c);
            }
        }
#endif
    }
}
