// SPDX-License-Identifier: Apache-2.0
// Operators on bits and truth values: the BITWISE lines of core/elementwise.def.
#include <string.h>

#include "core/semantics/elementwise.h"
#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/support/elementwise.h"

typedef enum BitOperation {
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) k##NAME,
#include "core/elementwise.def"
    kBitOperationCount,
} BitOperation;

typedef struct BitOperator {
    const char* name;
    BitOperation op;
    unsigned traits; // LiteTrait
} BitOperator;

enum { kTypes = kTfLiteFloat8E5M2 + 1 };

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

static LiteRowFunction find_loop(BitOperation op, TfLiteType type) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" // the exception replaces the loop of a formula
    static const LiteRowFunction loops[kBitOperationCount][kTypes] = {
#define ENTRY(SUFFIX, UNSIGNED, NAME, PLAIN, TRAITS)                                                         \
    [k##NAME][type_##SUFFIX] = !LITE_SET_HAS(PLAIN, SUFFIX)  ? NULL                                          \
                               : (TRAITS)&kLiteTraitANY_SIGN ? NAME##_##UNSIGNED                             \
                                                             : NAME##_##SUFFIX,
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) EACH_INTEGER(ENTRY, NAME, PLAIN, TRAITS)
#include "core/elementwise.def"
        [kSTABLEHLO_SHIFT_LEFT][kTfLiteInt8] = shift_bytes_left,
    };
#pragma GCC diagnostic pop
    return (unsigned)type < kTypes ? loops[op][type] : NULL;
}

static TfLiteStatus bits_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const BitOperator* op) {
    LiteView inputs[2], output;
    LITE_TRY(lite_elementwise_prepare_binary(context, node, op->name, inputs, &output));
    if (find_loop(op->op, inputs[0].type) == NULL) {
        const bool logical = strncmp(op->name, "LOGICAL_", 8) == 0;
        return lite_fail(context, "%s: type %s is not supported%s", op->name,
                         TfLiteTypeGetName(inputs[0].type),
                         logical ? ": Logical ops only support bool type." : "");
    }
    LITE_TRY(lite_check_type(context, op->name, "output", &output, inputs[0].type));
    if ((op->traits & kLiteTraitSAME_SHAPE) == 0 || lite_shape_equal(&inputs[0].shape, &inputs[1].shape))
        return kTfLiteOk;
    return lite_fail(context, "%s: inputs of different shapes are not supported: %s and %s", op->name,
                     lite_shape_text(&inputs[0].shape).text, lite_shape_text(&inputs[1].shape).text);
}

static TfLiteStatus bits_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const BitOperator* op) {
    LiteView inputs[2], output;
    LITE_TRY(lite_kernel_views(context, node, op->name, inputs, 2, &output));
    return lite_elementwise_run(context, op->name, find_loop(op->op, inputs[0].type), NULL, 1, &output,
                                inputs, 2);
}

#define BITWISE(NAME, PLAIN, TRAITS, INTEGER)                                                                \
    static const BitOperator operator_##NAME = {#NAME, k##NAME, TRAITS};                                     \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return bits_prepare(context, node, &operator_##NAME);                                                \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return bits_invoke(context, node, &operator_##NAME);                                                 \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};
#include "core/elementwise.def"
