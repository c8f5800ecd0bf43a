// SPDX-License-Identifier: Apache-2.0
// CAST: elements change type. Through double or int64, in pieces that stay in the cache, so that n types need
// 3 n loops and not n * n.
//
// Floating point to integer truncates and saturates, NaN becomes the highest value; integers wrap; complex
// numbers lose or gain an imaginary part of 0.
#include <string.h>

#include "kernels-cpu/elementwise.h"
#include "kernels-cpu/packed.h"
#include "kernels-cpu/types.h"

enum { kPiece = 256 };

typedef union Piece {
    double real[kPiece];
    int64_t integer[kPiece];
} Piece;

typedef struct Conversion {
    TfLiteType type;
    bool integer; // what `load` fills in
    void (*load)(const void* from, Piece* piece, int count);
    void (*store_real)(const Piece* piece, void* to, int count);
    void (*store_integer)(const Piece* piece, void* to, int count);
} Conversion;

// (T)x for all x; limits of 64-bit types are rounded up as doubles, hence the comparisons.
#define SATURATE(x, VALUE, LOW, HIGH)                                                                        \
    ((x) != (x) || (x) >= (double)(HIGH) ? (VALUE)(HIGH) : (x) <= (double)(LOW) ? (VALUE)(LOW) : (VALUE)(x))

#define LOAD(SUFFIX, STORED, MEMBER, TYPE)                                                                   \
    static void load_##SUFFIX##s(const void* from, Piece* piece, int count) {                                \
        const STORED* values = from;                                                                         \
        for (int i = 0; i < count; i++) piece->MEMBER[i] = (TYPE)load_##SUFFIX(values[i]);                   \
    }
#define STORE(SUFFIX, STORED, MEMBER, RESULT)                                                                \
    static void store_##MEMBER##_##SUFFIX(const Piece* piece, void* to, int count) {                         \
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
    STORE(SUFFIX, stored_##SUFFIX, real, SATURATE(piece->real[i], value_##SUFFIX, LOW, HIGH))
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

static void load_c64s(const void* from, Piece* piece, int count) {
    const TfLiteComplex64* values = from;
    for (int i = 0; i < count; i++) piece->real[i] = (double)values[i].re;
}

static void store_real_c64(const Piece* piece, void* to, int count) {
    TfLiteComplex64* values = to;
    for (int i = 0; i < count; i++) values[i] = (TfLiteComplex64){(float)piece->real[i], 0.0f};
}

static void store_integer_c64(const Piece* piece, void* to, int count) {
    TfLiteComplex64* values = to;
    for (int i = 0; i < count; i++) values[i] = (TfLiteComplex64){(float)piece->integer[i], 0.0f};
}

// NULL for types that are not converted.
static const Conversion* find_conversion(TfLiteType type) {
    static const Conversion conversions[] = {
#define ROW(SUFFIX, INTEGER_FIRST)                                                                           \
    {(TfLiteType)type_##SUFFIX, INTEGER_FIRST, load_##SUFFIX##s, store_real_##SUFFIX, store_integer_##SUFFIX}
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
        {kTfLiteComplex64, false, load_c64s, store_real_c64, store_integer_c64},
    };
    for (size_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
        if (conversions[i].type == type) return &conversions[i];
    }
    return NULL;
}

static TfLiteStatus cast_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_check_counts(context, node, "CAST", 1, 1, 1));
    LITE_TRY(lite_views(context, node, "CAST", &input, 1, &output));
    const bool unpack = lite_is_packed(input.type) && output.type == kTfLiteFloat32;
    const bool pack = lite_is_packed(output.type) && input.type == kTfLiteFloat32;
    const bool convert = find_conversion(input.type) != NULL && find_conversion(output.type) != NULL;
    if (!unpack && !pack && !convert) {
        return lite_fail(context, "CAST: from %s to %s is not supported", TfLiteTypeGetName(input.type),
                         TfLiteTypeGetName(output.type));
    }
    return lite_resize(context, output.tensor, &input.shape);
}

typedef struct CastParams {
    const Conversion* from;
    const Conversion* to;
    size_t from_size;
    size_t to_size;
} CastParams;

static void cast_row(const LiteRow* row) {
    const CastParams* params = row->params;
    const char* from = row->in[0];
    char* to = row->out;
    Piece piece;
    for (int64_t done = 0; done < row->count; done += kPiece) {
        const int count = row->count - done < kPiece ? (int)(row->count - done) : kPiece;
        params->from->load(from + (size_t)done * params->from_size, &piece, count);
        void* end = to + (size_t)done * params->to_size;
        if (params->from->integer) {
            params->to->store_integer(&piece, end, count);
        } else {
            params->to->store_real(&piece, end, count);
        }
    }
}

static void cast_packed(const LiteView* input, const LiteView* output) {
    if (output->type == kTfLiteFloat32) {
        float* to = output->data;
        for (int64_t i = 0; i < output->count; i++) {
            to[i] = (float)lite_packed_get(input->data, input->type, i);
        }
        return;
    }
    const float* from = input->data;
    const int32_t low = lite_packed_low(output->type), high = lite_packed_high(output->type);
    for (int64_t i = 0; i < output->count; i++) {
        lite_packed_set(output->data, output->type, i, SATURATE(from[i], int32_t, low, high));
    }
}

static TfLiteStatus cast_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_views(context, node, "CAST", &input, 1, &output));
    if (output.count == 0) return kTfLiteOk;
    if (lite_is_packed(input.type) || lite_is_packed(output.type)) {
        cast_packed(&input, &output);
        return kTfLiteOk;
    }
    if (input.type == output.type) {
        memcpy(output.data, input.data, output.bytes);
        return kTfLiteOk;
    }
    const CastParams params = {find_conversion(input.type), find_conversion(output.type),
                               lite_type_size(input.type), lite_type_size(output.type)};
    return lite_elementwise(context, "CAST", cast_row, &params, 1, &output, &input, 1);
}

const LiteKernel lite_kernel_CAST = {.prepare = cast_prepare, .invoke = cast_invoke};
