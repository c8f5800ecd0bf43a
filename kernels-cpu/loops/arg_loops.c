// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/arg_loops.h"

#include <math.h>

#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/types.h"

enum { kLanes = 32, kBlock = 1024 };

// A short loop that is to become vectors before anything unrolls it.
#define LOOP _Pragma("GCC unroll 1")
#define FOLD(LANES, COUNT, BETTER)                                                                           \
    LOOP for (int i = 0; i < (COUNT); i++) {                                                                 \
        (LANES)[i] = BETTER((LANES)[i + (COUNT)], (LANES)[i]) ? (LANES)[i + (COUNT)] : (LANES)[i];           \
    }

#define GREATER(A, B) ((A) > (B))
#define LESS(A, B) ((A) < (B))
// The same where any number is better than NaN.
#define GREATER_f32(A, B) ((A) > (B) || (isnan(B) && !isnan(A)))
#define LESS_f32(A, B) ((A) < (B) || (isnan(B) && !isnan(A)))

// The value first, in vectors; only the block that has it is searched for its place.
#define DEFINE_SEARCH(NAME, SUFFIX, BETTER)                                                                  \
    static value_##SUFFIX NAME##_of_##SUFFIX(const stored_##SUFFIX* x, int64_t count, value_##SUFFIX best) { \
        value_##SUFFIX lanes[kLanes];                                                                        \
        for (int i = 0; i < kLanes; i++) lanes[i] = best;                                                    \
        int64_t at = 0;                                                                                      \
        for (; at + kLanes <= count; at += kLanes) {                                                         \
            for (int i = 0; i < kLanes; i++) {                                                               \
                const value_##SUFFIX value = load_##SUFFIX(x[at + i]);                                       \
                lanes[i] = BETTER(value, lanes[i]) ? value : lanes[i];                                       \
            }                                                                                                \
        }                                                                                                    \
        FOLD(lanes, 16, BETTER)                                                                              \
        FOLD(lanes, 8, BETTER)                                                                               \
        FOLD(lanes, 4, BETTER)                                                                               \
        for (int i = 0; i < 4; i++) best = BETTER(lanes[i], best) ? lanes[i] : best;                         \
        for (; at < count; at++) {                                                                           \
            const value_##SUFFIX value = load_##SUFFIX(x[at]);                                               \
            best = BETTER(value, best) ? value : best;                                                       \
        }                                                                                                    \
        return best;                                                                                         \
    }                                                                                                        \
    /* Where `wanted` is first, 0 when it is NaN: then there is no number. */                                \
    static int32_t NAME##_place_##SUFFIX(const stored_##SUFFIX* x, int32_t count, value_##SUFFIX wanted) {   \
        int32_t lanes[kLanes], at = 0;                                                                       \
        for (int i = 0; i < kLanes; i++) lanes[i] = INT32_MAX;                                               \
        for (; at + kLanes <= count; at += kLanes) {                                                         \
            for (int i = 0; i < kLanes; i++) {                                                               \
                const int32_t place = load_##SUFFIX(x[at + i]) == wanted ? at + i : INT32_MAX;               \
                lanes[i] = place < lanes[i] ? place : lanes[i];                                              \
            }                                                                                                \
        }                                                                                                    \
        FOLD(lanes, 16, LESS)                                                                                \
        FOLD(lanes, 8, LESS)                                                                                 \
        FOLD(lanes, 4, LESS)                                                                                 \
        int32_t first = INT32_MAX;                                                                           \
        for (int i = 0; i < 4; i++) first = lanes[i] < first ? lanes[i] : first;                             \
        for (; at < count && first == INT32_MAX; at++) {                                                     \
            if (load_##SUFFIX(x[at]) == wanted) first = at;                                                  \
        }                                                                                                    \
        return first < INT32_MAX ? first : 0;                                                                \
    }                                                                                                        \
    static int64_t NAME##_along_##SUFFIX(const void* data, int64_t count) {                                  \
        const stored_##SUFFIX* x = data;                                                                     \
        value_##SUFFIX best = load_##SUFFIX(x[0]);                                                           \
        int64_t block = 0;                                                                                   \
        for (int64_t first = 0; first < count; first += kBlock) {                                            \
            const int64_t length = count - first < kBlock ? count - first : kBlock;                          \
            const value_##SUFFIX all = NAME##_of_##SUFFIX(x + first, length, best);                          \
            if (BETTER(all, best)) {                                                                         \
                best = all;                                                                                  \
                block = first;                                                                               \
            }                                                                                                \
        }                                                                                                    \
        const int64_t length = count - block < kBlock ? count - block : kBlock;                              \
        return block + NAME##_place_##SUFFIX(x + block, (int32_t)length, best);                              \
    }                                                                                                        \
    static void NAME##_across_##SUFFIX(const void* data, int64_t count, int64_t stride, int64_t columns,     \
                                       int32_t* found) {                                                     \
        const stored_##SUFFIX* x = data;                                                                     \
        value_##SUFFIX best[kLiteArgColumns];                                                                \
        for (int64_t c = 0; c < columns; c++) best[c] = load_##SUFFIX(x[c]), found[c] = 0;                   \
        for (int32_t i = 1; i < count; i++) {                                                                \
            x += stride;                                                                                     \
            for (int64_t c = 0; c < columns; c++) {                                                          \
                const value_##SUFFIX value = load_##SUFFIX(x[c]);                                            \
                const bool better = BETTER(value, best[c]);                                                  \
                best[c] = better ? value : best[c];                                                          \
                found[c] = better ? i : found[c];                                                            \
            }                                                                                                \
        }                                                                                                    \
    }
