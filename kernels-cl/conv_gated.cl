// SPDX-License-Identifier: Apache-2.0
// conv.cl for pixels that are multiplied by a row of `gate` first, channel by channel. Dimension 2: the
// image, of `pixels`. For CPUs.
//
// Prelude: that of conv.cl for floats, with POINTWISE; LEFT: const float.
#include "kernels-cl/args/conv.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/gemm_finish.cl"

// add_run of the rows, some vectors of channels at a time: what multiplying them takes is divided by the
// columns of a tile.
#define GATED (8 * VW)
INLINE void add_gated(accumulator acc[MR][NV], const __global TYPE* const row[MR], int run,
                      const __global TYPE* gate, const __global weight* w) {
    float gated[MR][GATED];
    LEFT* left[MR];
#pragma unroll
    for (int i = 0; i < MR; i++) left[i] = gated[i];
    for (int begin = 0; begin < run; begin += GATED) {
        const int end = min(begin + GATED, run);
        for (int c = begin; c < end; c += VW) {
            const vector factors = load_first(end - c, gate + c);
#pragma unroll
            for (int i = 0; i < MR; i++)
                VSTORE(load_first(end - c, row[i] + c) * factors, gated[i] + (c - begin));
        }
        w = add_run(acc, left, end - begin, w);
    }
}

KERNEL conv_gated(ITEM const LiteClConvArgs args, const __global TYPE* restrict x,
                  const __global weight* restrict weights, const __global word* restrict bias,
                  const __global TYPE* restrict zeros, const __global TYPE* restrict addend,
                  const __global TYPE* restrict gate, __global TYPE* restrict y) {
    const LiteClConvArgs a = args;
    int m0 = (int)get_global_id(ROWS_DIM) * a.tiles * MR;
    const int n0 = (int)get_global_id(1 - ROWS_DIM) * NR, image = get_global_id(2);
    if (m0 >= a.pixels || n0 >= a.group_out) return;
    const __global weight* w = weights + (size_t)(n0 / PANEL) * a.group_in * PANEL + n0 % PANEL;
    x += image * a.pixels * a.in_c;
    y += image * a.pixels * a.out_c + n0;
    addend += image * a.pixels * a.out_c + n0;

    for (int t = 0; t < a.tiles && m0 < a.pixels; t++, m0 += MR) {
        accumulator acc[MR][NV];
        // Rows past the end are the last one: computed, not stored.
        const __global TYPE* row[MR];
#pragma unroll
        for (int i = 0; i < MR; i++) {
            row[i] = x + min(m0 + i, a.pixels - 1) * a.in_c;
#pragma unroll
            for (int j = 0; j < NV; j++) acc[i][j] = VLOAD(bias + n0 + j * VW);
        }
        add_gated(acc, row, a.group_in, gate + image * a.in_c, w);
        finish_tile(acc, &a, m0, n0, 0, addend, y);
    }
}
