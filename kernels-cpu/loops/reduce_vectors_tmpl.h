// SPDX-License-Identifier: Apache-2.0
// Reductions of floats in vectors of AVX2, for reduce_loops.c: the same in the same order as its loops of all
// types, of which compilers keep partial results in memory, and make several instructions of a comparison.
#ifndef KERNELS_CPU_LOOPS_REDUCE_VECTORS_TMPL_H_
#define KERNELS_CPU_LOOPS_REDUCE_VECTORS_TMPL_H_

#include <immintrin.h>

#define VECTORS_ADD(SET, A, B) SET##_add_ps(A, B)
#define VECTORS_MULTIPLY(SET, A, B) SET##_mul_ps(A, B)
#define VECTORS_GREATER(SET, A, B) SET##_max_ps(B, A) // the second where one is NaN
#define VECTORS_LESS(SET, A, B) SET##_min_ps(B, A)

// Runs that become one.
#define DEFINE_VECTOR_RUN(NAME, START, COMBINE)                                                              \
    INLINE __m256 NAME##_vectors(__m256 few, const float* x, int64_t count) {                                \
        const int64_t block = kLanes * (kBlock16 / (kLanes / kFew));                                         \
        int64_t at = 0;                                                                                      \
        while (at + kLanes <= count) {                                                                       \
            const int64_t end = count - at < block ? count : at + block;                                     \
            __m256 a = _mm256_set1_ps(START), b = a, c = a, d = a;                                           \
            for (; at + kLanes <= end; at += kLanes) {                                                       \
                a = VECTORS_##COMBINE(_mm256, a, _mm256_loadu_ps(x + at));                                   \
                b = VECTORS_##COMBINE(_mm256, b, _mm256_loadu_ps(x + at + 8));                               \
                c = VECTORS_##COMBINE(_mm256, c, _mm256_loadu_ps(x + at + 16));                              \
                d = VECTORS_##COMBINE(_mm256, d, _mm256_loadu_ps(x + at + 24));                              \
            }                                                                                                \
            a = VECTORS_##COMBINE(_mm256, a, c);                                                             \
            b = VECTORS_##COMBINE(_mm256, b, d);                                                             \
            few = VECTORS_##COMBINE(_mm256, few, VECTORS_##COMBINE(_mm256, a, b));                           \
        }                                                                                                    \
        for (; at + kFew <= count; at += kFew) {                                                             \
            few = VECTORS_##COMBINE(_mm256, few, _mm256_loadu_ps(x + at));                                   \
        }                                                                                                    \
        for (; at < count; at++) {                                                                           \
            few = _mm256_blend_ps(few, VECTORS_##COMBINE(_mm256, few, _mm256_set1_ps(x[at])), 1);            \
        }                                                                                                    \
        return few;                                                                                          \
    }                                                                                                        \
    INLINE __m256 NAME##_rows(const float* x, const LiteReduceRows* r) {                                     \
        __m256 few = _mm256_set1_ps(START);                                                                  \
        for (int64_t row = 0; row < r->rows; row++, x += r->stride) few = NAME##_vectors(few, x, r->count);  \
        return few;                                                                                          \
    }                                                                                                        \
    /* Partial results i and i + 4, ... of two outputs, whose are in the halves of the result. */            \
    INLINE __m256 NAME##_halves(__m256 x, __m256 y) {                                                        \
        return VECTORS_##COMBINE(_mm256, _mm256_permute2f128_ps(x, y, 0x20),                                 \
                                 _mm256_permute2f128_ps(x, y, 0x31));                                        \
    }                                                                                                        \
    /* Of eight outputs at once, each in the order in which one alone is finished. */                        \
    INLINE __m256 NAME##_finish(const __m256* f) {                                                           \
        const __m256 a = NAME##_halves(f[0], f[4]), b = NAME##_halves(f[1], f[5]);                           \
        const __m256 c = NAME##_halves(f[2], f[6]), d = NAME##_halves(f[3], f[7]);                           \
        const __m256 ab =                                                                                    \
            VECTORS_##COMBINE(_mm256, _mm256_shuffle_ps(a, b, 0x44), _mm256_shuffle_ps(a, b, 0xEE));         \
        const __m256 cd =                                                                                    \
            VECTORS_##COMBINE(_mm256, _mm256_shuffle_ps(c, d, 0x44), _mm256_shuffle_ps(c, d, 0xEE));         \
        return VECTORS_##COMBINE(_mm256, _mm256_shuffle_ps(ab, cd, 0x88), _mm256_shuffle_ps(ab, cd, 0xDD));  \
    }                                                                                                        \
    static void NAME##_run_f32(LiteAccumulators* a, int64_t at, const LiteReduceRows* rows) {                \
        const LiteReduceRows r = *rows;                                                                      \
        float* to = a->f32 + at;                                                                             \
        const float* x = r.data;                                                                             \
        int64_t i = 0;                                                                                       \
        for (; i + 8 <= r.outputs; i += 8) {                                                                 \
            __m256 few[8];                                                                                   \
            for (int k = 0; k < 8; k++, x += r.next) few[k] = NAME##_rows(x, &r);                            \
            const __m256 all = VECTORS_##COMBINE(_mm256, _mm256_loadu_ps(to + i), NAME##_finish(few));       \
            _mm256_storeu_ps(to + i, all);                                                                   \
        }                                                                                                    \
        for (; i < r.outputs; i++, x += r.next) {                                                            \
            const __m256 few = NAME##_rows(x, &r);                                                           \
            const __m128 four =                                                                              \
                VECTORS_##COMBINE(_mm, _mm256_castps256_ps128(few), _mm256_extractf128_ps(few, 1));          \
            const __m128 two = VECTORS_##COMBINE(_mm, four, _mm_movehl_ps(four, four));                      \
            const __m128 one = VECTORS_##COMBINE(_mm, two, _mm_movehdup_ps(two));                            \
            to[i] = NAME##_join_f32(to[i], _mm_cvtss_f32(one));                                              \
        }                                                                                                    \
    }

