// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/reduce_loops.h"

#include <float.h>
#include <stdlib.h>

#include "core/semantics/fixedpoint.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/types.h"

enum {
    kLanes = 32, // partial results of a run, so that it is computed in vectors
    kFew = 8,    // what is left of them for each output, until several outputs are finished at once
    kBatch = 64, // those outputs
    kWide = 64,  // columns at a time, whose results stay in registers
    kGroup = 4,  // rows that are read together where there are few, or many columns
    // Elements of 8 bits that a lane of 16 bits has room for, and of 16 bits that one of 32 has.
    kBlock8 = 128,
    kBlock16 = 1 << 15,
    kBytes = 1 << 16, // whose sum has room
#ifdef __OPTIMIZE_SIZE__
    kIsSmall = 1,
#else
    kIsSmall = 0,
#endif
};

// Where the next row is comes as news. GCC 12 makes one vector of parts of two rows, and loses every other
// row.
#define ROW_BY_ROW(x) __asm__("" : "+r"(x))
// A short loop that is to become vectors before anything unrolls it.
#define LOOP _Pragma("GCC unroll 1")
#define INLINE static inline __attribute__((always_inline))

static int32_t wrapping_add_32(int32_t a, int32_t b) {
    return lite_wrapping_add(a, b);
}
static int64_t wrapping_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int32_t wrapping_multiply_32(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a * (uint32_t)b);
}
static int64_t wrapping_multiply(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

// Sums of these are the same in any order.
#define IS_INTEGER(TYPE) ((TYPE)0.5f == 0)
#define ADD(A, B) ((A) + (B))
#define MULTIPLY(A, B) ((A) * (B))
#define GREATER(A, B) ((B) > (A) ? (B) : (A))
#define LESS(A, B) ((B) < (A) ? (B) : (A))

// The loops of one reduction and type. FIELD is the accumulators' member, VALUE its type and JOIN what
// combines two of it; LANE is the type of partial results of up to BLOCK elements, COMBINE the same for it;
// START is the neutral element, FIRST what accumulators begin with.
#define DEFINE_JOIN(NAME, SUFFIX, VALUE, JOIN, LANE, COMBINE)                                                \
    INLINE LANE NAME##_lane_##SUFFIX(LANE lane, LANE value) {                                                \
        return (LANE)COMBINE(lane, value);                                                                   \
    }                                                                                                        \
    INLINE VALUE NAME##_join_##SUFFIX(VALUE all, VALUE value) {                                              \
        return (VALUE)JOIN(all, value);                                                                      \
    }
#define DEFINE_START(NAME, SUFFIX, FIELD, FIRST)                                                             \
    static void NAME##_start_##SUFFIX(LiteAccumulators* a, int64_t count) {                                  \
        for (int64_t i = 0; i < count; i++) a->FIELD[i] = (FIRST);                                           \
    }
