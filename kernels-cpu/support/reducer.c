// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/reducer.h"

#include "core/base/host.h"
#include "kernels-cpu/support/types.h"

// RESULT is in terms of `a` and `b`.
#define DEFINE_FOLD(name, SUFFIX, RESULT)                                                                    \
    static void name##_##SUFFIX(void* to, int64_t a_step, const void* from, int64_t b_step, int64_t count) { \
        stored_##SUFFIX* restrict x = to;                                                                    \
        const stored_##SUFFIX* restrict y = from;                                                            \
        if (a_step == 0) {                                                                                   \
            stored_##SUFFIX all = *x;                                                                        \
            for (int64_t i = 0; i < count; i++) {                                                            \
                const value_##SUFFIX a = load_##SUFFIX(all), b = load_##SUFFIX(y[i * b_step]);               \
                all = store_##SUFFIX((value_##SUFFIX)(RESULT));                                              \
            }                                                                                                \
            *x = all;                                                                                        \
        } else if (a_step == 1 && b_step == 1) {                                                             \
            for (int64_t i = 0; i < count; i++) {                                                            \
                const value_##SUFFIX a = load_##SUFFIX(x[i]), b = load_##SUFFIX(y[i]);                       \
                x[i] = store_##SUFFIX((value_##SUFFIX)(RESULT));                                             \
            }                                                                                                \
        } else {                                                                                             \
            for (int64_t i = 0; i < count; i++) {                                                            \
                const value_##SUFFIX a = load_##SUFFIX(x[i * a_step]), b = load_##SUFFIX(y[i * b_step]);     \
                x[i * a_step] = store_##SUFFIX((value_##SUFFIX)(RESULT));                                    \
            }                                                                                                \
        }                                                                                                    \
    }

#define DEFINE_FOR_ALL(SUFFIX)                                                                               \
    DEFINE_FOLD(greater, SUFFIX, a < b ? b : a)                                                              \
    DEFINE_FOLD(less, SUFFIX, b < a ? b : a)                                                                 \
    DEFINE_FOLD(logical_and, SUFFIX, a != 0 && b != 0)                                                       \
    DEFINE_FOLD(logical_or, SUFFIX, a != 0 || b != 0)

#define DEFINE_REAL(SUFFIX, ...)                                                                             \
    DEFINE_FOR_ALL(SUFFIX)                                                                                   \
    DEFINE_FOLD(add, SUFFIX, a + b)                                                                          \
    DEFINE_FOLD(multiply, SUFFIX, a* b)                                                                      \
    DEFINE_FOLD(maximum, SUFFIX, a >= b ? a : b)                                                             \
    DEFINE_FOLD(minimum, SUFFIX, a <= b ? a : b)

// Integers wrap around.
static inline uint64_t sum(uint64_t a, uint64_t b) {
    return a + b;
}

static inline uint64_t product(uint64_t a, uint64_t b) {
    return a * b;
}

#define DEFINE_INTEGER(SUFFIX, ...)                                                                          \
    DEFINE_FOR_ALL(SUFFIX)                                                                                   \
    DEFINE_FOLD(add, SUFFIX, sum((uint64_t)a, (uint64_t)b))                                                  \
    DEFINE_FOLD(multiply, SUFFIX, product((uint64_t)a, (uint64_t)b))

#define LITE_FOLD_REAL_TYPES(X) X(f32) X(f64) X(f16)
LITE_FOLD_REAL_TYPES(DEFINE_REAL)
LITE_INTEGER_TYPES(DEFINE_INTEGER)

// Of any type of this size; `a` is not looked at.
DEFINE_FOLD(replace, u8, ((void)a, b))
DEFINE_FOLD(replace, u16, ((void)a, b))
DEFINE_FOLD(replace, u32, ((void)a, b))
DEFINE_FOLD(replace, u64, ((void)a, b))

static LiteReducer find_replace(size_t size) {
    switch (size) {
    case 1:
        return replace_u8;
    case 2:
        return replace_u16;
    case 4:
        return replace_u32;
    case 8:
        return replace_u64;
    default:
        return NULL;
    }
}

#define FOLDS_FOR_ALL(SUFFIX)                                                                                \
    [kLiteReducerAdd] = add_##SUFFIX, [kLiteReducerMultiply] = multiply_##SUFFIX,                            \
    [kLiteReducerGreater] = greater_##SUFFIX, [kLiteReducerLess] = less_##SUFFIX,                            \
    [kLiteReducerAnd] = logical_and_##SUFFIX, [kLiteReducerOr] = logical_or_##SUFFIX

#define CASE_REAL(SUFFIX, ...)                                                                               \
    case type_##SUFFIX: {                                                                                    \
        static const LiteReducer folds[] = {FOLDS_FOR_ALL(SUFFIX), [kLiteReducerMaximum] = maximum_##SUFFIX, \
                                            [kLiteReducerMinimum] = minimum_##SUFFIX};                       \
        return folds[function];                                                                              \
    }
#define CASE_INTEGER(SUFFIX, ...)                                                                            \
    case type_##SUFFIX: {                                                                                    \
        static const LiteReducer folds[] = {FOLDS_FOR_ALL(SUFFIX), [kLiteReducerMaximum] = greater_##SUFFIX, \
                                            [kLiteReducerMinimum] = less_##SUFFIX};                          \
        return folds[function];                                                                              \
    }

LiteReducer lite_reducer_find(LiteReducerFunction function, TfLiteType type) {
    if (function == kLiteReducerReplace) return find_replace(lite_type_size(type));
    switch ((int)type) {
        LITE_FOLD_REAL_TYPES(CASE_REAL)
        LITE_INTEGER_TYPES(CASE_INTEGER)
    default:
        return NULL;
    }
}

TfLiteStatus lite_reducer_operator(TfLiteOpaqueContext* context, const char* op, int subgraph, int* code) {
    LiteHost* host = lite_host(context);
    int count;
    if (!host->operators(host, subgraph, &count, code)) {
        return lite_fail(context, "%s: there is no subgraph %d", op, subgraph);
    }
    if (count > 1) {
        return lite_fail(context, "%s: subgraph %d has %d operators, at most 1 is supported", op, subgraph,
                         count);
    }
    if (count == 0) *code = -1;
    return kTfLiteOk;
}
