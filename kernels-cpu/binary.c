// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two tensors that are broadcast to each other: the BINARY lines of core/elementwise.def.
#include "core/base/epilogue.h"
#include "core/base/places.h"
#include "kernels-cpu/loops/binary_loops.h"
#include "kernels-cpu/loops/over_loops.h"
#include "kernels-cpu/quantized/binary_quantized.h"
#include "kernels-cpu/support/selected.h"

typedef struct BinaryOperator {
    const char* name;
    LiteBinary op;
    unsigned plain;     // types computed as they are
    unsigned quantized; // types computed with scales and zero points; in both: by whether there is a scale
    unsigned traits;    // LiteTrait
    int cost;           // nanoseconds per element
} BinaryOperator;

typedef struct BinaryData {
    LiteRowFunction function;
    bool quantized;
    LiteBinaryRange range;
    LiteBinaryTables* tables; // once it was quantized; they are large
} BinaryData;

static const void* params_of(const BinaryData* data) {
    return data->quantized ? (const void*)data->tables : &data->range;
}

static void* binary_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return lite_calloc(1, sizeof(BinaryData));
}

static void binary_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    if (data != NULL) lite_free(((BinaryData*)data)->tables);
    lite_free(data);
}

static bool has(const BinaryOperator* op, LiteTrait trait) {
    return (op->traits & trait) != 0;
}

// The parameters of ADD, SUB, MUL and DIV all begin with the activation; those of ADD and SUB go on with
// pot_scale_int16. As in the reference, what is no range of values is no activation.
static TfLiteFusedActivation fused_activation(const BinaryOperator* op, const TfLiteOpaqueNode* node) {
    const TfLiteFusedActivation* activation = TfLiteOpaqueNodeGetBuiltinData(node);
    if (!has(op, kLiteTraitACTIVATION) || activation == NULL || *activation > kTfLiteActRelu6)
        return kTfLiteActNone;
    return *activation;
}

static bool pot_scale_int16(const BinaryOperator* op, const TfLiteOpaqueNode* node) {
    const TfLiteAddParams* params = TfLiteOpaqueNodeGetBuiltinData(node); // those of SUB are alike
    return has(op, kLiteTraitPOT_SCALES) && params != NULL && params->pot_scale_int16;
}

// Also one that counts as none.
static bool states_activation(const BinaryOperator* op, const TfLiteOpaqueNode* node) {
    const TfLiteFusedActivation* activation = TfLiteOpaqueNodeGetBuiltinData(node);
    return has(op, kLiteTraitACTIVATION) && activation != NULL && *activation != kTfLiteActNone;
}

// The values an activation leaves: everything, from 0, 0 to 6, -1 to 1.
static void set_range(TfLiteType type, TfLiteFusedActivation activation, LiteBinaryRange* range) {
    switch ((int)type) {
#define RANGE(SUFFIX, CODE, STORED, VALUE, LOW, HIGH)                                                        \
    case CODE:                                                                                               \
        range->low.SUFFIX = activation == kTfLiteActNone ? (VALUE)(LOW) : (VALUE)0;                          \
        range->high.SUFFIX = activation == kTfLiteActRelu6 ? (VALUE)6 : (VALUE)(HIGH);                       \
        if (activation == kTfLiteActReluN1To1) {                                                             \
            range->low.SUFFIX = (VALUE)((VALUE)(LOW) == 0 ? 0 : -1);                                         \
            range->high.SUFFIX = (VALUE)1;                                                                   \
        }                                                                                                    \
        break;
        LITE_TYPES(RANGE)
    default:
        break;
    }
}

static TfLiteStatus choose_plain(TfLiteOpaqueContext* context, const BinaryOperator* op, TfLiteType type,
                                 TfLiteFusedActivation activation, bool is_stated, BinaryData* data) {
    if (type == kTfLiteComplex64 && is_stated) {
        return lite_fail(context, "%s: Activation is not allowed for COMPLEX64 input.", op->name);
    }
    set_range(type, activation, &data->range);
    data->function = lite_binary_loop(op->op, type);
    return data->function != NULL ? kTfLiteOk : lite_check_fail_type(context, op->name, type);
}

