// SPDX-License-Identifier: Apache-2.0
// Convolution as an implicit matrix product, NHWC; also fully connected layers and matrix products.
//
//   rows = output pixels      columns = output channels of one group
//   one item: a tile of MR rows x NV vectors, accumulated in registers over all taps and input channels
//   weights: panels of PANEL columns, so that consecutive steps of the inner loop read consecutive memory
//
// Prelude: VW, MR, NV, PANEL (a multiple of VW * NV), ROWS_DIM (grid dimension of the rows, 0 or 1; columns
// take the other one, dimension 2 is the group).
#define NR (NV * VW)

__kernel void conv(const LiteClConvArgs a, const __global float* restrict x,
                   const __global float* restrict weights, const __global float* restrict bias,
                   const __global float* restrict zeros, __global float* restrict y) {
    const int m0 = (int)get_global_id(ROWS_DIM) * MR;
    const int n0 = (int)get_global_id(1 - ROWS_DIM) * NR;
    const int group = get_global_id(2);
    if (m0 >= a.pixels || n0 >= a.group_out) return;
    const int panel = group * ((a.group_out + PANEL - 1) / PANEL) + n0 / PANEL;
    const __global float* w =
        weights + (size_t)panel * (a.kernel_h * a.kernel_w * a.group_in) * PANEL + n0 % PANEL;
    bias += panel * PANEL + n0 % PANEL;
    x += group * a.group_in;

    const int in_h = a.in_h, in_w = a.in_w, in_c = a.in_c;
    // Where each row's window begins. Rows past the end go on counting: computed, not stored.
    int image[MR], top[MR], left[MR];
    int oy = m0 / a.out_w, ox = m0 - oy * a.out_w;
    int n = oy / a.out_h;
    oy -= n * a.out_h;
    // Where no window of the tile leaves its image row, the taps of a kernel row are one run of memory.
    bool whole = a.dilation_w == 1 && a.group_in == in_c;
#pragma unroll
    for (int i = 0; i < MR; i++) {
        image[i] = min(n, a.images - 1) * in_h * in_w * in_c;
        top[i] = oy * a.stride_h - a.pad_top;
        left[i] = ox * a.stride_w - a.pad_left;
        whole = whole && left[i] >= 0 && left[i] + a.kernel_w <= in_w;
        if (++ox == a.out_w) {
            ox = 0;
            if (++oy == a.out_h) {
                oy = 0;
                n++;
            }
        }
    }
    const int steps = whole ? 1 : a.kernel_w;
    const int run = whole ? a.kernel_w * in_c : a.group_in;

    vector acc[MR][NV];
#pragma unroll
    for (int j = 0; j < NV; j++) {
        const vector b = VLOAD(bias + j * VW);
#pragma unroll
        for (int i = 0; i < MR; i++) acc[i][j] = b;
    }

    for (int ky = 0; ky < a.kernel_h; ky++) {
        for (int kx = 0; kx < steps; kx++) {
            // Taps in the padding read zeros, of which there are kernel_w * group_in: the inner loop has no
            // branches.
            const __global float* row[MR];
#pragma unroll
            for (int i = 0; i < MR; i++) {
                const int iy = top[i] + ky * a.dilation_h, ix = left[i] + kx * a.dilation_w;
                const bool inside = (uint)iy < (uint)in_h && (uint)ix < (uint)in_w;
                row[i] = inside ? x + image[i] + (iy * in_w + ix) * in_c : zeros;
            }
            for (int c = 0; c < run; c++) {
                vector v[NV];
#pragma unroll
                for (int j = 0; j < NV; j++) v[j] = VLOAD(w + j * VW);
                w += PANEL;
#pragma unroll
                for (int i = 0; i < MR; i++) {
                    const float s = row[i][c];
                    // Not mad(): that is left uncontracted on some CPUs and costs 40 %.
#pragma unroll
                    for (int j = 0; j < NV; j++) acc[i][j] += s * v[j];
                }
            }
        }
    }

    y += group * a.group_out + n0;
#pragma unroll
    for (int i = 0; i < MR; i++) {
        if (m0 + i < a.pixels) {
            __global float* out = y + (m0 + i) * a.out_c;
#pragma unroll
            for (int j = 0; j < NV; j++) {
                store_first(clamp_vector(acc[i][j], a.low, a.high), a.group_out - n0 - j * VW, out + j * VW);
            }
        }
    }
}
