// SPDX-License-Identifier: Apache-2.0
// Operators on bits and truth values: the BITWISE lines of core/elementwise.def.
#include <string.h>

#include "kernels-cpu/loops/bitwise_loops.h"

typedef struct BitOperator {
    const char* name;
    LiteBitwise op;
    unsigned traits; // LiteTrait
} BitOperator;

static TfLiteStatus bits_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const BitOperator* op) {
    LiteView inputs[2], output;
    LITE_TRY(lite_elementwise_prepare_binary(context, node, op->name, inputs, &output));
    if (lite_bitwise_loop(op->op, inputs[0].type) == NULL) {
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
    return lite_elementwise_run(context, op->name, lite_bitwise_loop(op->op, inputs[0].type), NULL, 1,
                                &output, inputs, 2);
}

#define BITWISE(NAME, PLAIN, TRAITS, INTEGER)                                                                \
    static const BitOperator operator_##NAME = {#NAME, kLiteBitwise##NAME, TRAITS};                          \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return bits_prepare(context, node, &operator_##NAME);                                                \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return bits_invoke(context, node, &operator_##NAME);                                                 \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};
#include "core/elementwise.def"