static TfLiteStatus binary_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                   const BinaryOperator* op) {
    BinaryData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data == NULL) return lite_fail(context, "%s: out of memory", op->name);
    LiteView inputs[2], output;
    LITE_TRY(lite_elementwise_prepare_mixed(context, node, op->name, inputs, &output));
    const TfLiteType type = inputs[0].type;
    // 16-bit activations may have 8-bit slopes.
    const bool mixed = op->op == kLiteBinaryPRELU && type == kTfLiteInt16 && inputs[1].type == kTfLiteInt8;
    if (!mixed) LITE_TRY(lite_elementwise_check_pair(context, op->name, inputs));
    if (has(op, kLiteTraitSAME_SHAPE) && !lite_shape_equal(&inputs[0].shape, &inputs[1].shape)) {
        return lite_fail(context, "%s: inputs of different shapes are not supported: %s and %s", op->name,
                         lite_shape_text(&inputs[0].shape).text, lite_shape_text(&inputs[1].shape).text);
    }
    if (op->op == kLiteBinaryPRELU && !lite_shape_equal(&output.shape, &inputs[0].shape)) {
        return lite_fail(context, "%s: alpha does not broadcast to the input: %s and %s", op->name,
                         lite_shape_text(&inputs[1].shape).text, lite_shape_text(&inputs[0].shape).text);
    }
    // 16-bit products may have an 8-bit output.
    const bool narrow = has(op, kLiteTraitNARROWS) && type == kTfLiteInt16 &&
                        lite_types_contain(LITE_TYPES_BYTE, output.type);
    if (!narrow) LITE_TRY(lite_check_type(context, op->name, "output", &output, type));
    const TfLiteFusedActivation activation = fused_activation(op, node);
    const bool plain = lite_types_contain(op->plain, type) && !narrow;
    data->quantized = lite_types_contain(op->quantized, type) && (!plain || output.affine != NULL);
    if (data->quantized) {
        if (data->tables == NULL) data->tables = lite_calloc(1, sizeof *data->tables);
        if (data->tables == NULL) return lite_fail(context, "%s: out of memory", op->name);
        return lite_binary_quantized(context, op->name, op->op, inputs, &output, activation,
                                     pot_scale_int16(op, node), data->tables, &data->function);
    }
    if (!plain) return lite_check_fail_type(context, op->name, type);
    LITE_TRY(choose_plain(context, op, type, activation, states_activation(op, node), data));
    // One exponent for values of another shape: the reference multiplies integers then.
    const bool multiplies = op->op == kLiteBinaryPOW && type == kTfLiteInt32 && inputs[1].count == 1 &&
                            !lite_shape_equal(&inputs[0].shape, &inputs[1].shape);
    if (multiplies) data->function = lite_binary_wrapped_power_loop();
    return kTfLiteOk;
}

// No divisor is `none`, the value that stands for 0.
static TfLiteStatus check_divisors(TfLiteOpaqueContext* context, const BinaryOperator* op,
                                   const LiteView* divisors, int32_t none) {
    bool zero = false;
    switch ((int)divisors->type) {
#define SCAN(SUFFIX, CODE, STORED, VALUE, LOW, HIGH)                                                         \
    case CODE: {                                                                                             \
        const STORED* values = divisors->data;                                                               \
        for (int64_t i = 0; i < divisors->count; i++) zero |= values[i] == (STORED)none;                     \
        break;                                                                                               \
    }
        LITE_INTEGER_TYPES(SCAN)
        SCAN(f32, kTfLiteFloat32, float, float, , )
    default:
        break;
    }
    return zero ? lite_fail(context, "%s: Division by 0", op->name) : kTfLiteOk;
}

