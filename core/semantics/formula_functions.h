// SPDX-License-Identifier: Apache-2.0
// The functions of core/elementwise.def's formulas, in C. Whoever computes a formula defines, for the type
// that it computes with, FORMULA_MATH(function) as that of math.h, and FORMULA_FAST(function) for those that
// kernels-cpu/loops/vector_math.h may replace.
#ifndef CORE_SEMANTICS_FORMULA_FUNCTIONS_H_
#define CORE_SEMANTICS_FORMULA_FUNCTIONS_H_

#include <math.h>

#include "core/semantics/quant.h"

#define F_ATAN2(y, x) FORMULA_MATH(atan2)(y, x)
#define F_CEIL(x) FORMULA_MATH(ceil)(x)
#define F_COS(x) FORMULA_MATH(cos)(x)
#define F_ERFC(x) FORMULA_MATH(erfc)(x)
#define F_EXP(x) FORMULA_FAST(exp)(x)
#define F_LOGISTIC(x) (1.0f / (1.0f + F_EXP(-(x))))
#define F_EXPM1(x) FORMULA_FAST(expm1)(x)
#define F_FABS(x) FORMULA_MATH(fabs)(x)
#define F_FLOOR(x) FORMULA_MATH(floor)(x)
// The quotient of floats in double precision, as the reference divides: of 1 and 0.1f it is 9.99….
#define F_FLOOR_DIV(x, y) floor((double)(x) / (double)(y))
#define F_FMOD(x, y) FORMULA_MATH(fmod)(x, y)
#define F_LIMIT(x, low, high) lite_clamp_f32(x, low, high)
#define F_LOG(x) FORMULA_FAST(log)(x)
#define F_POW(x, y) FORMULA_MATH(pow)(x, y)
#define F_RINT(x) FORMULA_MATH(rint)(x)
#define F_SIN(x) FORMULA_MATH(sin)(x)
#define F_SQRT(x) FORMULA_MATH(sqrt)(x)
#define F_TANH(x) FORMULA_FAST(tanh)(x)

#endif
