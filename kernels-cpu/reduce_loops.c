// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/reduce.h"

#include <float.h>

#include "kernels-cpu/types.h"

enum { kLanes = 16 }; // partial results of a run, so that it is computed in vectors

static int64_t wrapping_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t wrapping_multiply(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

#define ADD(A, B) ((A) + (B))
#define MULTIPLY(A, B) ((A) * (B))
#define GREATER(A, B) ((B) > (A) ? (B) : (A))
#define LESS(A, B) ((B) < (A) ? (B) : (A))

// The loops of one reduction and type. FIELD is the accumulators' member, VALUE its type, START the neutral
// element.
#define DEFINE_LOOPS(NAME, SUFFIX, FIELD, VALUE, START, COMBINE)                                             \
    static void NAME##_start_##SUFFIX(LiteAccumulators* a, int64_t count) {                                  \
        for (int64_t i = 0; i < count; i++) a->FIELD[i] = (START);                                           \
    }                                                                                                        \
    static void NAME##_columns_##SUFFIX(LiteAccumulators* a, const void* row, int64_t count,                 \
                                        const LiteReduceScale* scale) {                                      \
        (void)scale;                                                                                         \
        const stored_##SUFFIX* x = row;                                                                      \
        for (int64_t i = 0; i < count; i++) {                                                                \
            const VALUE value = load_##SUFFIX(x[i]);                                                         \
            a->FIELD[i] = COMBINE(a->FIELD[i], value);                                                       \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_run_##SUFFIX(LiteAccumulators* a, const void* row, int64_t count,                     \
                                    const LiteReduceScale* scale) {                                          \
        (void)scale;                                                                                         \
        const stored_##SUFFIX* x = row;                                                                      \
        VALUE lanes[kLanes];                                                                                 \
        for (int i = 0; i < kLanes; i++) lanes[i] = (START);                                                 \
        int64_t at = 0;                                                                                      \
        for (; at + kLanes <= count; at += kLanes) {                                                         \
            for (int i = 0; i < kLanes; i++) {                                                               \
                const VALUE value = load_##SUFFIX(x[at + i]);                                                \
                lanes[i] = COMBINE(lanes[i], value);                                                         \
            }                                                                                                \
        }                                                                                                    \
        VALUE total = a->FIELD[0];                                                                           \
        for (int i = 0; i < kLanes && at > 0; i++) total = COMBINE(total, lanes[i]);                         \
        for (; at < count; at++) {                                                                           \
            const VALUE value = load_##SUFFIX(x[at]);                                                        \
            total = COMBINE(total, value);                                                                   \
        }                                                                                                    \
        a->FIELD[0] = total;                                                                                 \
    }

#define DEFINE_REAL(SUFFIX)                                                                                  \
    DEFINE_LOOPS(sum, SUFFIX, f, float, 0.0f, ADD)                                                           \
    DEFINE_LOOPS(product, SUFFIX, f, float, 1.0f, MULTIPLY)                                                  \
    DEFINE_LOOPS(maximum, SUFFIX, f, float, -FLT_MAX, GREATER)                                               \
    DEFINE_LOOPS(minimum, SUFFIX, f, float, FLT_MAX, LESS)
#define DEFINE_INTEGER(SUFFIX, LOW, HIGH)                                                                    \
    DEFINE_LOOPS(sum, SUFFIX, i, int64_t, 0, wrapping_add)                                                   \
    DEFINE_LOOPS(product, SUFFIX, i, int64_t, 1, wrapping_multiply)                                          \
    DEFINE_LOOPS(maximum, SUFFIX, i, int64_t, LOW, GREATER)                                                  \
    DEFINE_LOOPS(minimum, SUFFIX, i, int64_t, HIGH, LESS)

DEFINE_REAL(f32)
DEFINE_REAL(f16)
DEFINE_INTEGER(i8, INT8_MIN, INT8_MAX)
DEFINE_INTEGER(u8, 0, UINT8_MAX)
DEFINE_INTEGER(i16, INT16_MIN, INT16_MAX)
DEFINE_INTEGER(i32, INT32_MIN, INT32_MAX)
DEFINE_INTEGER(i64, INT64_MIN, INT64_MAX)
DEFINE_INTEGER(b8, 0, 1)

// A quantized product starts with its first factor: no product of theirs reaches the mark.
static const int64_t no_factor = INT64_MIN;

static void quantized_start(LiteAccumulators* a, int64_t count) {
    for (int64_t i = 0; i < count; i++) a->i[i] = no_factor;
}

static int64_t quantized_multiply(int64_t product, int64_t value, const LiteReduceScale* scale) {
    const int64_t factor = value - scale->zero_point;
    if (product == no_factor) return factor;
    return lite_multiply_i64(product * factor, scale->step);
}

#define DEFINE_QUANTIZED(SUFFIX)                                                                             \
    static void quantized_columns_##SUFFIX(LiteAccumulators* a, const void* row, int64_t count,              \
                                           const LiteReduceScale* scale) {                                   \
        const stored_##SUFFIX* x = row;                                                                      \
        for (int64_t i = 0; i < count; i++) a->i[i] = quantized_multiply(a->i[i], x[i], scale);              \
    }                                                                                                        \
    static void quantized_run_##SUFFIX(LiteAccumulators* a, const void* row, int64_t count,                  \
                                       const LiteReduceScale* scale) {                                       \
        const stored_##SUFFIX* x = row;                                                                      \
        for (int64_t i = 0; i < count; i++) a->i[0] = quantized_multiply(a->i[0], x[i], scale);              \
    }

DEFINE_QUANTIZED(i8)
DEFINE_QUANTIZED(i16)

#define LOOPS(NAME, SUFFIX)                                                                                  \
    ((LiteReduceLoops){NAME##_start_##SUFFIX, NAME##_columns_##SUFFIX, NAME##_run_##SUFFIX})
#define CASES(SUFFIX)                                                                                        \
    case type_##SUFFIX:                                                                                      \
        if (reduction == kLiteReduceSum) *loops = LOOPS(sum, SUFFIX);                                        \
        if (reduction == kLiteReduceProduct) *loops = LOOPS(product, SUFFIX);                                \
        if (reduction == kLiteReduceMaximum) *loops = LOOPS(maximum, SUFFIX);                                \
        if (reduction == kLiteReduceMinimum) *loops = LOOPS(minimum, SUFFIX);                                \
        return true;

bool lite_reduce_loops(LiteReduction reduction, TfLiteType type, LiteReduceLoops* loops) {
    if (reduction == kLiteReduceQuantizedProduct) {
        loops->start = quantized_start;
        loops->columns = type == kTfLiteInt8 ? quantized_columns_i8 : quantized_columns_i16;
        loops->run = type == kTfLiteInt8 ? quantized_run_i8 : quantized_run_i16;
        return type == kTfLiteInt8 || type == kTfLiteInt16;
    }
    switch ((int)type) {
        CASES(f32)
        CASES(f16)
        CASES(i8)
        CASES(u8)
        CASES(i16)
        CASES(i32)
        CASES(i64)
        CASES(b8)
    default:
        return false;
    }
}