static TfLiteStatus check_exponents(TfLiteOpaqueContext* context, const BinaryOperator* op,
                                    const LiteView* exponents) {
    const int32_t* values = exponents->data;
    for (int64_t i = 0; i < exponents->count && exponents->type == kTfLiteInt32; i++) {
        if (values[i] < 0) {
            return lite_fail(context,
                             "%s: negative exponent %d of an integer: POW does not support negative "
                             "value for int32.",
                             op->name, (int)values[i]);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus binary_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                  const BinaryOperator* op) {
    const BinaryData* data = TfLiteOpaqueNodeGetUserData(node);
    LiteView inputs[2], output;
    LITE_TRY(lite_kernel_views(context, node, op->name, inputs, 2, &output));
    if (output.count == 0) return kTfLiteOk;
    const bool is_float = inputs[1].type == kTfLiteFloat32;
    if (has(op, is_float ? kLiteTraitDIVIDES_REAL : kLiteTraitDIVIDES)) {
        LITE_TRY(check_divisors(context, op, &inputs[1], data->quantized ? inputs[1].zero_point : 0));
    }
    if (op->op == kLiteBinaryPOW) LITE_TRY(check_exponents(context, op, &inputs[1]));
    if (has(op, kLiteTraitSWAPPED)) {
        const LiteView first = inputs[0];
        inputs[0] = inputs[1];
        inputs[1] = first;
    }
    return lite_elementwise_run(context, op->name, data->function, params_of(data), op->cost, &output, inputs,
                                2);
}

// Nothing that invoke would have to check.
static bool describe(const TfLiteOpaqueNode* node, const BinaryOperator* op, LiteEpilogueStep* step) {
    const BinaryData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data->quantized || has(op, kLiteTraitDIVIDES_REAL)) return false;
    step->function = data->function;
    step->over = lite_binary_over_loop(op->op);
    step->params = &data->range;
    step->cost = op->cost;
    step->swapped = has(op, kLiteTraitSWAPPED);
    step->is_product = op->op == kLiteBinaryMUL && fused_activation(op, node) == kTfLiteActNone;
    step->operand_count = 2;
    return true;
}

// The output may take the place of an input.
static bool find_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    (void)context;
    const BinaryData* data = TfLiteOpaqueNodeGetUserData(node);
    const int *inputs, *outputs;
    int count;
    if (!data->quantized || !data->tables->may_overwrite ||
        TfLiteOpaqueNodeInputs(node, &inputs, &count) != kTfLiteOk ||
        TfLiteOpaqueNodeOutputs(node, &outputs, &count) != kTfLiteOk) {
        return false;
    }
    places->is_partly = true;      // it computes
    for (int k = 1; k >= 0; k--) { // the second one is often what has just been computed
        (void)lite_places_add(places, (LitePlace){outputs[0], inputs[k], .is_over = true});
    }
    return true;
}

#define HAS_BYTES (LITE_HAS_TYPE(kTfLiteInt8) || LITE_HAS_TYPE(kTfLiteUInt8))
#define FOLD_MUL , kLiteFoldConstants

#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER)                                          \
    static const BinaryOperator operator_##NAME = {                                                          \
        #NAME, kLiteBinary##NAME, PLAIN, QUANTIZED, TRAITS, COST};                                           \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return binary_prepare(context, node, &operator_##NAME);                                              \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return binary_invoke(context, node, &operator_##NAME);                                               \
    }                                                                                                        \
    static bool describe_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                        \
                                LiteEpilogueStep* step) {                                                    \
        (void)context;                                                                                       \
        return describe(node, &operator_##NAME, step);                                                       \
    }                                                                                                        \
    static const LiteLines lines_##NAME = {.describe =                                                       \
                                               LITE_HAS_TYPE(kTfLiteFloat32) ? describe_##NAME : NULL,       \
                                           .find_places = HAS_BYTES ? find_places : NULL};                   \
    const LiteKernel lite_kernel_##NAME = {.init = binary_init,                                              \
                                           .free = binary_free,                                              \
                                           .prepare = prepare_##NAME,                                        \
                                           .invoke = invoke_##NAME,                                          \
                                           .lines = &lines_##NAME,                                           \
                                           .fold = LITE_OR(FOLD_##NAME, kLiteFoldNever)};
#define BINARY_LIKE(NAME, FORMULA, PLAIN, TRAITS, COST) BINARY(NAME, PLAIN, 0, TRAITS, COST, 0, 0)
#include "core/elementwise.def"
