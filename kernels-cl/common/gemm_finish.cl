// SPDX-License-Identifier: Apache-2.0
// The end of a tile of sums in registers, for conv.cl and conv_local.cl.
#include "kernels-cl/common/gemm_tile.cl"

#ifndef QUANTIZED
// Adds a whole tile of another tensor of the output's shape.
INLINE void add_tile(vector acc[MR][NV], const LiteClConvArgs* a, tile_row others[MR],
                     const __global TYPE* addend) {
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) {
            const vector other = others != 0 ? others[i][j] : VREAD(addend + i * a->out_c + j * VW);
            acc[i][j] = clamp_vector(acc[i][j] + other, a->sum_low, a->sum_high);
        }
    }
}

// Adds and stores what of a tile is within the output. Through memory and not unrolled: this is much code.
inline void store_part(const vector results[MR][NV], const LiteClConvArgs* a, int rows, int columns,
                       const __global TYPE* addend, __global TYPE* out) {
#pragma unroll 1
    for (int i = 0; i < MR && i < rows; i++) {
#pragma unroll 1
        for (int j = 0; j < NV; j++) {
            const int at = i * a->out_c + j * VW, count = columns - j * VW;
            vector v = results[i][j];
            if (a->adds) v = clamp_vector(v + load_first(count, addend + at), a->sum_low, a->sum_high);
            store_first(v, count, out + at);
        }
    }
}

// What becomes of a tile of sums, whose first row is m0 and whose first column n0: limits, nodes behind,
// another tensor; and stores what of it is within the output. `others`: what a whole tile of the other tensor
// has, 0 where it is not read yet.
INLINE void finish_tile(vector acc[MR][NV], const LiteClConvArgs* a, int m0, int n0, tile_row others[MR],
                        const __global TYPE* addend, __global TYPE* y) {
    limit_tile(acc, a->low, a->high);
    compute_after(acc, a->after);
    __global TYPE* out = y + m0 * a->out_c;
    addend += m0 * a->out_c;
    const int rows = a->pixels - m0, columns = a->group_out - n0;
    if (rows >= MR && columns >= NR) {
        if (a->adds) add_tile(acc, a, others, addend);
#pragma unroll
        for (int i = 0; i < MR; i++) {
#pragma unroll
            for (int j = 0; j < NV; j++) VWRITE(acc[i][j], out + i * a->out_c + j * VW);
        }
        return;
    }
    vector results[MR][NV];
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) results[i][j] = acc[i][j];
    }
    store_part(results, a, rows, columns, addend, out);
}
#else
#ifdef DOUBLE_FACTORS
// Without `restrict` in functions, which Oclgrind does not know inlined.
#define SCALES(qualifier) const __global factor* qualifier factors
#define SCALES_OF factors
#define OUTPUT(sum, at) scale_once(sum, factors + (at), a->zero, a->int_low, a->int_high)
#else
#define SCALES(qualifier) const __global int *qualifier multipliers, const __global int *qualifier shifts
#define SCALES_OF multipliers, shifts
#define OUTPUT(sum, at)                                                                                      \
    requantize(sum, VLOAD(multipliers + (at)), VLOAD(shifts + (at)), a->zero, a->int_low, a->int_high)
#ifdef FLOAT_SCALES
#define FIND_SCALE(at, s) find_scale(VLOAD(multipliers + (at)), VLOAD(shifts + (at)), a->zero, s)
#endif
#endif

// The same of bytes: scales of the columns lie at `column`. Through memory and not unrolled: this is much
// code, and compilers take long for it.
INLINE void finish_tile(accumulator acc[MR][NV], const LiteClConvArgs* a, int m0, int n0, int column,
                        SCALES(), __global TYPE* y) {
    accumulator sums[MR][NV];
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) sums[i][j] = acc[i][j];
    }
    const int rows = min(MR, a->pixels - m0);
    y += m0 * a->out_c;
#pragma unroll 1
    for (int j = 0; j < NV; j++) {
        const int count = a->group_out - n0 - j * VW, at = column + j * VW;
#ifdef FIND_SCALE
        FloatScale scale;
        integers near = 0;
        if (FIND_SCALE(at, &scale)) {
#pragma unroll 1
            for (int i = 0; i < rows; i++) {
                const integers out = requantize_near(sums[i][j], &scale, a->int_low, a->int_high, &near);
                store_first(CONVERT(TYPE, out), count, y + i * a->out_c + j * VW);
            }
            if (!is_any(near)) continue;
        }
#endif
#pragma unroll 1
        for (int i = 0; i < rows; i++)
            store_first(CONVERT(TYPE, OUTPUT(sums[i][j], at)), count, y + i * a->out_c + j * VW);
    }
}
#endif
