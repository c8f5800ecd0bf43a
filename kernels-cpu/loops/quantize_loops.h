// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE of single elements (quantize.c), and loops over many (quantize_loops.c).
#ifndef KERNELS_CPU_LOOPS_QUANTIZE_LOOPS_H_
#define KERNELS_CPU_LOOPS_QUANTIZE_LOOPS_H_

#include "core/semantics/fixedpoint.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/support/elementwise.h"

typedef struct LiteQuantize {
    float scale;
    int32_t zero_point; // of the output; in DEQUANTIZE of the input
    int32_t low;
    int32_t high;
    int32_t input_zero;        // from integers
    LiteMultiplier multiplier; //
} LiteQuantize;

// roundf of x / scale. Values that do not fit become the lowest
// one, as x86-64 converts them in the reference kernels.
static inline int32_t lite_quantize_one(float x, const LiteQuantize* q) {
    const float steps = x / q->scale;
    const bool fits = (steps >= -2147483648.0f) & (steps < 2147483648.0f);
    const int32_t rounded = lite_round_to_integer(lite_choose(fits, steps, -2147483648.0f));
    return lite_clamp_i32(lite_wrapping_add(rounded, q->zero_point), q->low, q->high);
}

static inline float lite_dequantize_one(int32_t x, const LiteQuantize* q) {
    return q->scale * (float)lite_wrapping_sub(x, q->zero_point);
}

// From FLOAT32 to INT8, UINT8 or INT16 or back, with parameters LiteQuantize; NULL for other types. With
// `channels`, scales and zero points are inputs 1 and 2 of the row, FLOAT32 and INT32.
LiteRowFunction lite_quantize_loop(TfLiteType from, TfLiteType to, bool channels);

#endif
