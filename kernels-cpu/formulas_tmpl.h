// SPDX-License-Identifier: Apache-2.0
// Included once per type by formulas.h, which defines FORMULA_SUFFIX and either FORMULA_REAL (the type that
// is computed with) with FORMULA_MATH (the functions of math.h for it), FORMULA_FAST (those that
// vector_math.h has) and, where values are stored in another type, FORMULA_STORED (rounds a value to it), or
// FORMULA_UNSIGNED (and, for signed types, FORMULA_SIGNED), or nothing for bool, which is only compared.

#define FORMULA_PASTE(prefix, name, suffix) prefix##name##_##suffix
#define FORMULA_NAME(prefix, name, suffix) FORMULA_PASTE(prefix, name, suffix)
#define FORMULA_TYPE FORMULA_NAME(value, , FORMULA_SUFFIX)

#ifdef FORMULA_REAL
#ifndef FORMULA_STORED
#define FORMULA_STORED(x) (x)
#endif
#define F_FABS(x) FORMULA_MATH(fabs)(x)
#define F_CEIL(x) FORMULA_MATH(ceil)(x)
#define F_COS(x) FORMULA_MATH(cos)(x)
#define F_ERFC(x) FORMULA_MATH(erfc)(x)
#define F_EXP(x) FORMULA_FAST(exp)(x)
#define F_EXPM1(x) FORMULA_FAST(expm1)(x)
#define F_FLOOR(x) FORMULA_MATH(floor)(x)
#define F_FMOD(x, y) FORMULA_MATH(fmod)(x, y)
#define F_LOG(x) FORMULA_FAST(log)(x)
#define F_RINT(x) FORMULA_MATH(rint)(x)
#define F_SIN(x) FORMULA_MATH(sin)(x)
#define F_STORED(x) FORMULA_STORED(x)
#define F_SQRT(x) FORMULA_MATH(sqrt)(x)
#define F_TANH(x) FORMULA_FAST(tanh)(x)
#define F_ATAN2(y, x) FORMULA_MATH(atan2)(y, x)
#define F_POW(x, y) FORMULA_MATH(pow)(x, y)
#define UNARY(NAME, RESULT)                                                                                  \
    static inline FORMULA_REAL FORMULA_NAME(apply_, NAME, FORMULA_SUFFIX)(FORMULA_REAL x,                    \
                                                                          FORMULA_REAL alpha) {              \
        (void)alpha;                                                                                         \
        return RESULT;                                                                                       \
    }
#define BINARY(NAME, REAL, INTEGER)                                                                          \
    static inline FORMULA_REAL FORMULA_NAME(apply_, NAME, FORMULA_SUFFIX)(FORMULA_REAL a, FORMULA_REAL b) {  \
        return REAL;                                                                                         \
    }
#define DIVISION BINARY
#define REAL_BINARY(NAME, REAL) BINARY(NAME, REAL, )
#elif defined(FORMULA_UNSIGNED)
#define T FORMULA_TYPE
#define U FORMULA_UNSIGNED
#define BINARY(NAME, REAL, INTEGER)                                                                          \
    static inline T FORMULA_NAME(apply_, NAME, FORMULA_SUFFIX)(T a, T b) {                                   \
        return INTEGER;                                                                                      \
    }
#ifdef FORMULA_SIGNED
#define DIVISION BINARY
#endif
#endif
#define COMPARE(NAME, RESULT)                                                                                \
    static inline bool FORMULA_NAME(apply_, NAME, FORMULA_SUFFIX)(FORMULA_TYPE a, FORMULA_TYPE b) {          \
        return RESULT;                                                                                       \
    }
#include "core/elementwise.def"

#ifdef FORMULA_REAL
#undef F_FABS
#undef F_CEIL
#undef F_COS
#undef F_ERFC
#undef F_EXP
#undef F_EXPM1
#undef F_FLOOR
#undef F_FMOD
#undef F_LOG
#undef F_RINT
#undef F_SIN
#undef F_STORED
#undef F_SQRT
#undef F_TANH
#undef F_ATAN2
#undef F_POW
#elif defined(FORMULA_UNSIGNED)
#undef T
#undef U
#endif
#undef FORMULA_PASTE
#undef FORMULA_NAME
#undef FORMULA_TYPE
#undef FORMULA_SUFFIX
#undef FORMULA_REAL
#undef FORMULA_MATH
#undef FORMULA_FAST
#undef FORMULA_STORED
#undef FORMULA_UNSIGNED
#undef FORMULA_SIGNED
