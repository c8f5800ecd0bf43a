// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE of single elements (quantize.c), and loops over many (quantize_loops.c).
#ifndef KERNELS_CPU_QUANTIZE_H_
#define KERNELS_CPU_QUANTIZE_H_

#include <string.h>

#include "core/base/fixedpoint.h"
#include "core/base/quant.h"
#include "kernels-cpu/elementwise.h"

typedef struct LiteQuantize {
    float scale;
    int32_t zero_point; // of the output; in DEQUANTIZE of the input
    int32_t low;
    int32_t high;
    int32_t input_zero;        // from integers
    LiteMultiplier multiplier; //
} LiteQuantize;

// roundf of x / scale, in terms that compilers have vectors for. Values that do not fit become the lowest
// one, as x86-64 converts them in the reference kernels.
static inline int32_t lite_quantize_one(float x, const LiteQuantize* q) {
    float steps = x / q->scale;
    uint32_t bits;
    memcpy(&bits, &steps, sizeof(bits));
    const uint32_t fits = 0U - ((steps >= -2147483648.0f) & (steps < 2147483648.0f));
    bits = (bits & fits) | (0xCF000000U & ~fits); // -2^31
    memcpy(&steps, &bits, sizeof(bits));
    const int32_t whole = (int32_t)steps;
    const float rest = steps - (float)whole; // exact, and 0 where adding 1 would overflow
    const int32_t rounded = whole + (rest >= 0.5f) - (rest <= -0.5f);
    return lite_clamp_i32(lite_wrapping_add(rounded, q->zero_point), q->low, q->high);
}

static inline float lite_dequantize_one(int32_t x, const LiteQuantize* q) {
    return q->scale * (float)lite_wrapping_sub(x, q->zero_point);
}

// From FLOAT32 to INT8, UINT8 or INT16 or back, with parameters LiteQuantize; NULL for other types.
LiteRowFunction lite_quantize_loop(TfLiteType from, TfLiteType to);

#endif
