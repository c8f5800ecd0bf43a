// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/elementwise.h"

#include "core/semantics/formula_functions.h"

#define FORMULA_MATH(function) function##f
#define FORMULA_FAST(function) function##f
#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER)                                                   \
    static float apply_##NAME(float x, float alpha) {                                                        \
        (void)x, (void)alpha;                                                                                \
        return REAL;                                                                                         \
    }
#define UNARY_FORM(NAME, OPERATOR, PLAIN, REAL) UNARY(NAME, PLAIN, 0, 0, REAL, 0)
#include "core/elementwise.def"

LiteFunction lite_unary_function(LiteUnary op) {
    static const LiteFunction functions[kLiteUnaryCount] = {
#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER) [kLiteUnary##NAME] = apply_##NAME,
#define UNARY_FORM(NAME, OPERATOR, PLAIN, REAL) [kLiteUnary##NAME] = apply_##NAME,
#include "core/elementwise.def"
    };
    return functions[op];
}
