// SPDX-License-Identifier: Apache-2.0
// A convolution and the depthwise convolution of its output, of which only a few rows exist at a time:
// they stay in the cache. NHWC, for CPUs. One item: a panel of channels (dimension 0) of a band of output
// rows (dimension 1) of an image (dimension 2). Neighbouring bands compute the rows that both need.
//
// The weights of both are packed in panels, [panel][tap][input channel][PANEL], filled up with zeros.
//
// Prelude: TYPE …, VREAD, VWRITE and PART; the tile of conv.cl, with PANEL = NV * VW; that of
// depthwise_conv.cl, but VW.
#include "kernels-cl/args/conv_depthwise.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/gemm_tile.cl"

// Row oy of the convolution's output, all zeros outside of it, after pad_left pixels of zeros.
inline void convolve_row(const LiteClConvDepthwiseArgs* a, const __global TYPE* x,
                         const __global weight* weights, const __global word* bias,
                         const __global TYPE* zeros, int oy, __local float* row) {
    const int width = a->conv.out_w;
    row += a->depthwise.pad_left * PANEL;
    if ((uint)oy >= (uint)a->conv.out_h) {
        for (int i = 0; i < width * PANEL; i += VW) VSTORE((vector)0, row + i);
        return;
    }
    for (int ox = 0; ox < width; ox += MR) {
        accumulator acc[MR][NV];
#pragma unroll
        for (int j = 0; j < NV; j++) {
            const accumulator b = VLOAD(bias + j * VW);
#pragma unroll
            for (int i = 0; i < MR; i++) acc[i][j] = b;
        }
        // A tile at the end of the row computes its last pixel more than once.
        int image[MR], top[MR], left[MR];
#pragma unroll
        for (int i = 0; i < MR; i++) {
            image[i] = 0;
            top[i] = oy * a->conv.stride_h - a->conv.pad_top;
            left[i] = min(ox + i, width - 1) * a->conv.stride_w - a->conv.pad_left;
        }
        add_windows(acc, &a->conv, image, top, left, x, zeros, weights);
#pragma unroll
        for (int i = 0; i < MR; i++) {
            if (ox + i < width) {
#pragma unroll
                for (int j = 0; j < NV; j++)
                    VSTORE(clamp_vector(acc[i][j], a->conv.low, a->conv.high),
                           row + (ox + i) * PANEL + j * VW);
            }
        }
    }
}

// The tile of outputs at row oy from the pixels at `in`, for a vector of channels.
inline void filter_tile(const LiteClConvDepthwiseArgs* a, __local const float* in[IN_H],
                        const vector k[KERNEL_H][KERNEL_W], vector bias, int oy, int ox, int channels,
                        __global TYPE* y) {
    vector acc[TILE_H][TILE_W];
#pragma unroll
    for (int i = 0; i < TILE_H; i++) {
#pragma unroll
        for (int j = 0; j < TILE_W; j++) acc[i][j] = bias;
    }
#pragma unroll
    for (int i = 0; i < IN_H; i++) {
#pragma unroll
        for (int j = 0; j < IN_W; j++) add_pixel(acc, k, VLOAD(in[i] + (ox * STRIDE + j) * PANEL), i, j);
    }
#pragma unroll
    for (int i = 0; i < TILE_H; i++) {
#pragma unroll
        for (int j = 0; j < TILE_W; j++) {
            if (oy + i < a->depthwise.out_h && ox + j < a->depthwise.out_w)
                store_first(clamp_vector(acc[i][j], a->depthwise.low, a->depthwise.high), channels,
                            y + ((oy + i) * a->depthwise.out_w + ox + j) * a->depthwise.channels);
        }
    }
}

__kernel void conv_depthwise(const LiteClConvDepthwiseArgs a, const __global TYPE* restrict x,
                             const __global weight* restrict weights, const __global word* restrict bias,
                             const __global TYPE* restrict zeros, const __global weight* restrict taps,
                             const __global word* restrict tap_bias, __global TYPE* restrict y,
                             __local float* restrict ring) {
    const int panel = get_global_id(0), n = get_global_id(2);
    const int begin = (int)get_global_id(1) * a.band, end = min(begin + a.band, a.depthwise.out_h);
    const int channels = a.depthwise.channels, pitch = a.columns * PANEL;
    if (panel * PANEL >= channels || begin >= end || n >= a.conv.images) return;
    x += n * a.conv.in_h * a.conv.in_w * a.conv.in_c;
    y += n * a.depthwise.out_h * a.depthwise.out_w * channels + panel * PANEL;
    weights += panel * a.conv.kernel_h * a.conv.kernel_w * a.conv.in_c * PANEL;
    bias += panel * PANEL;
    taps += panel * KERNEL_H * KERNEL_W * PANEL;
    tap_bias += panel * PANEL;
    for (int i = 0; i < IN_H * pitch; i += VW) VSTORE((vector)0, ring + i);

    // Rows count from the band's first; row r is in place r % IN_H of the ring.
    const int first = begin * STRIDE - a.depthwise.pad_top, rows = (end - begin - 1) * STRIDE + SPAN_H;
    int known = 0;
    for (int oy = begin; oy < end; oy += TILE_H) {
        const int top = (oy - begin) * STRIDE;
        for (; known < min(top + IN_H, rows); known++)
            convolve_row(&a, x, weights, bias, zeros, first + known, ring + known % IN_H * pitch);
        for (int j = 0; j < PANEL && panel * PANEL + j < channels; j += VW) {
            __local const float* in[IN_H];
#pragma unroll
            for (int i = 0; i < IN_H; i++) in[i] = ring + (top + i) % IN_H * pitch + j;
            vector k[KERNEL_H][KERNEL_W];
#pragma unroll
            for (int i = 0; i < KERNEL_H * KERNEL_W; i++)
                k[i / KERNEL_W][i % KERNEL_W] = VREAD(taps + i * PANEL + j);
            const vector b = VLOAD(tap_bias + j);
            for (int ox = 0; ox < a.depthwise.out_w; ox += TILE_W)
                filter_tile(&a, in, k, b, oy, ox, channels - panel * PANEL - j, y + j);
        }
    }
}
