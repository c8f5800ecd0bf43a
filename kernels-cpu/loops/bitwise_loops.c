// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/bitwise_loops.h"

#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"

// X(suffix, suffix of the unsigned type of that width, …)
#define EACH_INTEGER(X, ...)                                                                                 \
    X(i8, u8, __VA_ARGS__)                                                                                   \
    X(u8, u8, __VA_ARGS__)                                                                                   \
    X(i16, u16, __VA_ARGS__)                                                                                 \
    X(u16, u16, __VA_ARGS__)                                                                                 \
    X(i32, u32, __VA_ARGS__)                                                                                 \
    X(u32, u32, __VA_ARGS__)                                                                                 \
    X(i64, u64, __VA_ARGS__)                                                                                 \
    X(u64, u64, __VA_ARGS__)                                                                                 \
    X(b8, b8, __VA_ARGS__)

// A loop of each formula for each type. The table below names those that the lines ask for.
#define LOOP(SUFFIX, UNSIGNED, NAME)                                                                         \
    static void NAME##_##SUFFIX(const LiteRow* row) {                                                        \
        LITE_BINARY_LOOP(row, stored_##SUFFIX, stored_##SUFFIX,                                              \
                         apply_##NAME##_##SUFFIX(load_##SUFFIX(a), load_##SUFFIX(b)));                       \
    }
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) EACH_INTEGER(LOOP, NAME)
#include "core/elementwise.def"

// Vectors of bytes have no shift that differs from lane to lane: by 1, 2 and 4, as the bits of the count say.
static inline uint8_t shift_byte_left(uint8_t a, uint8_t b) {
    a = (b & 1) != 0 ? (uint8_t)(a << 1) : a;
    a = (b & 2) != 0 ? (uint8_t)(a << 2) : a;
    a = (b & 4) != 0 ? (uint8_t)(a << 4) : a;
    return (b & 24) != 0 ? 0 : a;
}
static void shift_bytes_left(const LiteRow* row) {
    LITE_BINARY_LOOP(row, int8_t, int8_t, shift_byte_left((uint8_t)a, (uint8_t)b));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" // the exception replaces the loop of a formula
LITE_EXPORT_LOOPS(LiteRowFunction, lite_bitwise_loop, (LiteBitwise op, TfLiteType type), (op, type)) {
    enum { kTypes = kTfLiteFloat8E5M2 + 1 };
    static const LiteRowFunction loops[kLiteBitwiseCount][kTypes] = {
#define SELECTED(NAME, TYPE, LOOP) lite_has_##NAME&& LITE_HAS_TYPE(TYPE) ? LOOP : NULL
#define ENTRY(SUFFIX, UNSIGNED, NAME, PLAIN, TRAITS)                                                         \
    [kLiteBitwise##NAME][type_##SUFFIX] = !LITE_SET_HAS(PLAIN, SUFFIX) ? NULL                                \
                                          : (TRAITS)&kLiteTraitANY_SIGN                                      \
                                              ? SELECTED(NAME, type_##SUFFIX, NAME##_##UNSIGNED)             \
                                              : SELECTED(NAME, type_##SUFFIX, NAME##_##SUFFIX),
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) EACH_INTEGER(ENTRY, NAME, PLAIN, TRAITS)
#include "core/elementwise.def"
        [kLiteBitwiseSTABLEHLO_SHIFT_LEFT][kTfLiteInt8] =
            SELECTED(STABLEHLO_SHIFT_LEFT, kTfLiteInt8, shift_bytes_left),
    };
    return (unsigned)type < kTypes ? loops[op][type] : NULL;
}
#pragma GCC diagnostic pop
