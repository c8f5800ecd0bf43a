// SPDX-License-Identifier: Apache-2.0
// Functions of one tensor, element by element: unary.c has the operators, unary_loops.c the formulas as row
// functions, unary_quantized.c the forms on quantized integers.
#ifndef KERNELS_CPU_LOOPS_UNARY_LOOPS_H_
#define KERNELS_CPU_LOOPS_UNARY_LOOPS_H_

#include "core/semantics/elementwise.h"
#include "kernels-cpu/loops/byte_map_loops.h"
#include "kernels-cpu/support/elementwise.h"

// The function for elements of `type` without quantization, whose parameter is a LiteUnaryParams; NULL when
// there is none.
LiteRowFunction lite_unary_loop(LiteUnary op, TfLiteType type);

// The function times its operand, which is rounded as the function and a product are; NULL: those two do it.
LiteRowFunction lite_unary_times_loop(LiteUnary op, TfLiteType type);

// LOGISTIC or TANH of int16 with such a table in the parameters, and a multiplier below LITE_SIGMOID_LIMIT.
enum { LITE_SIGMOID_LIMIT = 1 << 16 };
LiteRowFunction lite_unary_sigmoid_loop(LiteUnary op);

// Of quantized forms.
typedef struct LiteUnaryTables {
    LiteUnaryRule rule;
    union {
        LiteByteMap map; // of 8 bits
        int16_t lut16[LITE_LUT16_SIZE];
        uint32_t steps[256]; // of the sigmoid table: an entry and, in the lower half, the next one
    };
} LiteUnaryTables;

// Parameters of all row functions.
typedef struct LiteUnaryParams {
    float alpha;             // LEAKY_RELU
    LiteUnaryTables* tables; // once it was quantized; they are large
} LiteUnaryParams;

#endif
