// SPDX-License-Identifier: Apache-2.0
#define LOOP_TABLE lite_unary_loop_portable
#include "kernels-cpu/unary_loops_tmpl.h"

LiteRowFunction lite_unary_loop(LiteUnary op, TfLiteType type) {
#ifdef LITE_MICRO_X86
    if (__builtin_cpu_supports("avx2")) return lite_unary_loop_avx2(op, type);
#endif
    return lite_unary_loop_portable(op, type);
}

// Tables of quantized operators hold what math.h computes, as the reference's do.
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
