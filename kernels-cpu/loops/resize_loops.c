// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/resize_loops.h"

#include <stddef.h>
#include <string.h>

#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"

// `a` and `b` are the pixels on the left, `c` and `d` on the right; PREPARE comes before the loop over their
// channels.
#define DEFINE_ROW(NAME, TYPE, PREPARE, RESULT)                                                              \
    static void NAME(const LiteResizeRow* r) {                                                               \
        TYPE* to = r->to;                                                                                    \
        const int64_t depth = r->depth;                                                                      \
        for (int32_t column = 0; column < r->width; column++, to += depth) {                                 \
            const LiteResizeSample* s = &r->columns[column];                                                 \
            const TYPE *a = (const TYPE*)r->low + s->low * depth,                                            \
                       *b = (const TYPE*)r->high + s->low * depth;                                           \
            const TYPE *c = (const TYPE*)r->low + s->high * depth,                                           \
                       *d = (const TYPE*)r->high + s->high * depth;                                          \
            PREPARE                                                                                          \
            for (int64_t i = 0; i < depth; i++) to[i] = (TYPE)(RESULT);                                      \
        }                                                                                                    \
    }

// Pixels of few channels: first whole lines of a part of the picture, in vectors, then columns. PREPARE makes
// WIDE values from elements `a` and `b`, and `p`, `q` of the left and of the right give the RESULT.
enum { kRoom = 2048, kFewChannels = 16 };

// The columns from `first` on that there is room for.
static int32_t columns_of_part(const LiteResizeRow* r, int32_t first) {
    const int32_t base = r->columns[first].low;
    int32_t after = first;
    while (after < r->width && (r->columns[after].high - base + 1) * r->depth <= kRoom) after++;
    return after;
}

// Pictures that become much smaller have columns that nobody wants.
static bool is_dense(const LiteResizeRow* r) {
    return r->columns[r->width - 1].high - r->columns[0].low <= 2 * (int64_t)r->width;
}

