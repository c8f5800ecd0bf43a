// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/cast_loops.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/types.h"
#include "tensorflow/lite/c/common.h"

#define LOAD(SUFFIX, STORED, MEMBER, TYPE)                                                                   \
    static void load_##SUFFIX##s(const void* from, LitePiece* piece, int count) {                            \
        const STORED* values = from;                                                                         \
        for (int i = 0; i < count; i++) piece->MEMBER[i] = (TYPE)load_##SUFFIX(values[i]);                   \
    }
#define STORE(SUFFIX, STORED, MEMBER, RESULT)                                                                \
    static void store_##MEMBER##_##SUFFIX(const LitePiece* piece, void* to, int count) {                     \
        STORED* values = to;                                                                                 \
        for (int i = 0; i < count; i++) values[i] = store_##SUFFIX(RESULT);                                  \
    }

#define REAL(SUFFIX, CODE, STORED, VALUE, LOW, HIGH)                                                         \
    LOAD(SUFFIX, STORED, real, double)                                                                       \
    STORE(SUFFIX, STORED, real, (VALUE)piece->real[i])                                                       \
    STORE(SUFFIX, STORED, integer, (VALUE)piece->integer[i])
LITE_REAL_TYPES(REAL)

#define INTEGER(SUFFIX, LOW, HIGH)                                                                           \
    LOAD(SUFFIX, stored_##SUFFIX, integer, int64_t)                                                          \
    STORE(SUFFIX, stored_##SUFFIX, integer, (value_##SUFFIX)piece->integer[i])                               \
    STORE(SUFFIX, stored_##SUFFIX, real, LITE_SATURATE(piece->real[i], value_##SUFFIX, LOW, HIGH))
INTEGER(i8, INT8_MIN, INT8_MAX)
INTEGER(u8, 0, UINT8_MAX)
INTEGER(i16, INT16_MIN, INT16_MAX)
INTEGER(u16, 0, UINT16_MAX)
INTEGER(i32, INT32_MIN, INT32_MAX)
INTEGER(u32, 0, UINT32_MAX)
INTEGER(i64, INT64_MIN, INT64_MAX)
LOAD(b8, uint8_t, integer, int64_t)
STORE(b8, uint8_t, integer, piece->integer[i] != 0)
STORE(b8, uint8_t, real, piece->real[i] != 0.0)

static void load_c64s(const void* from, LitePiece* piece, int count) {
    const TfLiteComplex64* values = from;
    for (int i = 0; i < count; i++) piece->real[i] = (double)values[i].re;
}

static void store_real_c64(const LitePiece* piece, void* to, int count) {
    TfLiteComplex64* values = to;
    for (int i = 0; i < count; i++) values[i] = (TfLiteComplex64){(float)piece->real[i], 0.0f};
}

static void store_integer_c64(const LitePiece* piece, void* to, int count) {
    TfLiteComplex64* values = to;
    for (int i = 0; i < count; i++) values[i] = (TfLiteComplex64){(float)piece->integer[i], 0.0f};
}

LITE_EXPORT_LOOPS(const LiteConversion*, lite_conversion, (TfLiteType type), (type)) {
    static const LiteConversion conversions[] = {
#define IF_BUILT(TYPE, FUNCTION) (LITE_HAS_TYPE(TYPE) ? (FUNCTION) : NULL)
#define ROW(SUFFIX, INTEGER_FIRST)                                                                           \
    {(TfLiteType)type_##SUFFIX, INTEGER_FIRST, IF_BUILT(type_##SUFFIX, load_##SUFFIX##s),                    \
     IF_BUILT(type_##SUFFIX, store_real_##SUFFIX), IF_BUILT(type_##SUFFIX, store_integer_##SUFFIX)}
        ROW(f32, false),
        ROW(f64, false),
        ROW(f16, false),
        ROW(bf16, false),
        ROW(i8, true),
        ROW(u8, true),
        ROW(i16, true),
        ROW(u16, true),
        ROW(i32, true),
        ROW(u32, true),
        ROW(i64, true),
        ROW(b8, true),
        {kTfLiteComplex64, false, IF_BUILT(kTfLiteComplex64, load_c64s),
         IF_BUILT(kTfLiteComplex64, store_real_c64), IF_BUILT(kTfLiteComplex64, store_integer_c64)},
    };
    for (size_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
        if (conversions[i].type == type) return &conversions[i];
    }
    return NULL;
}
