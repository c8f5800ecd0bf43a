// SPDX-License-Identifier: Apache-2.0
// The formulas of core/elementwise.def as inline functions: apply_ADD_f32(a, b), apply_EXP_f32(x, alpha), …
#ifndef KERNELS_CPU_LOOPS_FORMULAS_H_
#define KERNELS_CPU_LOOPS_FORMULAS_H_

#include "core/base/types.h"
#include "core/semantics/formula_functions.h"
#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/support/types.h"

// Formulas of integers are written for signed ones; of others, the compiler sees at once what is never true.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif

#define FORMULA_SUFFIX f32
#define FORMULA_REAL float
#define FORMULA_MATH(function) function##f
#define FORMULA_FAST(function) lite_##function##f
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX f16
#define FORMULA_REAL float
#define FORMULA_STORED(x) lite_f16_to_f32(lite_f32_to_f16(x))
#define FORMULA_MATH(function) function##f
#define FORMULA_FAST(function) lite_##function##f
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX bf16
#define FORMULA_REAL float
#define FORMULA_MATH(function) function##f
#define FORMULA_FAST(function) lite_##function##f
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX f64
#define FORMULA_REAL double
#define FORMULA_MATH(function) function
#define FORMULA_FAST(function) function
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX i8
#define FORMULA_UNSIGNED uint32_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX u8
#define FORMULA_UNSIGNED uint32_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX i16
#define FORMULA_UNSIGNED uint32_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX u16
#define FORMULA_UNSIGNED uint32_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX i32
#define FORMULA_UNSIGNED uint32_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX u32
#define FORMULA_UNSIGNED uint32_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX i64
#define FORMULA_UNSIGNED uint64_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX u64
#define FORMULA_UNSIGNED uint64_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#define FORMULA_SUFFIX b8
#define FORMULA_UNSIGNED uint32_t
#include "kernels-cpu/loops/formulas_tmpl.h"

#pragma GCC diagnostic pop

#endif
