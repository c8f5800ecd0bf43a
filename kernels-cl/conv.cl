// SPDX-License-Identifier: Apache-2.0
// Convolution as an implicit matrix product, NHWC; also fully connected layers and matrix products.
//
//   rows = output pixels      columns = output channels of one group
//   a tile: MR rows x NV vectors, accumulated in registers over all taps and input channels
//   one item: some tiles, one below the other, so that what a group of items costs on a CPU is shared
//   weights: panels of PANEL columns, so that consecutive steps of the inner loop read consecutive memory
//
// Prelude: POINTWISE: each output pixel sees the one input pixel of its place; VW, MR, NV, PANEL (a multiple
// of VW * NV), ROWS_DIM (grid dimension of the rows, 0 or 1; columns take the other one, dimension 2 is the
// group); TYPE …, VREAD and VWRITE; QUANTIZED: bytes, with HALF: short, or ushort when they have no
// sign, or DOTS, perhaps with BYTE_DOTS (of vectors of 4), and perhaps DOUBLE_FACTORS (factor.cl), see
// LiteClGemm.
#include "kernels-cl/args/conv.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/factor.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/gemm_finish.cl"

#ifndef POINTWISE
// Where the windows of the tile's rows begin. Rows past the end go on counting: computed, not stored.
inline void find_windows(const LiteClConvArgs* a, int m0, int image[MR], int top[MR], int left[MR]) {
    int oy = m0 / a->out_w, ox = m0 - oy * a->out_w;
    int n = oy / a->out_h;
    oy -= n * a->out_h;
#pragma unroll
    for (int i = 0; i < MR; i++) {
        image[i] = min(n, a->images - 1) * a->in_h * a->in_w * a->in_c;
        top[i] = oy * a->stride_h - a->pad_top;
        left[i] = ox * a->stride_w - a->pad_left;
        if (++ox == a->out_w) {
            ox = 0;
            if (++oy == a->out_h) {
                oy = 0;
                n++;
            }
        }
    }
}
#endif

KERNEL conv(ITEM const LiteClConvArgs args, const __global TYPE* restrict x,
            const __global weight* restrict weights, const __global word* restrict bias,
            const __global TYPE* restrict zeros,
#ifdef QUANTIZED
            SCALES(restrict),
#else
            const __global TYPE* restrict addend,
#endif
            __global TYPE* restrict y) {
    const LiteClConvArgs a = args;
    int m0 = (int)get_global_id(ROWS_DIM) * a.tiles * MR;
    const int n0 = (int)get_global_id(1 - ROWS_DIM) * NR;
    const int group = get_global_id(2);
    if (m0 >= a.pixels || n0 >= a.group_out) return;
    const int panel = group * ((a.group_out + PANEL - 1) / PANEL) + n0 / PANEL,
              column = panel * PANEL + n0 % PANEL;
    const int tap_steps = (a.group_in + STEP - 1) / STEP;
    const __global weight* w =
        weights + (size_t)panel * (a.kernel_h * a.kernel_w * tap_steps) * STEP_WORDS + n0 % PANEL;
    x += group * a.group_in;
    y += group * a.group_out + n0;
#ifndef QUANTIZED
    addend += group * a.group_out + n0;
#endif

    for (int t = 0; t < a.tiles && m0 < a.pixels; t++, m0 += MR) {
        accumulator acc[MR][NV];
#pragma unroll
        for (int j = 0; j < NV; j++) {
            const accumulator b = VLOAD(bias + column + j * VW);
#pragma unroll
            for (int i = 0; i < MR; i++) acc[i][j] = b;
        }

#ifdef POINTWISE
        // Rows past the end are the last one: computed, not stored.
        const __global TYPE* row[MR];
#pragma unroll
        for (int i = 0; i < MR; i++) row[i] = x + min(m0 + i, a.pixels - 1) * a.in_c;
        add_run(acc, row, a.group_in, w);
#else
        int image[MR], top[MR], left[MR];
        find_windows(&a, m0, image, top, left);
        add_windows(acc, &a, image, top, left, x, zeros, w);
#endif

#ifdef QUANTIZED
        finish_tile(acc, &a, m0, n0, column, SCALES_OF, y);
#else
        finish_tile(acc, &a, m0, n0, 0, addend, y);
#endif
    }
}
