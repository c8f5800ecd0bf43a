// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/binary.h"
#include "kernels-cpu/formulas.h"
#include "kernels-cpu/loops.h"
#include "kernels-cpu/selected.h"

// LOOPS(X): X(operator, type) for every function there is.
#define WIDE_TYPES(X, NAME)                                                                                  \
    X(NAME, f32)                                                                                             \
    X(NAME, f64)                                                                                             \
    X(NAME, f16)                                                                                             \
    X(NAME, i8)                                                                                              \
    X(NAME, u8)                                                                                              \
    X(NAME, i16)                                                                                             \
    X(NAME, u16)                                                                                             \
    X(NAME, i32)                                                                                             \
    X(NAME, u32)                                                                                             \
    X(NAME, i64)                                                                                             \
    X(NAME, u64)                                                                                             \
    X(NAME, b8)
#define LOOPS(X)                                                                                             \
    WIDE_TYPES(X, ADD)                                                                                       \
    WIDE_TYPES(X, MUL)                                                                                       \
    WIDE_TYPES(X, MAXIMUM)                                                                                   \
    WIDE_TYPES(X, MINIMUM)                                                                                   \
    X(MAXIMUM, bf16)                                                                                         \
    X(MINIMUM, bf16)                                                                                         \
    X(SUB, f32)                                                                                              \
    X(SUB, f16)                                                                                              \
    X(SUB, i32)                                                                                              \
    X(SUB, i64)                                                                                              \
    X(DIV, f32)                                                                                              \
    X(DIV, f16)                                                                                              \
    X(SQUARED_DIFFERENCE, f32)                                                                               \
    X(SQUARED_DIFFERENCE, f16)                                                                               \
    X(SQUARED_DIFFERENCE, i32)                                                                               \
    X(FLOOR_DIV, f32)                                                                                        \
    X(FLOOR_DIV, i8)                                                                                         \
    X(FLOOR_DIV, i16)                                                                                        \
    X(FLOOR_DIV, i32)                                                                                        \
    X(FLOOR_MOD, f32)                                                                                        \
    X(FLOOR_MOD, i8)                                                                                         \
    X(FLOOR_MOD, i16)                                                                                        \
    X(FLOOR_MOD, i32)                                                                                        \
    X(FLOOR_MOD, i64)                                                                                        \
    X(ATAN2, f32)                                                                                            \
    X(ATAN2, f64)                                                                                            \
    X(ATAN2, f16)                                                                                            \
    X(ATAN2, bf16)                                                                                           \
    X(POW, f32)                                                                                              \
    X(POW, i32)                                                                                              \
    X(WRAPPED_POW, i32)                                                                                      \
    X(PRELU, f32)

// Powers of integers go through double; what does not fit becomes the lowest value, as x86-64 converts.
static inline int32_t apply_POW_i32(int32_t a, int32_t b) {
    const double power = pow(a, b);
    return power > -2147483649.0 && power < 2147483648.0 ? (int32_t)power : INT32_MIN;
}

static inline int32_t apply_WRAPPED_POW_i32(int32_t a, int32_t b) {
    uint32_t power = 1;
    for (uint32_t square = (uint32_t)a; b > 0; b >>= 1, square *= square) {
        if ((b & 1) != 0) power *= square;
    }
    return (int32_t)power;
}

static inline bool apply_ADD_b8(bool a, bool b) {
    return a || b;
}
static inline bool apply_MUL_b8(bool a, bool b) {
    return a && b;
}
static inline bool apply_MAXIMUM_b8(bool a, bool b) {
    return a || b;
}
static inline bool apply_MINIMUM_b8(bool a, bool b) {
    return a && b;
}

#define DEFINE_LOOP(NAME, SUFFIX)                                                                            \
    static inline value_##SUFFIX NAME##_##SUFFIX##_clamped(value_##SUFFIX a, value_##SUFFIX b,               \
                                                           const LiteBinaryRange* range) {                   \
        const value_##SUFFIX y = apply_##NAME##_##SUFFIX(a, b);                                              \
        return y < range->low.SUFFIX ? range->low.SUFFIX : y > range->high.SUFFIX ? range->high.SUFFIX : y;  \
    }                                                                                                        \
    static void NAME##_##SUFFIX(const LiteRow* row) {                                                        \
        const LiteBinaryRange range = *(const LiteBinaryRange*)row->params;                                  \
        LITE_BINARY_LOOP(                                                                                    \
            row, stored_##SUFFIX, stored_##SUFFIX,                                                           \
            store_##SUFFIX(NAME##_##SUFFIX##_clamped(load_##SUFFIX(a), load_##SUFFIX(b), &range)));          \
    }
