// SPDX-License-Identifier: Apache-2.0
// Products of matrices of floats that are both computed, for all matrices of a batch. One item: a tile of MR
// rows x NV vectors of columns in registers. Dimension 2: the matrix.
//
// The last tile of columns ends where the matrix does, so that it may share columns with the one before it,
// which are computed twice, with the same result. The right operand lies as it is, or in panels of a tile's
// columns. A matrix of fewer columns than a tile has is computed a vector at a time, or an element.
//
// Prelude: VW, MR and NV, ROWS_DIM: grid dimension of the rows, 0 or 1; columns take the other one.
#include "kernels-cl/args/matmul.h"
#include "kernels-cl/common/common.cl"

// The elements of column c in the tile's rows, of which `left` are in the matrix.
inline void compute_column(const LiteClMatmulArgs* a, const __global float* const row[MR], int left, int c,
                           const __global float* w, __global float* y) {
    float acc[MR] = {0.0f};
    for (int k = 0; k < a->depth; k++) {
        const float v = w[k * a->w_step + c];
        for (int i = 0; i < MR; i++) acc[i] += row[i][k * a->x_step] * v;
    }
    for (int i = 0; i < min(left, MR); i++) y[i * a->columns + c] = acc[i];
}

// The same of a vector of columns.
inline void compute_vector(const LiteClMatmulArgs* a, const __global float* const row[MR], int left, int c,
                           const __global float* w, __global float* y) {
    vector acc[MR] = {0.0f};
    for (int k = 0; k < a->depth; k++) {
        const vector v = VLOAD(w + k * a->w_step + c);
        for (int i = 0; i < MR; i++) acc[i] += row[i][k * a->x_step] * v;
    }
    for (int i = 0; i < min(left, MR); i++) VSTORE(acc[i], y + i * a->columns + c);
}

// All columns of the tile's rows, where these are fewer than a tile has.
inline void compute_narrow(const LiteClMatmulArgs* a, const __global float* const row[MR], int left,
                           const __global float* w, __global float* y) {
    if (a->columns < VW) {
        for (int c = 0; c < a->columns; c++) compute_column(a, row, left, c, w, y);
    } else {
        for (int c = 0; c < a->columns; c += VW) compute_vector(a, row, left, min(c, a->columns - VW), w, y);
    }
}

KERNEL matmul(ITEM const LiteClMatmulArgs a, const __global float* restrict x,
              const __global float* restrict w, __global float* restrict y) {
    const int m0 = (int)get_global_id(ROWS_DIM) * MR, tile = get_global_id(1 - ROWS_DIM);
    const int matrix = get_global_id(2);
    if (m0 >= a.rows || tile * NV * VW >= a.columns) return;
    const int inner = matrix % a.inner.length, rest = matrix / a.inner.length;
    const int middle = rest % a.middle.length, outer = rest / a.middle.length;
    x += outer * a.outer.x + middle * a.middle.x + inner * a.inner.x;
    w += outer * a.outer.w + middle * a.middle.w + inner * a.inner.w + min(tile * a.w_tile, a.w_last);
    y += matrix * a.rows * a.columns;

    // Rows past the end are the last one: computed, not stored.
    const __global float* row[MR];
#pragma unroll
    for (int i = 0; i < MR; i++) row[i] = x + min(m0 + i, a.rows - 1) * a.x_row;
    if (a.columns < NV * VW) {
        compute_narrow(&a, row, a.rows - m0, w, y + m0 * a.columns);
        return;
    }
    y += min(tile * NV * VW, a.columns - NV * VW);
    vector acc[MR][NV];
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) acc[i][j] = 0.0f;
    }
    for (int k = 0, at = 0; k < a.depth; k++, at += a.x_step, w += a.w_step) {
        vector v[NV];
#pragma unroll
        for (int j = 0; j < NV; j++) v[j] = VLOAD(w + j * VW);
#pragma unroll
        for (int i = 0; i < MR; i++) {
            const float step = row[i][at];
#pragma unroll
            for (int j = 0; j < NV; j++) acc[i][j] += step * v[j];
            IN_ORDER();
        }
    }
#pragma unroll
    for (int i = 0; i < MR; i++) {
        if (m0 + i < a.rows) {
#pragma unroll
            for (int j = 0; j < NV; j++) VSTORE(acc[i][j], y + (m0 + i) * a.columns + j * VW);
        }
    }
}
