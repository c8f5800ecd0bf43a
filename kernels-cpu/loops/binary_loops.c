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
        const value_##SUFFIX raised = y < range->low.SUFFIX ? range->low.SUFFIX : y;                         \
        return raised > range->high.SUFFIX ? range->high.SUFFIX : raised; /* as lite_clamp_f32 */            \
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

// Squares and cubes, which are what most powers are, are products wherever they are among others, and what
// has the exponent 1 stays.
static inline bool is_product(float b) {
    return b == 1.0f || b == 2.0f || b == 3.0f;
}
static inline float apply_NORMAL_POW_f32(float a, float b) {
    return b == 2.0f ? a * a : b == 3.0f ? a * a * a : b == 1.0f ? a : lite_pow_normalf(a, b);
}
DEFINE_LOOP(f32, NORMAL_POW)

// Is lite_pow_normalf not for these?
static inline bool is_unusual(float a, float b) {
    return lite_float_to_bits(a) - LITE_MIN_NORMAL >= LITE_INFINITE - LITE_MIN_NORMAL ||
           (lite_float_to_bits(b) & 0x7FFFFFFFu) >= LITE_INFINITE;
}

// What each element becomes does not depend on its neighbours.
static void powers_f32(const LiteRow* row) {
    const float *a = row->in[0], *b = row->in[1];
    float* out = row->out;
    NORMAL_POW_f32(row);
    for (int64_t i = 0; i < row->count; i++) {
        if (is_unusual(a[i], b[i]) && !is_product(b[i])) out[i] = apply_POW_f32(a[i], b[i]);
    }
}

enum { kPowers = 256 };
static void power_f32(const LiteRow* row) {
    const float *a = row->in[0], *b = row->in[1];
    float* out = row->out;
    const float exponent = row->step[0] != 0 && row->step[1] == 0 ? *b : 0.0f;
    if (exponent == 1.0f) {
        for (int64_t i = 0; i < row->count; i++) out[i] = a[i];
        return;
    }
    if (exponent == 2.0f) {
        for (int64_t i = 0; i < row->count; i++) out[i] = a[i] * a[i];
        return;
    }
    if (exponent == 3.0f) {
        for (int64_t i = 0; i < row->count; i++) out[i] = a[i] * a[i] * a[i];
        return;
    }
    // One operand for all, in vectors too: with a constant exponent compilers write loops that are none.
    float same[2][kPowers];
    for (int64_t first = 0; first < row->count; first += kPowers) {
        const int64_t count = row->count - first < kPowers ? row->count - first : kPowers;
        LiteRow part = {.out = out + first,
                        .in = {a + first, b + first},
                        .step = {1, 1},
                        .count = count,
                        .params = row->params};
        for (int k = 0; k < 2; k++) {
            if (row->step[k] != 0) continue;
            for (int64_t i = 0; i < count; i++) same[k][i] = k == 0 ? *a : *b;
            part.in[k] = same[k];
        }
        powers_f32(&part);
    }
}

// Sums and products of truth values.
#define DEFINE_TRUTH(NAME, OPERATOR)                                                                         \
    static void NAME(const LiteRow* row) {                                                                   \
        LITE_BINARY_LOOP(row, uint8_t, uint8_t, (uint8_t)((a != 0) OPERATOR(b != 0)));                       \
    }
DEFINE_TRUTH(either_b8, |)
DEFINE_TRUTH(both_b8, &)

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
        [kLiteBinarySTABLEHLO_ADD][kTfLiteBool] = SELECTED(STABLEHLO_ADD, kTfLiteBool, either_b8),
        [kLiteBinarySTABLEHLO_MAXIMUM][kTfLiteBool] = SELECTED(STABLEHLO_MAXIMUM, kTfLiteBool, either_b8),
        [kLiteBinarySTABLEHLO_MINIMUM][kTfLiteBool] = SELECTED(STABLEHLO_MINIMUM, kTfLiteBool, both_b8),
        [kLiteBinarySTABLEHLO_MULTIPLY][kTfLiteBool] = SELECTED(STABLEHLO_MULTIPLY, kTfLiteBool, both_b8),
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
