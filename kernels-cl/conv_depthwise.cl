// SPDX-License-Identifier: Apache-2.0
// A convolution and the depthwise convolution of its output, of which only a few rows exist at a time:
// they stay in the cache. NHWC, for CPUs. One item: a panel of channels (dimension 0) of a band of output
// rows (dimension 1) of an image (dimension 2). Neighbouring bands compute the rows that both need.
//
// The weights of both are packed in panels, [panel][tap][input channel][PANEL], filled up with zeros.
//
// Prelude: TYPE …, VREAD and VWRITE; the tile and POINTWISE of conv.cl, with PANEL = NV * VW; the tile
// of depthwise_conv.cl, but VW.
#include "kernels-cl/args/conv_depthwise.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/gemm_tile.cl"

// Where row r of the band is in the ring.
inline __local float* find_row(const LiteClConvDepthwiseArgs* a, __local float* ring, int r) {
    return ring + r % a->rows * a->columns * PANEL;
}

// Sums of the tile whose first pixel is (oy, ox) of the convolution's output; it goes on in the next row.
inline void convolve_tile(accumulator acc[MR][NV], const LiteClConvDepthwiseArgs* a, const __global TYPE* x,
                          const __global weight* weights, const __global TYPE* zeros, int oy, int ox) {
#ifdef POINTWISE
    const __global TYPE* row[MR];
    const int first = oy * a->conv.out_w + ox, last = a->conv.out_h * a->conv.out_w - 1;
#pragma unroll
    for (int i = 0; i < MR; i++) row[i] = x + min(first + i, last) * a->conv.in_c;
    add_run(acc, row, a->conv.group_in, weights);
#else
    int image[MR], top[MR], left[MR];
#pragma unroll
    for (int i = 0; i < MR; i++) {
        image[i] = 0;
        top[i] = oy * a->conv.stride_h - a->conv.pad_top;
        left[i] = ox * a->conv.stride_w - a->conv.pad_left;
        if (++ox == a->conv.out_w) {
            ox = 0;
            oy++;
        }
    }
    add_windows(acc, &a->conv, image, top, left, x, zeros, weights);
#endif
}

// `count` rows of the convolution's output from row oy on, which are rows r and following of the band, each
// after pad_left pixels of zeros.
inline void convolve_rows(const LiteClConvDepthwiseArgs* a, const __global TYPE* x,
                          const __global weight* weights, const __global word* bias,
                          const __global TYPE* zeros, int oy, int r, int count, __local float* ring) {
    const int width = a->conv.out_w, pixels = count * width;
    __local float* row = find_row(a, ring, r) + a->depthwise.pad_left * PANEL;
    for (int p = 0, ox = 0; p < pixels; p += MR) {
        accumulator acc[MR][NV];
#pragma unroll
        for (int j = 0; j < NV; j++) {
            const accumulator b = VLOAD(bias + j * VW);
#pragma unroll
            for (int i = 0; i < MR; i++) acc[i][j] = b;
        }
        convolve_tile(acc, a, x, weights, zeros, oy, ox);
#pragma unroll
        for (int i = 0; i < MR; i++) {
            if (p + i < pixels) {
#pragma unroll
                for (int j = 0; j < NV; j++)
                    VSTORE(clamp_vector(acc[i][j], a->conv.low, a->conv.high), row + ox * PANEL + j * VW);
                if (++ox == width) {
                    ox = 0;
                    oy++;
                    row = find_row(a, ring, ++r) + a->depthwise.pad_left * PANEL;
                }
            }
        }
    }
}

// Makes the band's rows up to number `needed`, and no more than `most`. The band's first is row `first` of
// the convolution's output, or in its padding: zeros. Returns how many there are.
inline int make_rows(const LiteClConvDepthwiseArgs* a, const __global TYPE* x, const __global weight* weights,
                     const __global word* bias, const __global TYPE* zeros, int first, int known, int needed,
                     int most, __local float* ring) {
    while (known < min(needed, most)) {
        const int oy = first + known, left = a->conv.out_h - oy;
        if (oy < 0 || left <= 0) {
            __local float* row = find_row(a, ring, known++);
            for (int i = 0; i < a->columns * PANEL; i += VW) VSTORE((vector)0, row + i);
            continue;
        }
        const int count = min(min(a->step, left), most - known);
        convolve_rows(a, x, weights, bias, zeros, oy, known, count, ring);
        known += count;
    }
    return known;
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

KERNEL conv_depthwise(ITEM const LiteClConvDepthwiseArgs args, const __global TYPE* restrict x,
                      const __global weight* restrict weights, const __global word* restrict bias,
                      const __global TYPE* restrict zeros, const __global weight* restrict taps,
                      const __global word* restrict tap_bias, __global TYPE* restrict y,
                      __local float* restrict ring) {
    const LiteClConvDepthwiseArgs a = args;
    const int panel = get_global_id(0), n = get_global_id(2);
    const int begin = (int)get_global_id(1) * a.band, end = min(begin + a.band, a.depthwise.out_h);
    const int channels = a.depthwise.channels;
    if (panel * PANEL >= channels || begin >= end || n >= a.conv.images) return;
    x += n * a.conv.in_h * a.conv.in_w * a.conv.in_c;
    y += n * a.depthwise.out_h * a.depthwise.out_w * channels + panel * PANEL;
    weights += panel * a.conv.kernel_h * a.conv.kernel_w * a.conv.in_c * PANEL;
    bias += panel * PANEL;
    taps += panel * KERNEL_H * KERNEL_W * PANEL;
    tap_bias += panel * PANEL;
    for (int i = 0; i < a.rows * a.columns * PANEL; i += VW) VSTORE((vector)0, ring + i);

    // Rows count from the band's first.
    const int first = begin * STRIDE - a.depthwise.pad_top, rows = (end - begin - 1) * STRIDE + SPAN_H;
    int known = 0;
    for (int oy = begin; oy < end; oy += TILE_H) {
        const int top = (oy - begin) * STRIDE;
        known = make_rows(&a, x, weights, bias, zeros, first, known, top + IN_H, rows, ring);
        for (int j = 0; j < PANEL && panel * PANEL + j < channels; j += VW) {
            __local const float* in[IN_H];
#pragma unroll
            for (int i = 0; i < IN_H; i++) in[i] = find_row(&a, ring, top + i) + j;
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
