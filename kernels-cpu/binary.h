// SPDX-License-Identifier: Apache-2.0
// Row functions of the binary operators; binary.c chooses among them.
#ifndef KERNELS_CPU_BINARY_H_
#define KERNELS_CPU_BINARY_H_

#include "core/base/quant.h"
#include "kernels-cpu/elementwise.h"
#include "kernels-cpu/micro/micro.h"
#include "kernels-cpu/selected.h"
#include "kernels-cpu/types.h"

typedef enum LiteBinary {
    kLiteBinaryADD,
    kLiteBinarySUB,
    kLiteBinaryMUL,
    kLiteBinaryDIV,
    kLiteBinaryMAXIMUM,
    kLiteBinaryMINIMUM,
    kLiteBinarySQUARED_DIFFERENCE,
    kLiteBinaryFLOOR_DIV,
    kLiteBinaryFLOOR_MOD,
    kLiteBinaryATAN2,
    kLiteBinaryPOW,
    kLiteBinaryWRAPPED_POW, // of integers, by products that wrap
    kLiteBinaryPRELU,
    kLiteBinaryADD_POT, // quantized only
    kLiteBinarySUB_POT,
    kLiteBinaryCount,
} LiteBinary;

// Is there an operator that needs these functions?
#define LITE_HAS_BINARY(NAME) (lite_needs_##NAME != 0)
enum {
    lite_needs_ADD = lite_has_ADD || lite_has_STABLEHLO_ADD,
    lite_needs_SUB = lite_has_SUB,
    lite_needs_MUL = lite_has_MUL || lite_has_STABLEHLO_MULTIPLY,
    lite_needs_DIV = lite_has_DIV,
    lite_needs_MAXIMUM = lite_has_MAXIMUM || lite_has_STABLEHLO_MAXIMUM,
    lite_needs_MINIMUM = lite_has_MINIMUM || lite_has_STABLEHLO_MINIMUM,
    lite_needs_SQUARED_DIFFERENCE = lite_has_SQUARED_DIFFERENCE,
    lite_needs_FLOOR_DIV = lite_has_FLOOR_DIV,
    lite_needs_FLOOR_MOD = lite_has_FLOOR_MOD,
    lite_needs_ATAN2 = lite_has_ATAN2,
    lite_needs_POW = lite_has_POW,
    lite_needs_WRAPPED_POW = lite_has_POW,
    lite_needs_PRELU = lite_has_PRELU,
    lite_needs_ADD_POT = lite_has_ADD,
    lite_needs_SUB_POT = lite_has_SUB,
};

// Parameters of lite_binary_loop's functions: the result is clamped to a range of values of its type.
typedef struct LiteBinaryRange {
    LiteScalar low;
    LiteScalar high;
} LiteBinaryRange;

// The function for elements of `type` without quantization; NULL when there is none.
LiteRowFunction lite_binary_loop(LiteBinary op, TfLiteType type);

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

// The function for quantized inputs of type `in` and this output; kLiteBinaryADD_POT and SUB_POT are those of
// 16 bits with scales that are powers of 2. NULL when there is none.
LiteRowFunction lite_binary_quantized_loop(LiteBinary op, TfLiteType in, TfLiteType out);

// The one of PRELU with 16-bit inputs and outputs, and slopes of int8.
LiteRowFunction lite_binary_narrow_slopes_loop(void);

// Products of 8-bit inputs less their zero points, as int32, before they are scaled.
LiteRowFunction lite_binary_product_loop(TfLiteType type);

// The same with, for ADD and SUB of 8 bits, the inputs' values on the common scale, by their bytes.
typedef struct LiteBinaryTables {
    LiteBinaryQuantized scalars;
    int32_t scaled[2][256];
    LiteByteSum sum; // the result in fixed point; bits is 0 where that has no room
} LiteBinaryTables;

// Fills in `tables` for op and chooses its function. `pot_scale` is the parameter pot_scale_int16. An
// error when quantizations are not supported.
TfLiteStatus lite_binary_quantized(TfLiteOpaqueContext* context, const char* name, LiteBinary op,
                                   const LiteView inputs[2], const LiteView* output,
                                   TfLiteFusedActivation activation, bool pot_scale, LiteBinaryTables* tables,
                                   LiteRowFunction* function);

#endif
