// SPDX-License-Identifier: Apache-2.0
// Included once per type by formulas.h, which defines FORMULA_SUFFIX and either FORMULA_REAL (the type that
// is computed with), FORMULA_MATH and FORMULA_FAST (core/semantics/formula_functions.h) and, where values are
// stored in another type, FORMULA_STORED (rounds a value to it), or FORMULA_UNSIGNED, for integers and bool.

#define FORMULA_PASTE(prefix, name, suffix) prefix##name##_##suffix
#define FORMULA_NAME(prefix, name, suffix) FORMULA_PASTE(prefix, name, suffix)
#define T FORMULA_NAME(value, , FORMULA_SUFFIX)

#ifdef FORMULA_REAL
#ifndef FORMULA_STORED
#define FORMULA_STORED(x) (x)
#endif
#define F_STORED(x) FORMULA_STORED(x)
#define FORMULA(REAL, INTEGER) (REAL)
#else
#define U FORMULA_UNSIGNED
#define FORMULA(REAL, INTEGER) (T)(INTEGER)
#endif

#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER)                                                   \
    static inline T FORMULA_NAME(apply_, NAME, FORMULA_SUFFIX)(T x, float alpha) {                           \
        (void)x, (void)alpha;                                                                                \
        return FORMULA(REAL, INTEGER);                                                                       \
    }
#define UNARY_FORM(NAME, OPERATOR, PLAIN, REAL) UNARY(NAME, PLAIN, 0, 0, REAL, 0)
#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER)                                          \
    static inline T FORMULA_NAME(apply_, NAME, FORMULA_SUFFIX)(T a, T b) {                                   \
        (void)a, (void)b;                                                                                    \
        return FORMULA(REAL, INTEGER);                                                                       \
    }
#ifndef FORMULA_REAL
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) BINARY(NAME, PLAIN, 0, 0, 0, 0, INTEGER)
#endif
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT)                                                              \
    static inline bool FORMULA_NAME(apply_, NAME, FORMULA_SUFFIX)(T a, T b) {                                \
        return RESULT;                                                                                       \
    }
#include "core/elementwise.def"

#undef FORMULA
#undef T
#undef U
#undef F_STORED
#undef FORMULA_PASTE
#undef FORMULA_NAME
#undef FORMULA_SUFFIX
#undef FORMULA_REAL
#undef FORMULA_MATH
#undef FORMULA_FAST
#undef FORMULA_STORED
#undef FORMULA_UNSIGNED
