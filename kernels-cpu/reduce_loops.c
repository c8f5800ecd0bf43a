// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/reduce.h"

#include <float.h>

#include "kernels-cpu/loops.h"
#include "kernels-cpu/types.h"

enum {
    kLanes = 32, // partial results of a run, so that it is computed in vectors; compilers unroll a loop of 16
    kWide = 64,  // columns at a time, whose results stay in registers
    kBlock = 1 << 15, // elements of 16 bits that a lane of 32 bits has room for
};

#define INLINE static inline __attribute__((always_inline))

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

// The loops of one reduction and type. FIELD is the accumulators' member, VALUE its type, LANE the type of
// partial results of up to kBlock elements, START the neutral element.
#define DEFINE_LOOPS(NAME, SUFFIX, FIELD, VALUE, LANE, START, COMBINE)                                       \
    static void NAME##_start_##SUFFIX(LiteAccumulators* a, int64_t count) {                                  \
        for (int64_t i = 0; i < count; i++) a->FIELD[i] = (START);                                           \
    }                                                                                                        \
    INLINE void NAME##_block_##SUFFIX(VALUE* to, const stored_##SUFFIX* x, const LiteReduceRows* r,          \
                                      int count) {                                                           \
        for (int64_t first = 0; first < r->rows; first += kBlock) {                                          \
            const int64_t last = first + kBlock < r->rows ? first + kBlock : r->rows;                        \
            LANE lanes[kWide];                                                                               \
            for (int i = 0; i < count; i++) lanes[i] = (START);                                              \
            for (int64_t row = first; row < last; row++, x += r->stride) {                                   \
                for (int i = 0; i < count; i++) {                                                            \
                    const LANE value = load_##SUFFIX(x[i]);                                                  \
                    lanes[i] = COMBINE(lanes[i], value);                                                     \
                }                                                                                            \
            }                                                                                                \
            for (int i = 0; i < count; i++) {                                                                \
                const VALUE value = lanes[i];                                                                \
                to[i] = COMBINE(to[i], value);                                                               \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_columns_##SUFFIX(LiteAccumulators* a, const LiteReduceRows* r) {                      \
        const stored_##SUFFIX* x = r->data;                                                                  \
        int64_t at = 0;                                                                                      \
        for (; at + kWide <= r->count; at += kWide) NAME##_block_##SUFFIX(a->FIELD + at, x + at, r, kWide);  \
        if (at < r->count) NAME##_block_##SUFFIX(a->FIELD + at, x + at, r, (int)(r->count - at));            \
    }                                                                                                        \
    static VALUE NAME##_row_##SUFFIX(VALUE total, const stored_##SUFFIX* x, int64_t count) {                 \
        int64_t at = 0;                                                                                      \
        while (at + kLanes <= count) {                                                                       \
            const int64_t end = count - at < kBlock ? count : at + kBlock;                                   \
            LANE lanes[kLanes];                                                                              \
            for (int i = 0; i < kLanes; i++) lanes[i] = (START);                                             \
            for (; at + kLanes <= end; at += kLanes) {                                                       \
                for (int i = 0; i < kLanes; i++) {                                                           \
                    const LANE value = load_##SUFFIX(x[at + i]);                                             \
                    lanes[i] = COMBINE(lanes[i], value);                                                     \
                }                                                                                            \
            }                                                                                                \
            for (int half = kLanes / 2; half > 0; half /= 2) {                                               \
                for (int i = 0; i < half; i++) lanes[i] = COMBINE(lanes[i], lanes[i + half]);                \
            }                                                                                                \
            const VALUE value = lanes[0];                                                                    \
            total = COMBINE(total, value);                                                                   \
        }                                                                                                    \
        for (; at < count; at++) {                                                                           \
            const VALUE value = load_##SUFFIX(x[at]);                                                        \
            total = COMBINE(total, value);                                                                   \
        }                                                                                                    \
        return total;                                                                                        \
    }                                                                                                        \
    static void NAME##_run_##SUFFIX(LiteAccumulators* a, int64_t at, const LiteReduceRows* r) {              \
        for (int64_t i = 0; i < r->outputs; i++) {                                                           \
            const stored_##SUFFIX* x = (const stored_##SUFFIX*)r->data + i * r->next;                        \
            VALUE total = a->FIELD[at + i];                                                                  \
            for (int64_t row = 0; row < r->rows; row++, x += r->stride) {                                    \
                total = NAME##_row_##SUFFIX(total, x, r->count);                                             \
            }                                                                                                \
            a->FIELD[at + i] = total;                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_combine_##SUFFIX(LiteAccumulators* a, const LiteAccumulators* b, int64_t count) {     \
        for (int64_t i = 0; i < count; i++) a->FIELD[i] = COMBINE(a->FIELD[i], b->FIELD[i]);                 \
    }

#define DEFINE_REAL(SUFFIX)                                                                                  \
    DEFINE_LOOPS(sum, SUFFIX, f, float, float, 0.0f, ADD)                                                    \
    DEFINE_LOOPS(product, SUFFIX, f, float, float, 1.0f, MULTIPLY)                                           \
    DEFINE_LOOPS(maximum, SUFFIX, f, float, float, -FLT_MAX, GREATER)                                        \
    DEFINE_LOOPS(minimum, SUFFIX, f, float, float, FLT_MAX, LESS)
#define DEFINE_INTEGER(SUFFIX, SUM, SUM_COMBINE, LOW, HIGH)                                                  \
    DEFINE_LOOPS(sum, SUFFIX, i, int64_t, SUM, 0, SUM_COMBINE)                                               \
    DEFINE_LOOPS(product, SUFFIX, i, int64_t, int64_t, 1, wrapping_multiply)                                 \
    DEFINE_LOOPS(maximum, SUFFIX, i, int64_t, stored_##SUFFIX, LOW, GREATER)                                 \
    DEFINE_LOOPS(minimum, SUFFIX, i, int64_t, stored_##SUFFIX, HIGH, LESS)

DEFINE_REAL(f32)
DEFINE_REAL(f16)
DEFINE_INTEGER(i8, int32_t, ADD, INT8_MIN, INT8_MAX)
DEFINE_INTEGER(u8, int32_t, ADD, 0, UINT8_MAX)
DEFINE_INTEGER(i16, int32_t, ADD, INT16_MIN, INT16_MAX)
DEFINE_INTEGER(i32, int64_t, wrapping_add, INT32_MIN, INT32_MAX)
DEFINE_INTEGER(i64, int64_t, wrapping_add, INT64_MIN, INT64_MAX)
DEFINE_INTEGER(b8, int32_t, ADD, 0, 1)

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
    static void quantized_columns_##SUFFIX(LiteAccumulators* a, const LiteReduceRows* r) {                   \
        const stored_##SUFFIX* x = r->data;                                                                  \
        for (int64_t row = 0; row < r->rows; row++, x += r->stride) {                                        \
            for (int64_t i = 0; i < r->count; i++) a->i[i] = quantized_multiply(a->i[i], x[i], r->scale);    \
        }                                                                                                    \
    }                                                                                                        \
    static void quantized_run_##SUFFIX(LiteAccumulators* a, int64_t at, const LiteReduceRows* r) {           \
        for (int64_t k = 0; k < r->outputs; k++) {                                                           \
            const stored_##SUFFIX* x = (const stored_##SUFFIX*)r->data + k * r->next;                        \
            int64_t all = a->i[at + k];                                                                      \
            for (int64_t row = 0; row < r->rows; row++, x += r->stride) {                                    \
                for (int64_t i = 0; i < r->count; i++) all = quantized_multiply(all, x[i], r->scale);        \
            }                                                                                                \
            a->i[at + k] = all;                                                                              \
        }                                                                                                    \
    }

DEFINE_QUANTIZED(i8)
DEFINE_QUANTIZED(i16)

#define LOOPS(NAME, SUFFIX)                                                                                  \
    ((LiteReduceLoops){NAME##_start_##SUFFIX, NAME##_columns_##SUFFIX, NAME##_run_##SUFFIX,                  \
                       NAME##_combine_##SUFFIX})
#define CASES(SUFFIX)                                                                                        \
    case type_##SUFFIX:                                                                                      \
        if (reduction == kLiteReduceSum) *loops = LOOPS(sum, SUFFIX);                                        \
        if (reduction == kLiteReduceProduct) *loops = LOOPS(product, SUFFIX);                                \
        if (reduction == kLiteReduceMaximum) *loops = LOOPS(maximum, SUFFIX);                                \
        if (reduction == kLiteReduceMinimum) *loops = LOOPS(minimum, SUFFIX);                                \
        return true;

LITE_EXPORT_LOOPS(bool, lite_reduce_loops, (LiteReduction reduction, TfLiteType type, LiteReduceLoops* loops),
                  (reduction, type, loops)) {
    if (reduction == kLiteReduceQuantizedProduct) {
        loops->start = quantized_start;
        loops->columns = type == kTfLiteInt8 ? quantized_columns_i8 : quantized_columns_i16;
        loops->run = type == kTfLiteInt8 ? quantized_run_i8 : quantized_run_i16;
        loops->combine = NULL;
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