// Columns. The last vector of a row may be one of fewer.
// Which elements of such a vector there are.
INLINE __m256i first_lanes(int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

#define DEFINE_VECTOR_COLUMNS(NAME, START, COMBINE)                                                          \
    /* All rows of some vectors of columns, whose results stay in registers. */                              \
    INLINE void NAME##_vector_block(float* to, const float* x, const LiteReduceRows* r, const int vectors) { \
        for (int64_t first = 0; first < r->rows; first += kBlock16) {                                        \
            const int64_t last = first + kBlock16 < r->rows ? first + kBlock16 : r->rows;                    \
            __m256 lanes[kWide / 8];                                                                         \
            for (int i = 0; i < vectors; i++) lanes[i] = _mm256_set1_ps(START);                              \
            for (int64_t row = first; row < last; row++, x += r->stride) {                                   \
                for (int i = 0; i < vectors; i++)                                                            \
                    lanes[i] = VECTORS_##COMBINE(_mm256, lanes[i], _mm256_loadu_ps(x + 8 * i));              \
            }                                                                                                \
            for (int i = 0; i < vectors; i++) {                                                              \
                const __m256 all = VECTORS_##COMBINE(_mm256, _mm256_loadu_ps(to + 8 * i), lanes[i]);         \
                _mm256_storeu_ps(to + 8 * i, all);                                                           \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    INLINE void NAME##_masked_block(float* to, const float* x, const LiteReduceRows* r, __m256i mask) {      \
        for (int64_t first = 0; first < r->rows; first += kBlock16) {                                        \
            const int64_t last = first + kBlock16 < r->rows ? first + kBlock16 : r->rows;                    \
            __m256 lanes = _mm256_set1_ps(START);                                                            \
            for (int64_t row = first; row < last; row++, x += r->stride)                                     \
                lanes = VECTORS_##COMBINE(_mm256, lanes, _mm256_maskload_ps(x, mask));                       \
            const __m256 all = VECTORS_##COMBINE(_mm256, _mm256_maskload_ps(to, mask), lanes);               \
            _mm256_maskstore_ps(to, mask, all);                                                              \
        }                                                                                                    \
    }                                                                                                        \
    /* `rows` rows, of any number of columns. */                                                             \
    INLINE void NAME##_vector_group(float* to, const float* x, const int64_t count, const int64_t stride,    \
                                    const int rows) {                                                        \
        int64_t i = 0;                                                                                       \
        for (; i + 16 <= count; i += 16) {                                                                   \
            __m256 a = _mm256_loadu_ps(to + i), b = _mm256_loadu_ps(to + i + 8);                             \
            for (int row = 0; row < rows; row++) {                                                           \
                a = VECTORS_##COMBINE(_mm256, a, _mm256_loadu_ps(x + i + row * stride));                     \
                b = VECTORS_##COMBINE(_mm256, b, _mm256_loadu_ps(x + i + 8 + row * stride));                 \
            }                                                                                                \
            _mm256_storeu_ps(to + i, a);                                                                     \
            _mm256_storeu_ps(to + i + 8, b);                                                                 \
        }                                                                                                    \
        for (; i < count; i += 8) {                                                                          \
            const __m256i mask = first_lanes(count - i);                                                     \
            __m256 a = _mm256_maskload_ps(to + i, mask);                                                     \
            for (int row = 0; row < rows; row++)                                                             \
                a = VECTORS_##COMBINE(_mm256, a, _mm256_maskload_ps(x + i + row * stride, mask));            \
            _mm256_maskstore_ps(to + i, mask, a);                                                            \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_columns_f32(LiteAccumulators* a, const LiteReduceRows* r) {                           \
        const float* x = r->data;                                                                            \
        if (r->rows > 2 * kGroup && r->count < 4 * kWide) {                                                  \
            int64_t at = 0;                                                                                  \
            for (; at + kWide <= r->count; at += kWide)                                                      \
                NAME##_vector_block(a->f32 + at, x + at, r, kWide / 8);                                      \
            for (; at + kWide / 4 <= r->count; at += kWide / 4)                                              \
                NAME##_vector_block(a->f32 + at, x + at, r, kWide / 4 / 8);                                  \
            for (; at < r->count; at += 8)                                                                   \
                NAME##_masked_block(a->f32 + at, x + at, r, first_lanes(r->count - at));                     \
            return;                                                                                          \
        }                                                                                                    \
        int64_t row = 0;                                                                                     \
        for (; row + kGroup <= r->rows; row += kGroup, x += kGroup * r->stride)                              \
            NAME##_vector_group(a->f32, x, r->count, r->stride, kGroup);                                     \
        for (; row < r->rows; row++, x += r->stride) NAME##_vector_group(a->f32, x, r->count, r->stride, 1); \
    }                                                                                                        \
    static void NAME##_combine_f32(LiteAccumulators* a, const LiteAccumulators* b, int64_t count) {          \
        const LiteReduceRows row = {.data = b, .rows = 1, .count = count};                                   \
        NAME##_columns_f32(a, &row);                                                                         \
    }

#endif
