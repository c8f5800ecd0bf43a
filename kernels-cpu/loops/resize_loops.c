// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/loops/resize_loops.h"
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
        /* Pictures that become much smaller have columns that nobody wants. */                              \
        const int32_t span = r->columns[r->width - 1].high - r->columns[0].low;                              \
        if (r->depth < kFewChannels && span <= 2 * (int64_t)r->width) {                                      \
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
#define INTERPOLATED                                                                                         \
    ((float)a[i] * (1 - y) * (1 - x) + (float)b[i] * y * (1 - x) + (float)c[i] * (1 - y) * x +               \
     (float)d[i] * y * x)
DEFINE_ROW(row_f32, float, FRACTIONS, INTERPOLATED)
DEFINE_ROW(row_u8, uint8_t, FRACTIONS, INTERPOLATED + 0.5f)
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

LITE_EXPORT_LOOPS(LiteResizeRowFunction, lite_resize_row, (TfLiteType type), (type)) {
    switch (type) {
    case kTfLiteFloat32:
        return LITE_HAS_TYPE(kTfLiteFloat32) ? row_f32_any : NULL;
    case kTfLiteUInt8:
        return LITE_HAS_TYPE(kTfLiteUInt8) ? row_u8_any : NULL;
    case kTfLiteInt8:
        return LITE_HAS_TYPE(kTfLiteInt8) ? row_i8_any : NULL;
    default:
        return LITE_HAS_TYPE(kTfLiteInt16) ? row_i16_any : NULL;
    }
}
