// SPDX-License-Identifier: Apache-2.0
// Binary operators on quantized integers, bit for bit as the reference kernels.
#include "kernels-cpu/loops/binary_quantized_loops.h"
#include "core/semantics/fixedpoint.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/types.h"

// Results of the operators before clamping; a and b without their zero points.
static inline int32_t quantized_ADD(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_multiply(lite_wrapping_add(lite_binary_rescaled(q, 0, a), lite_binary_rescaled(q, 1, b)),
                         q->multiplier);
}

static inline int32_t quantized_SUB(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_multiply(lite_wrapping_sub(lite_binary_rescaled(q, 0, a), lite_binary_rescaled(q, 1, b)),
                         q->multiplier);
}

static inline int32_t quantized_MUL(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_multiply(a * b, q->multiplier);
}

static inline int32_t quantized_SQUARED_DIFFERENCE(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    const int32_t difference =
        lite_wrapping_sub(lite_binary_rescaled(q, 0, a), lite_binary_rescaled(q, 1, b));
    return lite_multiply((int32_t)((uint32_t)difference * (uint32_t)difference), q->multiplier);
}

static inline int32_t quantized_PRELU(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return a >= 0 ? lite_multiply(a, q->multipliers[0])
                  : lite_multiply((int32_t)((uint32_t)a * (uint32_t)b), q->multipliers[1]);
}

static inline int32_t quantized_DIV(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    if (b < 0) {
        a = -a;
        b = -b;
    }
    int reciprocal_shift;
    const int32_t reciprocal = lite_reciprocal(b, &reciprocal_shift);
    const int headroom = __builtin_clrsb(a);
    const int32_t quotient = lite_doubling_high_mul((int32_t)((uint32_t)a << headroom), reciprocal);
    return lite_reference_shift_right(lite_doubling_high_mul(quotient, q->multiplier.value),
                                      reciprocal_shift + headroom - q->multiplier.shift, 32);
}

// 16-bit addition and subtraction with scales that are powers of 2: one input is shifted, the sum saturates.
static inline int32_t quantized_ADD_POT(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_scale_pot(a, q->multipliers[0].shift) + lite_scale_pot(b, q->multipliers[1].shift);
}

static inline int32_t quantized_SUB_POT(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    return lite_scale_pot(a, q->multipliers[0].shift) - lite_scale_pot(b, q->multipliers[1].shift);
}

// 16-bit inputs in [-1, 1) to an 8-bit output: the product's upper 8 bits.
static inline int32_t quantized_MUL_16(int32_t a, int32_t b, const LiteBinaryQuantized* q) {
    (void)q;
    const int32_t product = a * b;
    const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
    const int32_t high = (product + nudge) / (1 << 15);
    return lite_rounding_shift_right(high > INT16_MAX ? INT16_MAX : high, 8);
}

#define MIXED_LOOP(NAME, NAMED, LEFT, RIGHT, OUT)                                                            \
    static inline int32_t NAMED##_clamped(int32_t a, int32_t b, const LiteBinaryQuantized* q) {              \
        const int32_t y = quantized_##NAME(a - q->zero_points[0], b - q->zero_points[1], q);                 \
        return lite_clamp_i32(lite_wrapping_add(y, q->zero_point), q->low, q->high);                         \
    }                                                                                                        \
    static void NAMED(const LiteRow* row) {                                                                  \
        const LiteBinaryQuantized q = *(const LiteBinaryQuantized*)row->params;                              \
        LITE_MIXED_LOOP(row, LEFT, RIGHT, OUT, NAMED##_clamped(a, b, &q));                                   \
    }
#define LOOP(NAME, NAMED, IN, OUT) MIXED_LOOP(NAME, NAMED, IN, IN, OUT)
#define LOOPS_8(NAME) LOOP(NAME, NAME##_i8, int8_t, int8_t) LOOP(NAME, NAME##_u8, uint8_t, uint8_t)
#define LOOP_16(NAME) LOOP(NAME, NAME##_i16, int16_t, int16_t)
LOOP_16(ADD)
LOOP_16(ADD_POT)
LOOP_16(SUB)
LOOP_16(SUB_POT)
LOOP_16(MUL)
LOOP(MUL_16, MUL_i16_i8, int16_t, int8_t)
LOOP(MUL_16, MUL_i16_u8, int16_t, uint8_t)
LOOPS_8(DIV)
LOOP_16(DIV)
LOOPS_8(PRELU)
LOOP_16(PRELU)
MIXED_LOOP(PRELU, PRELU_i16_by_i8, int16_t, int8_t, int16_t)
LOOP(SQUARED_DIFFERENCE, SQUARED_DIFFERENCE_i8, int8_t, int8_t)

#define PRODUCTS(SUFFIX)                                                                                     \
    static void products_##SUFFIX(const LiteRow* row) {                                                      \
        const LiteBinaryQuantized* q = row->params;                                                          \
        const int32_t zero_a = q->zero_points[0], zero_b = q->zero_points[1];                                \
        LITE_BINARY_LOOP(row, stored_##SUFFIX, int32_t, (a - zero_a) * (b - zero_b));                        \
    }
PRODUCTS(i8)
PRODUCTS(u8)

LITE_EXPORT_LOOPS(LiteRowFunction, lite_binary_product_loop, (TfLiteType type), (type)) {
    return type == kTfLiteInt8 ? products_i8 : products_u8;
}

LITE_EXPORT_LOOPS(LiteRowFunction, lite_binary_narrow_slopes_loop, (void), ()) {
    return PRELU_i16_by_i8;
}

#define HAS(NAME, SUFFIX) (lite_has_##NAME && LITE_HAS_TYPE(type_##SUFFIX))
LITE_EXPORT_LOOPS(LiteRowFunction, lite_binary_quantized_loop, (LiteBinary op, TfLiteType in, TfLiteType out),
                  (op, in, out)) {
    static const struct {
        LiteBinary op;
        int in;
        int out;
        LiteRowFunction function;
    } loops[] = {
#define ENTRY(NAME, SUFFIX)                                                                                  \
    {kLiteBinary##NAME, type_##SUFFIX, type_##SUFFIX, HAS(NAME, SUFFIX) ? NAME##_##SUFFIX : NULL}
        ENTRY(ADD, i16),
        ENTRY(SUB, i16),
        ENTRY(MUL, i16),
        {kLiteBinaryMUL, kTfLiteInt16, kTfLiteInt8, HAS(MUL, i16) ? MUL_i16_i8 : NULL},
        {kLiteBinaryMUL, kTfLiteInt16, kTfLiteUInt8, HAS(MUL, i16) ? MUL_i16_u8 : NULL},
        ENTRY(DIV, i8),
        ENTRY(DIV, u8),
        ENTRY(DIV, i16),
        ENTRY(PRELU, i8),
        ENTRY(PRELU, u8),
        ENTRY(PRELU, i16),
        ENTRY(SQUARED_DIFFERENCE, i8),
    };
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        if (loops[i].op == op && loops[i].in == (int)in && loops[i].out == (int)out) return loops[i].function;
    }
    return NULL;
}

LITE_EXPORT_LOOPS(LiteRowFunction, lite_binary_pot_loop, (LiteBinary op), (op)) {
    if (op == kLiteBinarySUB) return HAS(SUB, i16) ? SUB_POT_i16 : NULL;
    return HAS(ADD, i16) ? ADD_POT_i16 : NULL;
}
