// SPDX-License-Identifier: Apache-2.0
// Products of matrices of floats that are both computed, for all matrices of a batch, on devices with fast
// local memory: see local_tile.cl. Dimension 2: the matrix.
//
// Prelude: that of local_tile.cl; ROWS_READ: four steps of a row of the left operand are neighbours, at a
// multiple of their size; COLUMNS_READ: four columns of the right one are.
#include "kernels-cl/args/matmul.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/local_tile.cl"

// Four elements, `step` apart, of which `count` are there; zeros for the others.
inline vector gather(const __global float* p, int step, int count) {
    return (vector)(count > 0 ? p[0] : 0.0f, count > 1 ? p[step] : 0.0f, count > 2 ? p[2 * step] : 0.0f,
                    count > 3 ? p[3 * step] : 0.0f);
}

inline vector read_row(const LiteClMatmulArgs* a, const __global float* row, int k) {
#ifdef ROWS_READ
    return k < a->depth ? *(const __global vector*)(row + k) : (vector)0.0f;
#else
    return gather(row + k * a->x_step, a->x_step, a->depth - k);
#endif
}

inline vector read_columns(const LiteClMatmulArgs* a, const __global float* w, int k, int c) {
    const int count = k < a->depth ? a->columns - c : 0;
#ifdef COLUMNS_READ
    return count > 0 ? *(const __global vector*)(w + k * a->w_step + c) : (vector)0.0f;
#else
    return gather(w + k * a->w_step + c * a->w_tile, a->w_tile, count);
#endif
}

__kernel __attribute__((reqd_work_group_size(TEAM * SPLIT, 1, 1))) void
matmul_local(const LiteClMatmulArgs a, const __global float* restrict x, const __global float* restrict w,
             __global float* restrict y) {
    __local vector memory[LOCAL_VECTORS];
    const Item at = find_item();
    const int m0 = (int)get_group_id(1) * BM, n0 = (int)get_group_id(0) * BN, matrix = get_group_id(2);
    const int rounds = (a.depth + BK * SPLIT - 1) / (BK * SPLIT);
    const int inner = matrix % a.inner.length, rest = matrix / a.inner.length;
    const int middle = rest % a.middle.length, outer = rest / a.middle.length;
    __local float* tile = (__local float*)memory + at.team * TEAM_STEPS;
    x += outer * a.outer.x + middle * a.middle.x + inner * a.inner.x;
    w += outer * a.outer.w + middle * a.middle.w + inner * a.inner.w;
    y += matrix * a.rows * a.columns;

    // Rows past the end are the last one: computed, not stored.
    const __global float* rows[ROW_LOADS];
#pragma unroll
    for (int i = 0; i < ROW_LOADS; i++)
        rows[i] = x + min(m0 + at.row + i * (TEAM / QUADS), a.rows - 1) * a.x_row;
    vector acc[MR][NV], next_rows[ROW_LOADS], next_columns[COLUMN_LOADS];
    clear_tile(acc);
    int k = at.team * BK;
    for (int round = 0; round <= rounds; round++) {
        if (round > 0) store_slice(&at, next_rows, next_columns, tile);
        if (round < rounds) {
#pragma unroll
            for (int i = 0; i < ROW_LOADS; i++) next_rows[i] = read_row(&a, rows[i], k + at.quad * 4);
#pragma unroll
            for (int i = 0; i < COLUMN_LOADS; i++) {
                const int quad = (at.item + i * TEAM) * 4;
                next_columns[i] = read_columns(&a, w, k + quad / BN, n0 + quad % BN);
            }
            k += BK * SPLIT;
        }
        if (round > 0) multiply_slice(&at, tile, acc);
    }
    join_teams(&at, (__local float*)memory, acc);
    if (at.team > 0) return;
#pragma unroll
    for (int i = 0; i < MR; i++) {
        const int m = m0 + at.m + i;
#pragma unroll
        for (int j = 0; j < NV; j++) {
            const int n = n0 + at.n + j * VW, count = a.columns - n;
            __global float* to = y + m * a.columns + n;
            if (m >= a.rows || count < 1) continue;
            to[0] = acc[i][j].s0;
            if (count > 1) to[1] = acc[i][j].s1;
            if (count > 2) to[2] = acc[i][j].s2;
            if (count > 3) to[3] = acc[i][j].s3;
        }
    }
}
