// SPDX-License-Identifier: Apache-2.0
// What follows a matrix product that another library has computed, in place: y = clamp(y + bias), row by row.
// Prelude: TYPE …, VREAD and VWRITE, VW; ADDEND: then y = clamp(y + addend).
#include "kernels-cl/args/epilogue.h"
#include "kernels-cl/common/common.cl"

KERNEL epilogue(ITEM const LiteClEpilogueArgs a, const __global float* restrict bias,
#ifdef ADDEND
                const __global TYPE* restrict addend,
#endif
                __global TYPE* restrict y) {
    const int first = (int)get_global_id(1) * a.rows_each;
    const int end = min(first + a.rows_each, a.rows);
    const int step = (int)get_global_size(0) * VW;
    for (int row = first; row < end; row++) {
        const size_t begin = (size_t)row * a.columns;
        for (int c = (int)get_global_id(0) * VW; c < a.columns; c += step) {
            if (c + VW <= a.columns) {
                vector v = clamp_vector(VREAD(y + begin + c) + VLOAD(bias + c), a.low, a.high);
#ifdef ADDEND
                v = clamp_vector(v + VREAD(addend + begin + c), a.sum_low, a.sum_high);
#endif
                VWRITE(v, y + begin + c);
                continue;
            }
            for (int i = c; i < a.columns; i++) {
                float v = LOAD(y, begin + i) + bias[i];
                v = CLAMP(v, a.low, a.high);
#ifdef ADDEND
                v += LOAD(addend, begin + i);
                v = CLAMP(v, a.sum_low, a.sum_high);
#endif
                STORE(y, begin + i, v);
            }
        }
    }
}
