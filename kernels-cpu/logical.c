// SPDX-License-Identifier: Apache-2.0
// Operators on truth values and bits: LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT, BITWISE_XOR, RIGHT_SHIFT,
// STABLEHLO_AND, STABLEHLO_SHIFT_LEFT.
#include "kernels-cpu/elementwise.h"
#include "kernels-cpu/types.h"

#define LOOP(NAME, STORED, RESULT)                                                                           \
    static void NAME(const LiteRow* row) {                                                                   \
        LITE_BINARY_LOOP(row, STORED, STORED, RESULT);                                                       \
    }
LOOP(and_bool, uint8_t, a != 0 && b != 0)
LOOP(or_bool, uint8_t, a != 0 || b != 0)
LOOP(and_1, uint8_t, a& b)
LOOP(and_2, uint16_t, a& b)
LOOP(and_4, uint32_t, a& b)
LOOP(and_8, uint64_t, a& b)
LOOP(xor_1, uint8_t, a ^ b)
LOOP(xor_2, uint16_t, a ^ b)
LOOP(xor_4, uint32_t, a ^ b)

// Shifts to the right take at most all bits but one, at least none; those to the left count modulo 32.
#define SHIFT_RIGHT(BITS) (b < 0 ? a : a >> (b > (BITS)-1 ? (BITS)-1 : b))
#define SHIFT_RIGHT_UNSIGNED(BITS) (a >> (b > (BITS)-1 ? (BITS)-1 : b))
LOOP(right_i8, int8_t, SHIFT_RIGHT(8))
LOOP(right_i16, int16_t, SHIFT_RIGHT(16))
LOOP(right_i32, int32_t, SHIFT_RIGHT(32))
LOOP(right_u8, uint8_t, SHIFT_RIGHT_UNSIGNED(8))
LOOP(right_u16, uint16_t, SHIFT_RIGHT_UNSIGNED(16))
LOOP(right_u32, uint32_t, SHIFT_RIGHT_UNSIGNED(32))
// Vectors of bytes have no shift that differs from lane to lane: by 1, 2 and 4, as the bits of the count say.
static inline uint8_t shift_byte_left(uint8_t a, uint8_t b) {
    a = (b & 1) != 0 ? (uint8_t)(a << 1) : a;
    a = (b & 2) != 0 ? (uint8_t)(a << 2) : a;
    a = (b & 4) != 0 ? (uint8_t)(a << 4) : a;
    return (b & 24) != 0 ? 0 : a;
}
LOOP(left_i8, int8_t, shift_byte_left((uint8_t)a, (uint8_t)b))
LOOP(left_i16, int16_t, (uint32_t)a << (b & 31))
LOOP(left_i32, int32_t, (uint32_t)a << (b & 31))

typedef struct TypedLoop {
    TfLiteType type;
    LiteRowFunction function;
} TypedLoop;

typedef struct BitOperator {
    const char* name;
    bool broadcast;
    TypedLoop loops[10]; // ends with NULL
} BitOperator;

static LiteRowFunction find_loop(const BitOperator* op, TfLiteType type) {
    const TypedLoop* loop = op->loops;
    while (loop->function != NULL && loop->type != type) loop++;
    return loop->function;
}

static TfLiteStatus bits_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const BitOperator* op) {
    LiteView inputs[2], output;
    LITE_TRY(lite_binary_prepare(context, node, op->name, inputs, &output));
    LITE_TRY(lite_check_type(context, op->name, "output", &output, inputs[0].type));
    if (find_loop(op, inputs[0].type) == NULL) return lite_fail_type(context, op->name, inputs[0].type);
    if (op->broadcast || lite_shape_equal(&inputs[0].shape, &inputs[1].shape)) return kTfLiteOk;
    return lite_fail(context, "%s: inputs of different shapes are not supported: %s and %s", op->name,
                     lite_shape_text(&inputs[0].shape).text, lite_shape_text(&inputs[1].shape).text);
}

static TfLiteStatus bits_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const BitOperator* op) {
    LiteView inputs[2], output;
    LITE_TRY(lite_views(context, node, op->name, inputs, 2, &output));
    return lite_elementwise(context, op->name, find_loop(op, inputs[0].type), NULL, 1, &output, inputs, 2);
}

#define BIT_OPERATOR(NAME, BROADCAST, ...)                                                                   \
    static const BitOperator operator_##NAME = {#NAME, BROADCAST, {__VA_ARGS__}};                            \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return bits_prepare(context, node, &operator_##NAME);                                                \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return bits_invoke(context, node, &operator_##NAME);                                                 \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};
BIT_OPERATOR(LOGICAL_AND, true, {kTfLiteBool, and_bool})
BIT_OPERATOR(LOGICAL_OR, true, {kTfLiteBool, or_bool})
BIT_OPERATOR(BITWISE_XOR, true, {kTfLiteInt8, xor_1}, {kTfLiteUInt8, xor_1}, {kTfLiteInt16, xor_2},
             {kTfLiteUInt16, xor_2}, {kTfLiteInt32, xor_4}, {kTfLiteUInt32, xor_4})
BIT_OPERATOR(RIGHT_SHIFT, true, {kTfLiteInt8, right_i8}, {kTfLiteUInt8, right_u8}, {kTfLiteInt16, right_i16},
             {kTfLiteUInt16, right_u16}, {kTfLiteInt32, right_i32}, {kTfLiteUInt32, right_u32})
BIT_OPERATOR(STABLEHLO_AND, false, {kTfLiteBool, and_bool}, {kTfLiteInt8, and_1}, {kTfLiteUInt8, and_1},
             {kTfLiteInt16, and_2}, {kTfLiteUInt16, and_2}, {kTfLiteInt32, and_4}, {kTfLiteUInt32, and_4},
             {kTfLiteInt64, and_8}, {kTfLiteUInt64, and_8})
BIT_OPERATOR(STABLEHLO_SHIFT_LEFT, false, {kTfLiteInt8, left_i8}, {kTfLiteInt16, left_i16},
             {kTfLiteInt32, left_i32})

static void not_bool(const LiteRow* row) {
    const uint8_t* in = row->in[0];
    uint8_t* out = row->out;
    const int64_t count = row->count;
    for (int64_t i = 0; i < count; i++) out[i] = in[i] == 0;
}

static TfLiteStatus not_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_unary_prepare(context, node, "LOGICAL_NOT", &input, &output));
    return lite_check_type(context, "LOGICAL_NOT", "input", &input, kTfLiteBool);
}

static TfLiteStatus not_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_views(context, node, "LOGICAL_NOT", &input, 1, &output));
    return lite_elementwise(context, "LOGICAL_NOT", not_bool, NULL, 1, &output, &input, 1);
}

const LiteKernel lite_kernel_LOGICAL_NOT = {.prepare = not_prepare, .invoke = not_invoke};
