// SPDX-License-Identifier: Apache-2.0
// Tables of quantized operators hold what math.h computes, as the reference's do.
#include "kernels-cpu/types.h"
#include "kernels-cpu/unary.h"

typedef float value_exact;
#define FORMULA_SUFFIX exact
#define FORMULA_REAL float
#define FORMULA_MATH(function) function##f
#define FORMULA_FAST(function) function##f
#include "kernels-cpu/formulas_tmpl.h"

LiteFunction lite_unary_function(LiteUnary op) {
    static const LiteFunction functions[kLiteUnaryCount] = {
#define UNARY(NAME, RESULT) apply_##NAME##_exact,
#include "core/elementwise.def"
    };
    return functions[op];
}