LOOPS(DEFINE_LOOP)

// Quotients of integers of 32 bits, cut off, are exact in double precision; and vectors of those there are.
// What is too large saturates.
static inline int32_t apply_QUOTIENT_i32(int32_t a, int32_t b) {
    const double quotient = (double)a / (double)b;
    return quotient < 2147483648.0 ? (int32_t)quotient : INT32_MAX;
}
DEFINE_LOOP(QUOTIENT, i32)

#define apply_NORMAL_POW_f32 lite_pow_normalf
DEFINE_LOOP(NORMAL_POW, f32)

// Are the bits of all of these, with those in `mask`, below `count` from `first` on?
static bool are_usual(const float* x, int64_t length, uint32_t mask, uint32_t first, uint32_t count) {
    uint32_t furthest = 0;
    for (int64_t i = 0; i < length; i++) {
        const uint32_t distance = (lite_float_to_bits(x[i]) & mask) - first;
        furthest = distance > furthest ? distance : furthest;
    }
    return furthest < count;
}

// Squares and cubes, which are what most powers are; others in pieces, so that a few negative numbers do not
// make all slow.
static void power_f32(const LiteRow* row) {
    enum { kPiece = 256 };
    const float *a = row->in[0], *b = row->in[1];
    float* out = row->out;
    const float exponent = row->step[0] != 0 && row->step[1] == 0 ? *b : 0.0f;
    if (exponent == 2.0f) {
        for (int64_t i = 0; i < row->count; i++) out[i] = a[i] * a[i];
        return;
    }
    if (exponent == 3.0f) {
        for (int64_t i = 0; i < row->count; i++) out[i] = a[i] * a[i] * a[i];
        return;
    }
    for (int64_t at = 0; at < row->count; at += kPiece) {
        LiteRow piece = *row;
        piece.in[0] = a + at * row->step[0];
        piece.in[1] = b + at * row->step[1];
        piece.out = out + at;
        piece.count = row->count - at < kPiece ? row->count - at : kPiece;
        const bool usual =
            are_usual(piece.in[0], row->step[0] != 0 ? piece.count : 1, ~0u, LITE_LEAST_NORMAL,
                      LITE_INFINITE - LITE_LEAST_NORMAL) &&
            are_usual(piece.in[1], row->step[1] != 0 ? piece.count : 1, 0x7FFFFFFFu, 0, LITE_INFINITE);
        (usual ? NORMAL_POW_f32 : POW_f32)(&piece);
    }
}

static void MUL_c64(const LiteRow* row) {
    const TfLiteComplex64 *a = row->in[0], *b = row->in[1];
    TfLiteComplex64* out = row->out;
    for (int64_t i = 0; i < row->count; i++) {
        const TfLiteComplex64 x = a[i * row->step[0]], y = b[i * row->step[1]];
        out[i] = (TfLiteComplex64){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
    }
}

LITE_EXPORT_LOOPS(LiteRowFunction, lite_binary_loop, (LiteBinary op, TfLiteType type), (op, type)) {
    enum { kTypes = kTfLiteFloat8E5M2 + 1 };
    static const LiteRowFunction loops[kLiteBinaryCount][kTypes] = {
#define ENTRY(NAME, SUFFIX)                                                                                  \
    [kLiteBinary##NAME][type_##SUFFIX] =                                                                     \
        LITE_HAS_BINARY(NAME) && LITE_HAS_TYPE(type_##SUFFIX) ? NAME##_##SUFFIX : NULL,
        LOOPS(ENTRY)[kLiteBinaryMUL][kTfLiteComplex64] =
            LITE_HAS_BINARY(MUL) && LITE_HAS_TYPE(kTfLiteComplex64) ? MUL_c64 : NULL,
        [kLiteBinaryDIV][kTfLiteInt32] = LITE_HAS_BINARY(DIV) ? QUOTIENT_i32 : NULL,
    };
    if (LITE_HAS_BINARY(POW) && LITE_HAS_TYPE(type_f32) && op == kLiteBinaryPOW && type == kTfLiteFloat32)
        return power_f32;
    return (unsigned)type < kTypes ? loops[op][type] : NULL;
}