#if defined(LITE_LOOPS) && defined(__AVX2__)
#include <immintrin.h>

// Where `wanted`, which is there, is first.
static int64_t place_of_float(const float* x, int64_t count, float wanted) {
    const __m256 all = _mm256_set1_ps(wanted);
    int64_t at = 0;
    for (; at + 8 <= count; at += 8) {
        const int here = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(x + at), all, _CMP_EQ_OQ));
        if (here != 0) return at + __builtin_ctz((unsigned)here);
    }
    while (x[at] != wanted) at++;
    return at;
}

// Searches that begin with WORST never meet a NaN, which is always the first operand. Where nothing is better
// than WORST it may be there itself, behind some NaN.
#define DEFINE_FLOAT_SEARCH(NAME, EXTREME, BETTER, WORST)                                                    \
    static float NAME##_vectors(const float* x, int64_t count) {                                             \
        __m256 a = _mm256_set1_ps(WORST), b = a, c = a, d = a;                                               \
        int64_t at = 0;                                                                                      \
        for (; at + kLanes <= count; at += kLanes) {                                                         \
            a = EXTREME(_mm256_loadu_ps(x + at), a);                                                         \
            b = EXTREME(_mm256_loadu_ps(x + at + 8), b);                                                     \
            c = EXTREME(_mm256_loadu_ps(x + at + 16), c);                                                    \
            d = EXTREME(_mm256_loadu_ps(x + at + 24), d);                                                    \
        }                                                                                                    \
        for (; at + 8 <= count; at += 8) a = EXTREME(_mm256_loadu_ps(x + at), a);                            \
        float lanes[8];                                                                                      \
        _mm256_storeu_ps(lanes, EXTREME(EXTREME(a, b), EXTREME(c, d)));                                      \
        float best = WORST;                                                                                  \
        for (int i = 0; i < 8; i++) best = BETTER(lanes[i], best) ? lanes[i] : best;                         \
        for (; at < count; at++) best = BETTER(x[at], best) ? x[at] : best;                                  \
        return best;                                                                                         \
    }                                                                                                        \
    static int64_t NAME##_along_floats(const void* data, int64_t count) {                                    \
        const float* x = data;                                                                               \
        float best = WORST;                                                                                  \
        int64_t block = 0;                                                                                   \
        for (int64_t first = 0; first < count; first += kBlock) {                                            \
            const float all = NAME##_vectors(x + first, count - first < kBlock ? count - first : kBlock);    \
            if (!BETTER(all, best)) continue;                                                                \
            best = all;                                                                                      \
            block = first;                                                                                   \
        }                                                                                                    \
        if (!BETTER(best, WORST)) return NAME##_along_f32(data, count);                                      \
        return block + place_of_float(x + block, count - block, best);                                       \
    }
#else
#define DEFINE_FLOAT_SEARCH(NAME, EXTREME, BETTER, WORST)                                                    \
    static int64_t NAME##_along_floats(const void* data, int64_t count) {                                    \
        return NAME##_along_f32(data, count);                                                                \
    }
#endif

#define DEFINE_BOTH(SUFFIX)                                                                                  \
    DEFINE_SEARCH(greatest, SUFFIX, GREATER)                                                                 \
    DEFINE_SEARCH(least, SUFFIX, LESS)

DEFINE_SEARCH(greatest, f32, GREATER_f32)
DEFINE_SEARCH(least, f32, LESS_f32)
DEFINE_FLOAT_SEARCH(greatest, _mm256_max_ps, GREATER, -INFINITY)
DEFINE_FLOAT_SEARCH(least, _mm256_min_ps, LESS, INFINITY)
DEFINE_BOTH(i8)
DEFINE_BOTH(u8)
DEFINE_BOTH(i32)
DEFINE_BOTH(b8)

LITE_EXPORT_LOOPS(bool, lite_arg_loops, (TfLiteType type, bool maximum, LiteArgLoops* loops),
                  (type, maximum, loops)) {
#define CASE(SUFFIX, ALONG)                                                                                  \
    case type_##SUFFIX:                                                                                      \
        if (!LITE_HAS_TYPE(type_##SUFFIX)) return false;                                                     \
        *loops = maximum ? (LiteArgLoops){greatest_along_##ALONG, greatest_across_##SUFFIX}                  \
                         : (LiteArgLoops){least_along_##ALONG, least_across_##SUFFIX};                       \
        return true;
    switch ((int)type) {
        CASE(f32, floats)
        CASE(i8, i8)
        CASE(u8, u8)
        CASE(i32, i32)
        CASE(b8, b8)
    default:
        return false;
    }
}
