// SPDX-License-Identifier: Apache-2.0
// Row functions of the binary operators on quantized numbers.
#ifndef KERNELS_CPU_LOOPS_BINARY_QUANTIZED_LOOPS_H_
#define KERNELS_CPU_LOOPS_BINARY_QUANTIZED_LOOPS_H_

#include "core/semantics/elementwise.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/support/elementwise.h"

// Parameters of lite_binary_quantized_loop's functions.
typedef struct LiteBinaryQuantized {
    int32_t zero_points[2];
    LiteMultiplier multipliers[2]; // of the inputs
    LiteMultiplier multiplier;     // of the result
    int left_shift;                // of the inputs, before they are multiplied
    int32_t zero_point;            // of the output
    int32_t low;
    int32_t high;
} LiteBinaryQuantized;

// A value of input k, less its zero point, on the scale that both have in common.
static inline int32_t lite_binary_rescaled(const LiteBinaryQuantized* q, int k, int32_t x) {
    return lite_multiply((int32_t)((uint32_t)x << q->left_shift), q->multipliers[k]);
}

// The function for quantized inputs of type `in` and this output; NULL when there is none.
LiteRowFunction lite_binary_quantized_loop(LiteBinary op, TfLiteType in, TfLiteType out);

// The one of ADD or SUB of 16 bits with scales that are powers of 2.
LiteRowFunction lite_binary_pot_loop(LiteBinary op);

// The one of PRELU with 16-bit inputs and outputs, and slopes of int8.
LiteRowFunction lite_binary_narrow_slopes_loop(void);

// Products of 8-bit inputs less their zero points, as int32, before they are scaled.
LiteRowFunction lite_binary_product_loop(TfLiteType type);

// The same with, for ADD and SUB of 8 bits, the inputs' values on the common scale, by their bytes.
typedef struct LiteBinaryTables {
    LiteBinaryQuantized scalars;
    int32_t scaled[2][256];
    LiteByteSum sum;         // the result in fixed point; bits is 0 where that has no room
    LiteByteProduct product; // the same of MUL of 8 bits; its multiplier is 0 where that is not a usual one
    bool may_overwrite;      // the output may be one of the inputs, which have one shape
} LiteBinaryTables;

#endif