#define DEFINE_COLUMNS(NAME, SUFFIX, FIELD, VALUE, JOIN, LANE, BLOCK, START, COMBINE)                        \
    DEFINE_JOIN(NAME, SUFFIX, VALUE, JOIN, LANE, COMBINE)                                                    \
    /* Many rows of up to kWide columns. */                                                                  \
    INLINE void NAME##_block_##SUFFIX(VALUE* to, const stored_##SUFFIX* x, const LiteReduceRows* r,          \
                                      int count) {                                                           \
        for (int64_t first = 0; first < r->rows; first += (BLOCK)) {                                         \
            const int64_t last = first + (BLOCK) < r->rows ? first + (BLOCK) : r->rows;                      \
            LANE lanes[kWide];                                                                               \
            for (int i = 0; i < count; i++) lanes[i] = (START);                                              \
            for (int64_t row = first; row < last; row++, x += r->stride) {                                   \
                if (count == kFew) ROW_BY_ROW(x);                                                            \
                for (int i = 0; i < count; i++) {                                                            \
                    lanes[i] = NAME##_lane_##SUFFIX(lanes[i], load_##SUFFIX(x[i]));                          \
                }                                                                                            \
            }                                                                                                \
            for (int i = 0; i < count; i++) to[i] = NAME##_join_##SUFFIX(to[i], lanes[i]);                   \
        }                                                                                                    \
    }                                                                                                        \
    /* Up to `width` columns, as that many: only the last rows have not as many elements behind them. */     \
    INLINE void NAME##_rest_##SUFFIX(VALUE* to, const stored_##SUFFIX* x, const LiteReduceRows* r,           \
                                     int count, const int width) {                                           \
        const int64_t last = (width - count + r->stride - 1) / r->stride;                                    \
        LiteReduceRows most = *r;                                                                            \
        most.rows = r->rows > last ? r->rows - last : 0;                                                     \
        VALUE all[kWide] = {0};                                                                              \
        for (int i = 0; i < count; i++) all[i] = to[i];                                                      \
        NAME##_block_##SUFFIX(all, x, &most, width);                                                         \
        x += most.rows * r->stride;                                                                          \
        for (int64_t row = most.rows; row < r->rows; row++, x += r->stride) {                                \
            for (int i = 0; i < count; i++) all[i] = NAME##_join_##SUFFIX(all[i], load_##SUFFIX(x[i]));      \
        }                                                                                                    \
        for (int i = 0; i < count; i++) to[i] = all[i];                                                      \
    }                                                                                                        \
    /* kGroup rows of any number of columns. */                                                              \
    INLINE void NAME##_group_##SUFFIX(VALUE* restrict to, const stored_##SUFFIX* x,                          \
                                      const LiteReduceRows* r) {                                             \
        const stored_##SUFFIX *x1 = x + r->stride, *x2 = x1 + r->stride, *x3 = x2 + r->stride;               \
        for (int64_t i = 0; i < r->count; i++) {                                                             \
            VALUE all = NAME##_join_##SUFFIX(to[i], load_##SUFFIX(x[i]));                                    \
            all = NAME##_join_##SUFFIX(all, load_##SUFFIX(x1[i]));                                           \
            all = NAME##_join_##SUFFIX(all, load_##SUFFIX(x2[i]));                                           \
            to[i] = NAME##_join_##SUFFIX(all, load_##SUFFIX(x3[i]));                                         \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_columns_##SUFFIX(LiteAccumulators* a, const LiteReduceRows* r) {                      \
        const stored_##SUFFIX* x = r->data;                                                                  \
        if (r->rows > 2 * kGroup && r->count < 4 * kWide) {                                                  \
            int64_t at = 0;                                                                                  \
            for (; at + kWide <= r->count; at += kWide)                                                      \
                NAME##_block_##SUFFIX(a->FIELD + at, x + at, r, kWide);                                      \
            if (IS_INTEGER(VALUE) && !kIsSmall && r->count - at > 2 * kFew) {                                \
                NAME##_rest_##SUFFIX(a->FIELD + at, x + at, r, (int)(r->count - at), kWide);                 \
                return;                                                                                      \
            }                                                                                                \
            for (; at + kFew <= r->count; at += kFew) NAME##_block_##SUFFIX(a->FIELD + at, x + at, r, kFew); \
            if (at < r->count && IS_INTEGER(VALUE)) {                                                        \
                NAME##_rest_##SUFFIX(a->FIELD + at, x + at, r, (int)(r->count - at), kFew);                  \
            } else if (at < r->count) {                                                                      \
                NAME##_block_##SUFFIX(a->FIELD + at, x + at, r, (int)(r->count - at));                       \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        int64_t row = 0;                                                                                     \
        for (; row + kGroup <= r->rows; row += kGroup, x += kGroup * r->stride) {                            \
            NAME##_group_##SUFFIX(a->FIELD, x, r);                                                           \
        }                                                                                                    \
        for (; row < r->rows; row++, x += r->stride) {                                                       \
            VALUE* restrict to = a->FIELD;                                                                   \
            for (int64_t i = 0; i < r->count; i++) {                                                         \
                to[i] = NAME##_join_##SUFFIX(to[i], load_##SUFFIX(x[i]));                                    \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_combine_##SUFFIX(LiteAccumulators* a, const LiteAccumulators* b, int64_t count) {     \
        for (int64_t i = 0; i < count; i++) a->FIELD[i] = NAME##_join_##SUFFIX(a->FIELD[i], b->FIELD[i]);    \
    }

// Runs that become one.
#define DEFINE_RUN(NAME, SUFFIX, FIELD, VALUE, JOIN, LANE, BLOCK, START, COMBINE)                            \
    /* A row to kFew partial results. */                                                                     \
    INLINE void NAME##_row_##SUFFIX(VALUE* restrict few, const stored_##SUFFIX* x, int64_t count) {          \
        const int64_t block = kLanes * ((BLOCK) / (kLanes / kFew));                                          \
        int64_t at = 0;                                                                                      \
        while (at + kLanes <= count) {                                                                       \
            const int64_t end = count - at < block ? count : at + block;                                     \
            LANE lanes[kLanes];                                                                              \
            for (int i = 0; i < kLanes; i++) lanes[i] = (START);                                             \
            for (; at + kLanes <= end; at += kLanes) {                                                       \
                for (int i = 0; i < kLanes; i++) {                                                           \
                    lanes[i] = NAME##_lane_##SUFFIX(lanes[i], load_##SUFFIX(x[at + i]));                     \
                }                                                                                            \
            }                                                                                                \
            LOOP for (int i = 0; i < kLanes / 2; i++) {                                                      \
                lanes[i] = NAME##_lane_##SUFFIX(lanes[i], lanes[i + kLanes / 2]);                            \
            }                                                                                                \
            LOOP for (int i = 0; i < kFew; i++) {                                                            \
                few[i] = NAME##_join_##SUFFIX(few[i], NAME##_lane_##SUFFIX(lanes[i], lanes[i + kFew]));      \
            }                                                                                                \
        }                                                                                                    \
        for (; at + kFew <= count; at += kFew) {                                                             \
            LOOP for (int i = 0; i < kFew; i++) few[i] =                                                     \
                NAME##_join_##SUFFIX(few[i], load_##SUFFIX(x[at + i]));                                      \
        }                                                                                                    \
        for (; at < count; at++) few[0] = NAME##_join_##SUFFIX(few[0], load_##SUFFIX(x[at]));                \
    }                                                                                                        \
    /* Rows of fewer elements than these, in order. */                                                       \
    static void NAME##_short_##SUFFIX(VALUE* to, const LiteReduceRows* r) {                                  \
        for (int64_t i = 0; i < r->outputs; i++) {                                                           \
            const stored_##SUFFIX* x = (const stored_##SUFFIX*)r->data + i * r->next;                        \
            VALUE all = (START);                                                                             \
            for (int64_t row = 0; row < r->rows; row++, x += r->stride) {                                    \
                for (int64_t k = 0; k < r->count; k++) all = NAME##_join_##SUFFIX(all, load_##SUFFIX(x[k])); \
            }                                                                                                \
            to[i] = NAME##_join_##SUFFIX(to[i], all);                                                        \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_run_##SUFFIX(LiteAccumulators* a, int64_t at, const LiteReduceRows* r) {              \
        if (r->count < kFew) {                                                                               \
            NAME##_short_##SUFFIX(a->FIELD + at, r);                                                         \
            return;                                                                                          \
        }                                                                                                    \
        VALUE few[kBatch * kFew] = {0};                                                                      \
        for (int64_t first = 0; first < r->outputs; first += kBatch) {                                       \
            const int64_t outputs = r->outputs - first < kBatch ? r->outputs - first : kBatch;               \
            for (int64_t i = 0; i < outputs * kFew; i++) few[i] = (START);                                   \
            for (int64_t i = 0; i < outputs; i++) {                                                          \
                const stored_##SUFFIX* x = (const stored_##SUFFIX*)r->data + (first + i) * r->next;          \
                for (int64_t row = 0; row < r->rows; row++, x += r->stride) {                                \
                    NAME##_row_##SUFFIX(few + i * kFew, x, r->count);                                        \
                }                                                                                            \
            }                                                                                                \
            VALUE* restrict to = a->FIELD + at + first;                                                      \
            for (int64_t i = 0; i < outputs; i++) {                                                          \
                const VALUE* f = few + i * kFew;                                                             \
                const VALUE one = NAME##_join_##SUFFIX(NAME##_join_##SUFFIX(f[0], f[4]),                     \
                                                       NAME##_join_##SUFFIX(f[2], f[6]));                    \
                const VALUE other = NAME##_join_##SUFFIX(NAME##_join_##SUFFIX(f[1], f[5]),                   \
                                                         NAME##_join_##SUFFIX(f[3], f[7]));                  \
                to[i] = NAME##_join_##SUFFIX(to[i], NAME##_join_##SUFFIX(one, other));                       \
            }                                                                                                \
        }                                                                                                    \
    }

#define DEFINE_LOOPS(...) DEFINE_COLUMNS(__VA_ARGS__) DEFINE_RUN(__VA_ARGS__)
#define DEFINE_SAME(NAME, SUFFIX, FIELD, VALUE, START, COMBINE)                                              \
    DEFINE_START(NAME, SUFFIX, FIELD, START)                                                                 \
    DEFINE_LOOPS(NAME, SUFFIX, FIELD, VALUE, COMBINE, VALUE, kBlock16, START, COMBINE)
// In the reference extremes begin with the lowest or highest finite number.
#define DEFINE_EXTREME(NAME, SUFFIX, FIRST, START, COMBINE)                                                  \
    DEFINE_START(NAME, SUFFIX, f32, FIRST)                                                                   \
    DEFINE_LOOPS(NAME, SUFFIX, f32, float, COMBINE, float, kBlock16, START, COMBINE)
#define DEFINE_REAL(SUFFIX)                                                                                  \
    DEFINE_SAME(sum, SUFFIX, f32, float, 0.0f, ADD)                                                          \
    DEFINE_SAME(product, SUFFIX, f32, float, 1.0f, MULTIPLY)                                                 \
    DEFINE_EXTREME(maximum, SUFFIX, -FLT_MAX, -INFINITY, GREATER)                                            \
    DEFINE_EXTREME(minimum, SUFFIX, FLT_MAX, INFINITY, LESS)
#define DEFINE_INTEGER(SUFFIX, FIELD, LOW, HIGH)                                                             \
    DEFINE_SAME(maximum, SUFFIX, FIELD, stored_##SUFFIX, LOW, GREATER)                                       \
    DEFINE_SAME(minimum, SUFFIX, FIELD, stored_##SUFFIX, HIGH, LESS)

#if defined(LITE_LOOPS) && defined(__AVX2__)
#include "kernels-cpu/loops/reduce_vectors_tmpl.h"

#define DEFINE_FLOATS(NAME, START, COMBINE)                                                                  \
    DEFINE_JOIN(NAME, f32, float, COMBINE, float, COMBINE)                                                   \
    DEFINE_VECTOR_COLUMNS(NAME, START, COMBINE)                                                              \
    DEFINE_VECTOR_RUN(NAME, START, COMBINE)
DEFINE_START(sum, f32, f32, 0.0f)
DEFINE_START(product, f32, f32, 1.0f)
DEFINE_START(maximum, f32, f32, -FLT_MAX)
DEFINE_START(minimum, f32, f32, FLT_MAX)
DEFINE_FLOATS(sum, 0.0f, ADD)
DEFINE_FLOATS(product, 1.0f, MULTIPLY)
DEFINE_FLOATS(maximum, -INFINITY, GREATER)
DEFINE_FLOATS(minimum, INFINITY, LESS)
#else
DEFINE_REAL(f32)
#endif

DEFINE_REAL(f16)
DEFINE_INTEGER(i8, i8, INT8_MIN, INT8_MAX)
DEFINE_INTEGER(u8, u8, 0, UINT8_MAX)
DEFINE_INTEGER(i16, i16, INT16_MIN, INT16_MAX)
DEFINE_INTEGER(i32, i32, INT32_MIN, INT32_MAX)
DEFINE_INTEGER(i64, i64, INT64_MIN, INT64_MAX)
DEFINE_INTEGER(b8, u8, 0, 1)
DEFINE_SAME(product, i8, i32, int32_t, 1, wrapping_multiply_32)
DEFINE_SAME(product, u8, i32, int32_t, 1, wrapping_multiply_32)
DEFINE_SAME(product, i16, i32, int32_t, 1, wrapping_multiply_32)
DEFINE_SAME(product, i32, i32, int32_t, 1, wrapping_multiply_32)
DEFINE_SAME(product, i64, i64, int64_t, 1, wrapping_multiply)
DEFINE_SAME(product, b8, i64, int64_t, 1, wrapping_multiply)
DEFINE_START(sum, i8, i32, 0)
DEFINE_COLUMNS(sum, i8, i32, int32_t, wrapping_add_32, int16_t, kBlock8, 0, ADD)
DEFINE_START(sum, u8, i32, 0)
DEFINE_COLUMNS(sum, u8, i32, int32_t, wrapping_add_32, int16_t, kBlock8, 0, ADD)
DEFINE_START(sum, i16, i32, 0)
DEFINE_LOOPS(sum, i16, i32, int32_t, wrapping_add_32, int32_t, kBlock16, 0, ADD)
// Modulo 2^32, for sums that are stored; those that are divided have 64 bits.
DEFINE_SAME(total, i32, i32, int32_t, 0, wrapping_add_32)
DEFINE_START(sum, i32, i64, 0)
DEFINE_LOOPS(sum, i32, i64, int64_t, wrapping_add, int64_t, kBlock16, 0, wrapping_add)
DEFINE_START(sum, i64, i64, 0)
DEFINE_LOOPS(sum, i64, i64, int64_t, wrapping_add, int64_t, kBlock16, 0, wrapping_add)
DEFINE_START(sum, b8, i64, 0)
DEFINE_LOOPS(sum, b8, i64, int64_t, wrapping_add, int32_t, kBlock16, 0, ADD)

// Processors add up bytes as distances from a zero, eight in an instruction; compilers see that where they do
// not know that it is one. LOW is the type's lowest value.
static const volatile uint8_t zero_byte = 0;

#if defined(LITE_LOOPS) && defined(__AVX2__)
// Of a multiple of 64 bytes, less LOW each.
INLINE int32_t byte_vectors(const uint8_t* x, int count, uint8_t low) {
    const __m256i zero = _mm256_setzero_si256(), less = _mm256_set1_epi8((char)low);
    __m256i sums[2] = {zero, zero};
    for (int i = 0; i < count; i += 64) {
#pragma GCC unroll 2
        for (int k = 0; k < 2; k++) {
            const __m256i bytes = _mm256_loadu_si256((const __m256i*)(const void*)(x + i + 32 * k));
            sums[k] = _mm256_add_epi64(sums[k], _mm256_sad_epu8(_mm256_sub_epi8(bytes, less), zero));
        }
    }
    const __m256i all = _mm256_add_epi64(sums[0], sums[1]);
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    return (int32_t)(_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1));
}
#define WHOLE_VECTORS(count) ((count) & ~63)
#else
#define byte_vectors(x, count, low) 0
#define WHOLE_VECTORS(count) 0
#endif

#define DEFINE_BYTES_RUN(SUFFIX, LOW)                                                                        \
    INLINE int32_t bytes_##SUFFIX(const uint8_t* x, int count, uint8_t zero) {                               \
        const int whole = WHOLE_VECTORS(count);                                                              \
        int32_t sum = byte_vectors(x, whole, (uint8_t)(LOW));                                                \
        for (int i = whole; i < count; i++) sum += abs((uint8_t)(x[i] - (LOW)) - zero);                      \
        return sum + count * (LOW);                                                                          \
    }                                                                                                        \
    static void sum_run_##SUFFIX(LiteAccumulators* a, int64_t at, const LiteReduceRows* r) {                 \
        const uint8_t zero = zero_byte;                                                                      \
        for (int64_t k = 0; k < r->outputs; k++) {                                                           \
            const uint8_t* x = (const uint8_t*)r->data + k * r->next;                                        \
            int32_t all = a->i32[at + k];                                                                    \
            for (int64_t row = 0; row < r->rows; row++, x += r->stride) {                                    \
                for (int64_t i = 0; i < r->count; i += kBytes) {                                             \
                    const int64_t left = r->count - i;                                                       \
                    const int count = left < kBytes ? (int)left : kBytes;                                    \
                    all = wrapping_add_32(all, bytes_##SUFFIX(x + i, count, zero));                          \
                }                                                                                            \
            }                                                                                                \
            a->i32[at + k] = all;                                                                            \
        }                                                                                                    \
    }
DEFINE_BYTES_RUN(i8, INT8_MIN)
DEFINE_BYTES_RUN(u8, 0)

// From accumulators to outputs.
#define DEFINE_STORE(NAME, SUFFIX, FIELD, VALUE, RESULT)                                                     \
    static void NAME##_##SUFFIX(const LiteAccumulators* a, int64_t count, const LiteReduceFinish* finish,    \
                                void* output) {                                                              \
        const LiteReduceFinish f = *finish;                                                                  \
        stored_##SUFFIX* restrict out = output;                                                              \
        (void)f;                                                                                             \
        for (int64_t i = 0; i < count; i++) {                                                                \
            const VALUE x = a->FIELD[i];                                                                     \
            out[i] = (stored_##SUFFIX)(RESULT);                                                              \
        }                                                                                                    \
    }

INLINE int32_t clamped(int32_t value, const LiteReduceFinish* f) {
    return lite_wrapping_add(lite_clamp_i32(value, f->low, f->high), f->zero_point);
}

// roundf of the sum on the output's scale, as the reference does for INT8; results beyond 10^9 and NaN are
// clamped anyhow.
INLINE int32_t rounded_sum(int32_t sum, const LiteReduceFinish* f) {
    const float scaled = (float)sum * f->ratio + f->offset;
    const float above = lite_choose(scaled > -1e9f, scaled, -1e9f);
    return clamped(lite_round_to_integer(lite_choose(above < 1e9f, above, 1e9f)), f);
}

INLINE int32_t rescaled_sum(int32_t sum, const LiteReduceFinish* f) {
    return clamped(lite_multiply(lite_wrapping_sub(sum, f->bias), f->multiplier), f);
}

INLINE int64_t rescaled_factor(int64_t factor, const LiteReduceFinish* f) {
    return clamped(lite_multiply_i64(factor, f->multiplier), f);
}

#define DEFINE_STORES_REAL(SUFFIX)                                                                           \
    DEFINE_STORE(keep, SUFFIX, f32, float, store_##SUFFIX(x))                                                \
    DEFINE_STORE(divide, SUFFIX, f32, float, store_##SUFFIX(x / f.divisor))
#define DEFINE_STORES_NARROW(SUFFIX)                                                                         \
    DEFINE_STORE(keep_sum, SUFFIX, i32, int32_t, x)                                                          \
    DEFINE_STORE(round_sum, SUFFIX, i32, int32_t, rounded_sum(x, &f))                                        \
    DEFINE_STORE(rescale_sum, SUFFIX, i32, int32_t, rescaled_sum(x, &f))
#define DEFINE_STORES_WIDE(SUFFIX)                                                                           \
    DEFINE_STORE(keep_wide, SUFFIX, i64, int64_t, x)                                                         \
    DEFINE_STORE(divide, SUFFIX, i64, int64_t, x / f.elements)

DEFINE_STORES_REAL(f32)
DEFINE_STORES_REAL(f16)
DEFINE_STORES_NARROW(i8)
DEFINE_STORES_NARROW(u8)
DEFINE_STORES_NARROW(i16)
DEFINE_STORES_WIDE(i32)
DEFINE_STORES_WIDE(i64)
DEFINE_STORE(rescale_factor, i8, i64, int64_t, rescaled_factor(x, &f))
DEFINE_STORE(rescale_factor, i16, i64, int64_t, rescaled_factor(x, &f))
DEFINE_STORE(keep_wide, b8, i64, int64_t, x != 0)
// Extremes are of the type that is stored.
DEFINE_STORE(keep, i8, i8, int8_t, x)
DEFINE_STORE(keep, u8, u8, uint8_t, x)
DEFINE_STORE(keep, i16, i16, int16_t, x)
DEFINE_STORE(keep, i32, i32, int32_t, x)
DEFINE_STORE(keep, i64, i64, int64_t, x)

// A quantized product starts with its first factor: no product of theirs reaches the mark.
static const int64_t no_factor = INT64_MIN;

static void quantized_start(LiteAccumulators* a, int64_t count) {
    for (int64_t i = 0; i < count; i++) a->i64[i] = no_factor;
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
            for (int64_t i = 0; i < r->count; i++)                                                           \
                a->i64[i] = quantized_multiply(a->i64[i], x[i], r->scale);                                   \
        }                                                                                                    \
    }                                                                                                        \
    static void quantized_run_##SUFFIX(LiteAccumulators* a, int64_t at, const LiteReduceRows* r) {           \
        for (int64_t k = 0; k < r->outputs; k++) {                                                           \
            const stored_##SUFFIX* x = (const stored_##SUFFIX*)r->data + k * r->next;                        \
            int64_t all = a->i64[at + k];                                                                    \
            for (int64_t row = 0; row < r->rows; row++, x += r->stride) {                                    \
                for (int64_t i = 0; i < r->count; i++) all = quantized_multiply(all, x[i], r->scale);        \
            }                                                                                                \
            a->i64[at + k] = all;                                                                            \
        }                                                                                                    \
    }

DEFINE_QUANTIZED(i8)
DEFINE_QUANTIZED(i16)

enum {
    kHasSum = lite_has_SUM || lite_has_MEAN,
    kHasProduct = lite_has_REDUCE_PROD,
    kHasMaximum = lite_has_REDUCE_MAX || lite_has_REDUCE_ANY,
    kHasMinimum = lite_has_REDUCE_MIN || lite_has_REDUCE_ALL,
};
#define LOOPS(NAME, SUFFIX, FIELD, STORE)                                                                    \
    ((LiteReduceLoops){sizeof(((LiteAccumulators*)NULL)->FIELD[0]), NAME##_start_##SUFFIX,                   \
                       NAME##_columns_##SUFFIX, NAME##_run_##SUFFIX, NAME##_combine_##SUFFIX, STORE})
#define CASES(SUFFIX, SUM_FIELD, SUM_STORE, PRODUCT_FIELD, PRODUCT_STORE, FIELD, STORE)                      \
    case type_##SUFFIX:                                                                                      \
        if (!LITE_HAS_TYPE(type_##SUFFIX)) return false;                                                     \
        if (kHasSum && reduction == kLiteReduceSum) *loops = LOOPS(sum, SUFFIX, SUM_FIELD, SUM_STORE);       \
        if (kHasProduct && reduction == kLiteReduceProduct)                                                  \
            *loops = LOOPS(product, SUFFIX, PRODUCT_FIELD, PRODUCT_STORE);                                   \
        if (kHasMaximum && reduction == kLiteReduceMaximum) *loops = LOOPS(maximum, SUFFIX, FIELD, STORE);   \
        if (kHasMinimum && reduction == kLiteReduceMinimum) *loops = LOOPS(minimum, SUFFIX, FIELD, STORE);   \
        return true;
#define CASES_REAL(SUFFIX)                                                                                   \
    CASES(SUFFIX, f32, end == kLiteReduceDivide ? divide_##SUFFIX : keep_##SUFFIX, f32, keep_##SUFFIX, f32,  \
          keep_##SUFFIX)
#define CASES_NARROW(SUFFIX)                                                                                 \
    CASES(SUFFIX, i32,                                                                                       \
          end == kLiteReduceRound     ? round_sum_##SUFFIX                                                   \
          : end == kLiteReduceRescale ? rescale_sum_##SUFFIX                                                 \
                                      : keep_sum_##SUFFIX,                                                   \
          i32, keep_sum_##SUFFIX, SUFFIX, keep_##SUFFIX)
#define CASES_WIDE(SUFFIX, PRODUCT_FIELD, PRODUCT_STORE)                                                     \
    CASES(SUFFIX, i64, end == kLiteReduceDivide ? divide_##SUFFIX : keep_wide_##SUFFIX, PRODUCT_FIELD,       \
          PRODUCT_STORE, SUFFIX, keep_##SUFFIX)

LITE_EXPORT_LOOPS(bool, lite_reduce_loops,
                  (LiteReduction reduction, LiteReduceEnd end, TfLiteType type, LiteReduceLoops* loops),
                  (reduction, end, type, loops)) {
    if (kHasProduct && reduction == kLiteReduceQuantizedProduct) {
        loops->size = sizeof(int64_t);
        loops->start = quantized_start;
        loops->columns = type == kTfLiteInt8 ? quantized_columns_i8 : quantized_columns_i16;
        loops->run = type == kTfLiteInt8 ? quantized_run_i8 : quantized_run_i16;
        loops->combine = NULL;
        loops->store = type == kTfLiteInt8 ? rescale_factor_i8 : rescale_factor_i16;
        return type == kTfLiteInt8 || type == kTfLiteInt16;
    }
    if (kHasSum && reduction == kLiteReduceSum && end == kLiteReduceStore && type == kTfLiteInt32) {
        *loops = LOOPS(total, i32, i32, keep_i32);
        return LITE_HAS_TYPE(kTfLiteInt32);
    }
    switch ((int)type) {
        CASES_REAL(f32)
        CASES_REAL(f16)
        CASES_NARROW(i8)
        CASES_NARROW(u8)
        CASES_NARROW(i16)
        CASES_WIDE(i32, i32, keep_i32)
        CASES_WIDE(i64, i64, keep_wide_i64)
        CASES(b8, i64, keep_wide_b8, i64, keep_wide_b8, u8, keep_u8)
    default:
        return false;
    }
}
