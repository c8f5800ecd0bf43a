// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/binary_loops.h"
#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"

// A loop of each formula for each type. The table below names those that the lines ask for; the compiler
// drops the others.
#define DEFINE_LOOP(SUFFIX, NAME)                                                                            \
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
#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER) LITE_EACH_SUFFIX(DEFINE_LOOP, NAME)
#include "core/elementwise.def"

// The exceptions. Powers of integers go through double; what does not fit becomes the lowest value, as x86-64
// converts.
static inline int32_t apply_INTEGER_POW_i32(int32_t a, int32_t b) {
    const double power = pow(a, b);
    return power > -2147483649.0 && power < 2147483648.0 ? (int32_t)power : INT32_MIN;
}
DEFINE_LOOP(i32, INTEGER_POW)

static inline int32_t apply_WRAPPED_POW_i32(int32_t a, int32_t b) {
    uint32_t power = 1;
    for (uint32_t square = (uint32_t)a; b > 0; b >>= 1, square *= square) {
        if ((b & 1) != 0) power *= square;
    }
    return (int32_t)power;
}
DEFINE_LOOP(i32, WRAPPED_POW)

// Quotients of integers of 32 bits, cut off, are exact in double precision; and vectors of those there are.
// What is too large saturates.
static inline int32_t apply_QUOTIENT_i32(int32_t a, int32_t b) {
    const double quotient = (double)a / (double)b;
    return quotient < 2147483648.0 ? (int32_t)quotient : INT32_MAX;
}
DEFINE_LOOP(i32, QUOTIENT)

#define apply_NORMAL_POW_f32 lite_pow_normalf
DEFINE_LOOP(f32, NORMAL_POW)

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
            are_usual(piece.in[0], row->step[0] != 0 ? piece.count : 1, ~0u, LITE_MIN_NORMAL,
                      LITE_INFINITE - LITE_MIN_NORMAL) &&
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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" // exceptions replace the loops of formulas
LITE_EXPORT_LOOPS(LiteRowFunction, lite_binary_loop, (LiteBinary op, TfLiteType type), (op, type)) {
    enum { kTypes = kTfLiteFloat8E5M2 + 1 };
    static const LiteRowFunction loops[kLiteBinaryCount][kTypes] = {
#define SELECTED(NAME, TYPE, LOOP) lite_has_##NAME&& LITE_HAS_TYPE(TYPE) ? LOOP : NULL
#define ENTRY(SUFFIX, NAME, FORMULA, PLAIN)                                                                  \
    [kLiteBinary##NAME][type_##SUFFIX] =                                                                     \
        LITE_SET_HAS(PLAIN, SUFFIX) ? SELECTED(NAME, type_##SUFFIX, FORMULA##_##SUFFIX) : NULL,
#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER) LITE_EACH_SUFFIX(ENTRY, NAME, NAME, PLAIN)
#define BINARY_LIKE(NAME, FORMULA, PLAIN, TRAITS, COST) LITE_EACH_SUFFIX(ENTRY, NAME, FORMULA, PLAIN)
#include "core/elementwise.def"
        [kLiteBinaryDIV][kTfLiteInt32] = SELECTED(DIV, kTfLiteInt32, QUOTIENT_i32),
        [kLiteBinaryMUL][kTfLiteComplex64] = SELECTED(MUL, kTfLiteComplex64, MUL_c64),
        [kLiteBinaryPOW][kTfLiteFloat32] = SELECTED(POW, kTfLiteFloat32, power_f32),
        [kLiteBinaryPOW][kTfLiteInt32] = SELECTED(POW, kTfLiteInt32, INTEGER_POW_i32),
    };
    return (unsigned)type < kTypes ? loops[op][type] : NULL;
}
#pragma GCC diagnostic pop

LITE_EXPORT_LOOPS(LiteRowFunction, lite_binary_wrapped_power_loop, (void), ()) {
    return lite_has_POW && LITE_HAS_TYPE(kTfLiteInt32) ? WRAPPED_POW_i32 : NULL;
}