#define DEFINE_PART(NAME, TYPE, WIDE, Y, X, PREPARE, RESULT)                                                 \
    static inline __attribute__((always_inline)) void NAME##_across(                                         \
        const LiteResizeRow* r, int32_t first, int32_t after, const int64_t depth, const WIDE* line) {       \
        TYPE* to = (TYPE*)r->to + first * depth;                                                             \
        for (int32_t column = first; column < after; column++, to += depth) {                                \
            const LiteResizeSample* s = &r->columns[column];                                                 \
            const int32_t base = r->columns[first].low;                                                      \
            const WIDE *left = line + (s->low - base) * depth, *right = line + (s->high - base) * depth;     \
            X for (int64_t i = 0; i < depth; i++) {                                                          \
                const WIDE p = left[i], q = right[i];                                                        \
                to[i] = (TYPE)(RESULT);                                                                      \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_parts(const LiteResizeRow* r) {                                                       \
        WIDE line[kRoom];                                                                                    \
        Y for (int32_t first = 0, after; first < r->width; first = after) {                                  \
            after = columns_of_part(r, first);                                                               \
            const int64_t base = r->columns[first].low * r->depth;                                           \
            const int64_t count = (r->columns[after - 1].high + 1) * r->depth - base;                        \
            const TYPE *low = (const TYPE*)r->low + base, *high = (const TYPE*)r->high + base;               \
            for (int64_t i = 0; i < count; i++) {                                                            \
                const TYPE a = low[i], b = high[i];                                                          \
                line[i] = PREPARE;                                                                           \
            }                                                                                                \
            switch (r->depth) {                                                                              \
            case 1:                                                                                          \
                NAME##_across(r, first, after, 1, line);                                                     \
                break;                                                                                       \
            case 3:                                                                                          \
                NAME##_across(r, first, after, 3, line);                                                     \
                break;                                                                                       \
            case 4:                                                                                          \
                NAME##_across(r, first, after, 4, line);                                                     \
                break;                                                                                       \
            default:                                                                                         \
                NAME##_across(r, first, after, r->depth, line);                                              \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME##_any(const LiteResizeRow* r) {                                                         \
        if (r->depth < kFewChannels && is_dense(r)) {                                                        \
            NAME##_parts(r);                                                                                 \
        } else {                                                                                             \
            NAME(r);                                                                                         \
        }                                                                                                    \
    }

typedef struct Pair {
    float above;
    float below;
} Pair;

#define FRACTIONS const float y = r->y.fraction, x = s->fraction;
#define INTERPOLATE(a, b, c, d) ((a) * (1 - y) * (1 - x) + (b)*y * (1 - x) + (c) * (1 - y) * x + (d)*y * x)
#define INTERPOLATED INTERPOLATE((float)a[i], (float)b[i], (float)c[i], (float)d[i])
DEFINE_ROW(row_f32, float, FRACTIONS, INTERPOLATED)
DEFINE_ROW(row_u8, uint8_t, FRACTIONS, INTERPOLATED + 0.5f)

// So many channels at once; the last ones of a pixel overlap those before.
typedef float FloatBlock __attribute__((vector_size(kFewChannels * sizeof(float)), aligned(4), may_alias));
#define BLOCK(from) (*(const FloatBlock*)(const void*)(from))

static void row_f32_blocks(const LiteResizeRow* r) {
    float* to = r->to;
    const int64_t depth = r->depth;
    const float y = r->y.fraction;
    for (int32_t column = 0; column < r->width; column++, to += depth) {
        const LiteResizeSample* s = &r->columns[column];
        const float *low = r->low, *high = r->high, x = s->fraction;
        for (int64_t at = 0; at < depth; at += kFewChannels) {
            const int64_t i = at + kFewChannels <= depth ? at : depth - kFewChannels;
            const int64_t left = s->low * depth + i, right = s->high * depth + i;
            const FloatBlock sum =
                INTERPOLATE(BLOCK(low + left), BLOCK(high + left), BLOCK(low + right), BLOCK(high + right));
            *(FloatBlock*)(void*)(to + i) = sum;
        }
    }
}
#define PARTS_REAL(NAME, TYPE, HALF)                                                                         \
    DEFINE_PART(NAME, TYPE, Pair, const float y = r->y.fraction;, const float x = s->fraction;               \
                , ((Pair){(float)a * (1 - y), (float)b * y}),                                                \
                p.above * (1 - x) + p.below * (1 - x) + q.above * x + q.below * x HALF)
// What columns read lies within their part, which analyzers cannot see.
PARTS_REAL(row_f32, float, )       // NOLINT(clang-analyzer-core*)
PARTS_REAL(row_u8, uint8_t, +0.5f) // NOLINT(clang-analyzer-core*)

// WIDE has room for 20 bits more than an element; fractions of 1024 are from 0 to 1023.
#define WEIGHTS(WIDE)                                                                                        \
    const WIDE y = r->y.fraction_10, x = s->fraction_10;                                                     \
    const WIDE in_a = (1024 - y) * (1024 - x), in_b = y * (1024 - x), in_c = (1024 - y) * x, in_d = y * x;
#define DEFINE_INTEGER_ROW(NAME, TYPE, WIDE)                                                                 \
    static inline TYPE NAME##_round(WIDE value) {                                                            \
        return (TYPE)((value + (value > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));                             \
    }                                                                                                        \
    DEFINE_ROW(NAME, TYPE, WEIGHTS(WIDE),                                                                    \
               NAME##_round(a[i] * in_a + b[i] * in_b + c[i] * in_c + d[i] * in_d))                          \
    DEFINE_PART(NAME, TYPE, WIDE, const WIDE y = r->y.fraction_10;, const WIDE x = s->fraction_10;           \
                , a * (1024 - y) + b * y, NAME##_round(p * (1024 - x) + q * x))
DEFINE_INTEGER_ROW(row_i8, int8_t, int32_t)   // NOLINT(clang-analyzer-core*)
DEFINE_INTEGER_ROW(row_i16, int16_t, int64_t) // NOLINT(clang-analyzer-core*)

// UINT8 where floats would round nothing: 8 bits and twice the 8 of a weight up to 2 are 24.
DEFINE_INTEGER_ROW(row_exact_u8, uint8_t, int32_t) // NOLINT(clang-analyzer-core*)

#if defined(LITE_LOOPS) && defined(__AVX2__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

enum { kBlock = 16, kLowBits = 10 };

// Weights of the four pixels around one, of 20 bits, as pairs of their upper and lower halves.
typedef struct Weights {
    __m256i left;
    __m256i right;
    __m256i left_low;
    __m256i right_low;
    bool has_low;
} Weights;

INLINE __m256i pair_of(int32_t first, int32_t second) {
    return _mm256_set1_epi32((int32_t)((uint32_t)second << 16 | ((uint32_t)first & 0xFFFF)));
}

INLINE Weights weights_of(int32_t y, int32_t x) {
    const int32_t a = (1024 - y) * (1024 - x), b = y * (1024 - x), c = (1024 - y) * x, d = y * x;
    const int32_t mask = (1 << kLowBits) - 1;
    return (Weights){.left = pair_of(a >> kLowBits, b >> kLowBits),
                     .right = pair_of(c >> kLowBits, d >> kLowBits),
                     .left_low = pair_of(a & mask, b & mask),
                     .right_low = pair_of(c & mask, d & mask),
                     .has_low = ((a | b | c | d) & mask) != 0};
}

// Halves away from zero.
INLINE __m256i rounded(__m256i sum, int bits) {
    const __m256i half = _mm256_add_epi32(sum, _mm256_set1_epi32(1 << (bits - 1)));
    return _mm256_srai_epi32(_mm256_add_epi32(half, _mm256_srai_epi32(sum, 31)), bits);
}

INLINE __m256i weighted(__m256i left, __m256i right, const Weights* w) {
    const __m256i high =
        _mm256_add_epi32(_mm256_madd_epi16(left, w->left), _mm256_madd_epi16(right, w->right));
    if (!w->has_low) return rounded(high, 20 - kLowBits);
    const __m256i low =
        _mm256_add_epi32(_mm256_madd_epi16(left, w->left_low), _mm256_madd_epi16(right, w->right_low));
    return rounded(_mm256_add_epi32(_mm256_slli_epi32(high, kLowBits), low), 20);
}

INLINE __m256i widened(const bool is_signed, __m128i bytes) {
    return is_signed ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes);
}

// kBlock channels of one pixel.
INLINE void block_of(const bool is_signed, const uint8_t* const* corners, int64_t at, const Weights* w,
                     uint8_t* to) {
    __m128i in[4];
    for (int i = 0; i < 4; i++) in[i] = _mm_loadu_si128((const __m128i*)(const void*)(corners[i] + at));
    const __m256i first = weighted(widened(is_signed, _mm_unpacklo_epi8(in[0], in[1])),
                                   widened(is_signed, _mm_unpacklo_epi8(in[2], in[3])), w);
    const __m256i second = weighted(widened(is_signed, _mm_unpackhi_epi8(in[0], in[1])),
                                    widened(is_signed, _mm_unpackhi_epi8(in[2], in[3])), w);
    const __m256i pairs = _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), 0xD8);
    const __m128i low = _mm256_castsi256_si128(pairs), high = _mm256_extracti128_si256(pairs, 1);
    _mm_storeu_si128((__m128i*)(void*)(to + at),
                     is_signed ? _mm_packs_epi16(low, high) : _mm_packus_epi16(low, high));
}

// Pixels of many channels; the last block of one overlaps the one before.
INLINE void blocks(const bool is_signed, const LiteResizeRow* r) {
    uint8_t* to = r->to;
    const int64_t depth = r->depth;
    for (int32_t column = 0; column < r->width; column++, to += depth) {
        const LiteResizeSample* s = &r->columns[column];
        const uint8_t *low = r->low, *high = r->high;
        const uint8_t* const corners[4] = {low + s->low * depth, high + s->low * depth, low + s->high * depth,
                                           high + s->high * depth};
        const Weights w = weights_of(r->y.fraction_10, s->fraction_10);
        for (int64_t i = 0; i + kBlock <= depth; i += kBlock) block_of(is_signed, corners, i, &w, to);
        if (depth % kBlock != 0) block_of(is_signed, corners, depth - kBlock, &w, to);
    }
}

// Pixels of up to four channels, one in a vector: what it has beyond is written over by the pixels behind it,
// where the row has room for that.
INLINE void few_across(const LiteResizeRow* r, int32_t first, int32_t after, const int32_t* line) {
    const int64_t depth = r->depth, base = r->columns[first].low;
    uint8_t* to = (uint8_t*)r->to + first * depth;
    for (int32_t column = first; column < after; column++, to += depth) {
        const LiteResizeSample* s = &r->columns[column];
        const __m128i left = _mm_loadu_si128((const __m128i*)(const void*)(line + (s->low - base) * depth));
        const __m128i right = _mm_loadu_si128((const __m128i*)(const void*)(line + (s->high - base) * depth));
        const __m128i x = _mm_set1_epi32(s->fraction_10), rest = _mm_sub_epi32(_mm_set1_epi32(1024), x);
        const __m128i sum = _mm_add_epi32(_mm_mullo_epi32(left, rest), _mm_mullo_epi32(right, x));
        const __m128i half = _mm_add_epi32(sum, _mm_set1_epi32(1 << 19));
        const __m128i value = _mm_srai_epi32(_mm_add_epi32(half, _mm_srai_epi32(sum, 31)), 20);
        const __m128i bytes = _mm_shuffle_epi8(value, _mm_set1_epi32(0x0C080400));
        const int32_t four = _mm_cvtsi128_si32(bytes);
        memcpy(to, &four, (r->width - column) * depth >= 4 ? sizeof four : (size_t)depth);
    }
}

INLINE void few(const bool is_signed, const LiteResizeRow* r) {
    int32_t line[kRoom + 4];
    for (int i = 0; i < 4; i++) line[kRoom + i] = 0;
    const int32_t y = r->y.fraction_10;
    for (int32_t first = 0, after; first < r->width; first = after) {
        after = columns_of_part(r, first);
        const int64_t base = r->columns[first].low * r->depth;
        const int64_t count = (r->columns[after - 1].high + 1) * r->depth - base;
        const uint8_t *low = (const uint8_t*)r->low + base, *high = (const uint8_t*)r->high + base;
        for (int64_t i = 0; i < count; i++) {
            const int32_t a = is_signed ? (int8_t)low[i] : low[i], b = is_signed ? (int8_t)high[i] : high[i];
            line[i] = a * (1024 - y) + b * y;
        }
        for (int i = 0; i < 4; i++) line[count + i] = 0;
        few_across(r, first, after, line);
    }
}

#define VECTORS(NAME, SIGNED, OTHERS)                                                                        \
    static void NAME##_vectors(const LiteResizeRow* r) {                                                     \
        if (r->depth >= kBlock) {                                                                            \
            blocks(SIGNED, r);                                                                               \
        } else if (r->depth <= 4 && is_dense(r)) {                                                           \
            few(SIGNED, r);                                                                                  \
        } else {                                                                                             \
            OTHERS(r);                                                                                       \
        }                                                                                                    \
    }
VECTORS(row_i8, true, row_i8_any)
VECTORS(row_exact_u8, false, row_exact_u8_any)
#else
#define row_i8_vectors row_i8_any
#define row_exact_u8_vectors row_exact_u8_any
#endif

static void row_f32_best(const LiteResizeRow* r) {
    if (r->depth >= kFewChannels) {
        row_f32_blocks(r);
    } else {
        row_f32_any(r);
    }
}

static void row_u8_best(const LiteResizeRow* r) {
    if (r->exact) {
        row_exact_u8_vectors(r);
    } else {
        row_u8_any(r);
    }
}

LITE_EXPORT_LOOPS(LiteResizeRowFunction, lite_resize_row, (TfLiteType type), (type)) {
    switch (type) {
    case kTfLiteFloat32:
        return LITE_HAS_TYPE(kTfLiteFloat32) ? row_f32_best : NULL;
    case kTfLiteUInt8:
        return LITE_HAS_TYPE(kTfLiteUInt8) ? row_u8_best : NULL;
    case kTfLiteInt8:
        return LITE_HAS_TYPE(kTfLiteInt8) ? row_i8_vectors : NULL;
    default:
        return LITE_HAS_TYPE(kTfLiteInt16) ? row_i16_any : NULL;
    }
}
