// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/cast_loops.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/types.h"
#include "tensorflow/lite/c/common.h"

#define LOAD(SUFFIX, STORED, TYPE)                                                                           \
    static void load_##SUFFIX##s(const void* from, void* to, int count) {                                    \
        const STORED* values = from;                                                                         \
        for (int i = 0; i < count; i++) ((TYPE*)to)[i] = (TYPE)load_##SUFFIX(values[i]);                     \
    }
// To floats at once, without the middle type.
#define FLOATS(SUFFIX)                                                                                       \
    static void floats_of_##SUFFIX##s(const void* from, void* to, int count) {                               \
        const stored_##SUFFIX* values = from;                                                                \
        float* restrict x = to;                                                                              \
        for (int i = 0; i < count; i++) x[i] = (float)(int32_t)values[i];                                    \
    }
#define STORE(SUFFIX, STORED, MIDDLE, RESULT)                                                                \
    static void store_##MIDDLE##_##SUFFIX(const void* from, void* to, int count) {                           \
        const stored_##MIDDLE* x = from;                                                                     \
        STORED* restrict values = to;                                                                        \
        for (int i = 0; i < count; i++) values[i] = store_##SUFFIX(RESULT);                                  \
    }

LOAD(f16, uint16_t, float)
LOAD(bf16, uint16_t, float)
LOAD(i8, int8_t, int32_t)
LOAD(u8, uint8_t, int32_t)
LOAD(i16, int16_t, int32_t)
LOAD(u16, uint16_t, int32_t)
LOAD(u32, uint32_t, int64_t)
LOAD(b8, uint8_t, int32_t)
FLOATS(i8)
FLOATS(u8)
FLOATS(i16)

#define REAL(SUFFIX, CODE, STORED, VALUE, LOW, HIGH)                                                         \
    STORE(SUFFIX, STORED, i32, (VALUE)x[i])                                                                  \
    STORE(SUFFIX, STORED, i64, (VALUE)x[i])                                                                  \
    STORE(SUFFIX, STORED, f32, (VALUE)x[i])                                                                  \
    STORE(SUFFIX, STORED, f64, (VALUE)x[i])
LITE_REAL_TYPES(REAL)

#define INTEGER(SUFFIX, LOW, HIGH)                                                                           \
    STORE(SUFFIX, stored_##SUFFIX, i32, (value_##SUFFIX)x[i])                                                \
    STORE(SUFFIX, stored_##SUFFIX, i64, (value_##SUFFIX)x[i])                                                \
    STORE(SUFFIX, stored_##SUFFIX, f32, LITE_SATURATE(x[i], float, value_##SUFFIX, LOW, HIGH))               \
    STORE(SUFFIX, stored_##SUFFIX, f64, LITE_SATURATE(x[i], double, value_##SUFFIX, LOW, HIGH))
INTEGER(i8, INT8_MIN, INT8_MAX)
INTEGER(u8, 0, UINT8_MAX)
INTEGER(i16, INT16_MIN, INT16_MAX)
INTEGER(u16, 0, UINT16_MAX)
INTEGER(i32, INT32_MIN, INT32_MAX)
INTEGER(u32, 0, UINT32_MAX)
INTEGER(i64, INT64_MIN, INT64_MAX)

#define NOT_ZERO(MIDDLE) STORE(b8, uint8_t, MIDDLE, x[i] != 0)
#define COMPLEX(MIDDLE)                                                                                      \
    static void store_##MIDDLE##_c64(const void* from, void* to, int count) {                                \
        const stored_##MIDDLE* x = from;                                                                     \
        TfLiteComplex64* values = to;                                                                        \
        for (int i = 0; i < count; i++) values[i] = (TfLiteComplex64){(float)x[i], 0.0f};                    \
    }
#define EACH_MIDDLE(X) X(i32) X(i64) X(f32) X(f64)
EACH_MIDDLE(NOT_ZERO)
EACH_MIDDLE(COMPLEX)

static void load_c64s(const void* from, void* to, int count) {
    const TfLiteComplex64* values = from;
    for (int i = 0; i < count; i++) ((float*)to)[i] = values[i].re;
}

LITE_EXPORT_LOOPS(const LiteConversion*, lite_conversion, (TfLiteType type), (type)) {
    enum { type_c64 = kTfLiteComplex64 };
    static const LiteConversion conversions[] = {
#define IF_BUILT(SUFFIX, FUNCTION) (LITE_HAS_TYPE(type_##SUFFIX) ? (FUNCTION) : NULL)
#define SAME(SUFFIX, MIDDLE) ROW_OF(SUFFIX, MIDDLE, NULL, NULL)
#define ROW(SUFFIX, MIDDLE) ROW_OF(SUFFIX, MIDDLE, load_##SUFFIX##s, NULL)
#define SMALL(SUFFIX) ROW_OF(SUFFIX, I32, load_##SUFFIX##s, floats_of_##SUFFIX##s)
#define ROW_OF(SUFFIX, MIDDLE, LOAD, FLOATS)                                                                 \
    {                                                                                                        \
        (TfLiteType) type_##SUFFIX, kLiteMiddle##MIDDLE, IF_BUILT(SUFFIX, LOAD), IF_BUILT(SUFFIX, FLOATS), { \
            IF_BUILT(SUFFIX, store_i32_##SUFFIX), IF_BUILT(SUFFIX, store_i64_##SUFFIX),                      \
                IF_BUILT(SUFFIX, store_f32_##SUFFIX), IF_BUILT(SUFFIX, store_f64_##SUFFIX)                   \
        }                                                                                                    \
    }
        SAME(f32, F32), SAME(f64, F64), ROW(f16, F32), ROW(bf16, F32), SMALL(i8),
        SMALL(u8),      SMALL(i16),     ROW(u16, I32), SAME(i32, I32), ROW(u32, I64),
        SAME(i64, I64), ROW(b8, I32),   ROW(c64, F32),
    };
    for (size_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
        if (conversions[i].type == type) return &conversions[i];
    }
    return NULL;
}
