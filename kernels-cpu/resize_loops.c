// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops.h"
#include "kernels-cpu/resize.h"

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

#define FRACTIONS const float y = r->y.fraction, x = s->fraction;
#define INTERPOLATED                                                                                         \
    ((float)a[i] * (1 - y) * (1 - x) + (float)b[i] * y * (1 - x) + (float)c[i] * (1 - y) * x +               \
     (float)d[i] * y * x)
DEFINE_ROW(row_f32, float, FRACTIONS, INTERPOLATED)
DEFINE_ROW(row_u8, uint8_t, FRACTIONS, INTERPOLATED + 0.5f)

// WIDE has room for 20 bits more than an element; fractions of 1024 are from 0 to 1023.
#define WEIGHTS(WIDE)                                                                                        \
    const WIDE y = r->y.fraction_10, x = s->fraction_10;                                                     \
    const WIDE in_a = (1024 - y) * (1024 - x), in_b = y * (1024 - x), in_c = (1024 - y) * x, in_d = y * x;
#define DEFINE_INTEGER_ROW(NAME, TYPE, WIDE)                                                                 \
    static inline TYPE NAME##_round(WIDE value) {                                                            \
        return (TYPE)((value + (value > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));                             \
    }                                                                                                        \
    DEFINE_ROW(NAME, TYPE, WEIGHTS(WIDE), NAME##_round(a[i] * in_a + b[i] * in_b + c[i] * in_c + d[i] * in_d))
DEFINE_INTEGER_ROW(row_i8, int8_t, int32_t)
DEFINE_INTEGER_ROW(row_i16, int16_t, int64_t)

LITE_EXPORT_LOOPS(LiteResizeRowFunction, lite_resize_row, (TfLiteType type), (type)) {
    switch (type) {
    case kTfLiteFloat32:
        return row_f32;
    case kTfLiteUInt8:
        return row_u8;
    case kTfLiteInt8:
        return row_i8;
    default:
        return row_i16;
    }
}
