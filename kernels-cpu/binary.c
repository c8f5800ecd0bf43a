// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two tensors that are broadcast to each other: ADD, SUB, MUL, DIV, MAXIMUM, MINIMUM,
// SQUARED_DIFFERENCE, FLOOR_DIV, FLOOR_MOD, POW, ATAN2, PRELU, and the StableHLO forms of the first ones.
#include "kernels-cpu/binary.h"

#include "kernels-cpu/binary_join.h"

#define TYPE(SUFFIX) (1u << type_##SUFFIX)
enum {
    kQuantized8 = TYPE(i8) | TYPE(u8),
    kQuantized = kQuantized8 | TYPE(i16),
    kWide = TYPE(f32) | TYPE(f64) | TYPE(f16) | TYPE(i8) | TYPE(u8) | TYPE(i16) | TYPE(u16) | TYPE(i32) |
            TYPE(u32) | TYPE(i64) | TYPE(u64) | TYPE(b8),
};

typedef struct BinaryOperator {
    const char* name;
    LiteBinary op;
    unsigned plain; // types computed as they are
    unsigned
        quantized;   // types computed with scales and zero points; int16 in both: by whether it has a scale
    bool activation; // the parameters begin with a fused activation
    bool broadcast;
    int cost; // nanoseconds per element
} BinaryOperator;

typedef struct BinaryData {
    LiteRowFunction function;
    bool quantized;
    union {
        LiteBinaryRange range;
        LiteBinaryTables quantized;
    } params;
    LiteBinaryJoin join;
} BinaryData;

static void* binary_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    BinaryData* data = lite_calloc(1, sizeof(BinaryData));
    if (data != NULL) data->join.scratch_tensor = -1;
    return data;
}

static void binary_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static bool contains(unsigned types, TfLiteType type) {
    return (unsigned)type < 32 && (types >> type & 1) != 0;
}

// The parameters of ADD, SUB, MUL and DIV all begin with the activation; those of ADD and SUB go on with
// pot_scale_int16. As in the reference, what is no range of values is no activation.
static TfLiteFusedActivation fused_activation(const BinaryOperator* op, const TfLiteOpaqueNode* node) {
    const TfLiteFusedActivation* activation = TfLiteOpaqueNodeGetBuiltinData(node);
    if (!op->activation || activation == NULL || *activation > kTfLiteActRelu6) return kTfLiteActNone;
    return *activation;
}

static bool pot_scale_int16(const BinaryOperator* op, const TfLiteOpaqueNode* node) {
    const void* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return false;
    if (op->op == kLiteBinaryADD) return ((const TfLiteAddParams*)params)->pot_scale_int16;
    if (op->op == kLiteBinarySUB) return ((const TfLiteSubParams*)params)->pot_scale_int16;
    return false;
}

// Also one that counts as none.
static bool states_activation(const BinaryOperator* op, const TfLiteOpaqueNode* node) {
    const TfLiteFusedActivation* activation = TfLiteOpaqueNodeGetBuiltinData(node);
    return op->activation && activation != NULL && *activation != kTfLiteActNone;
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
        return lite_fail(context, "%s: complex numbers with a fused activation are not supported", op->name);
    }
    set_range(type, activation, &data->params.range);
    data->function = lite_binary_loop(op->op, type);
    return data->function != NULL ? kTfLiteOk : lite_fail_type(context, op->name, type);
}

static TfLiteStatus binary_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                   const BinaryOperator* op) {
    BinaryData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data == NULL) return lite_fail(context, "%s: out of memory", op->name);
    if (data->join.source.begin != NULL) { // by the prepare before
        data->join.source.begin = NULL;
        LITE_TRY(TfLiteOpaqueNodeSetTemporaries(node, NULL, 0));
    }
    LiteView inputs[2], output;
    LITE_TRY(lite_mixed_prepare(context, node, op->name, inputs, &output));
    const TfLiteType type = inputs[0].type;
    // 16-bit activations may have 8-bit slopes.
    const bool mixed = op->op == kLiteBinaryPRELU && type == kTfLiteInt16 && inputs[1].type == kTfLiteInt8;
    if (!mixed) LITE_TRY(lite_check_type(context, op->name, "input 1", &inputs[1], type));
    if (!op->broadcast && !lite_shape_equal(&inputs[0].shape, &inputs[1].shape)) {
        return lite_fail(context, "%s: inputs of different shapes are not supported: %s and %s", op->name,
                         lite_shape_text(&inputs[0].shape).text, lite_shape_text(&inputs[1].shape).text);
    }
    if (op->op == kLiteBinaryPRELU && !lite_shape_equal(&output.shape, &inputs[0].shape)) {
        return lite_fail(context, "%s: alpha does not broadcast to the input: %s and %s", op->name,
                         lite_shape_text(&inputs[1].shape).text, lite_shape_text(&inputs[0].shape).text);
    }
    // 16-bit products may have an 8-bit output.
    const bool narrow =
        op->op == kLiteBinaryMUL && type == kTfLiteInt16 && contains(kQuantized8, output.type);
    if (!narrow) LITE_TRY(lite_check_type(context, op->name, "output", &output, type));
    const TfLiteFusedActivation activation = fused_activation(op, node);
    const bool plain = contains(op->plain, type) && !narrow;
    data->quantized = contains(op->quantized, type) && (!plain || output.affine != NULL);
    if (data->quantized) {
        return lite_binary_quantized(context, op->name, op->op, inputs, &output, activation,
                                     pot_scale_int16(op, node), &data->params.quantized, &data->function);
    }
    if (!plain) return lite_fail_type(context, op->name, type);
    LITE_TRY(choose_plain(context, op, type, activation, states_activation(op, node), data));
    // One exponent for values of another shape: the reference multiplies integers then.
    const bool multiplies = op->op == kLiteBinaryPOW && type == kTfLiteInt32 && inputs[1].count == 1 &&
                            !lite_shape_equal(&inputs[0].shape, &inputs[1].shape);
    if (multiplies) data->function = lite_binary_loop(kLiteBinaryWRAPPED_POW, type);
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
    return zero ? lite_fail(context, "%s: division by 0", op->name) : kTfLiteOk;
}

static TfLiteStatus check_exponents(TfLiteOpaqueContext* context, const BinaryOperator* op,
                                    const LiteView* exponents) {
    const int32_t* values = exponents->data;
    for (int64_t i = 0; i < exponents->count && exponents->type == kTfLiteInt32; i++) {
        if (values[i] < 0) {
            return lite_fail(context, "%s: negative exponent %d of an integer", op->name, (int)values[i]);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus binary_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                  const BinaryOperator* op) {
    const BinaryData* data = TfLiteOpaqueNodeGetUserData(node);
    LiteView inputs[2], output;
    LITE_TRY(lite_views(context, node, op->name, inputs, 2, &output));
    if (output.count == 0) return kTfLiteOk;
    if (data->join.source.begin != NULL) {
        return lite_binary_join_run(context, op->name, &data->join, data->function, &data->params,
                                    &inputs[1 - data->join.input], &output);
    }
    const bool division = op->op == kLiteBinaryDIV || op->op == kLiteBinaryFLOOR_MOD;
    if (op->op == kLiteBinaryFLOOR_DIV || (division && inputs[1].type != kTfLiteFloat32)) {
        LITE_TRY(check_divisors(context, op, &inputs[1], data->quantized ? inputs[1].zero_point : 0));
    }
    if (op->op == kLiteBinaryPOW) LITE_TRY(check_exponents(context, op, &inputs[1]));
    const bool extreme = op->op == kLiteBinaryMAXIMUM || op->op == kLiteBinaryMINIMUM;
    if (extreme && !op->broadcast) { // StableHLO's return the first when either is NaN
        const LiteView first = inputs[0];
        inputs[0] = inputs[1];
        inputs[1] = first;
    }
    return lite_elementwise(context, op->name, data->function, &data->params, op->cost, &output, inputs, 2);
}

#define BINARY_OPERATOR(NAME, OP, PLAIN, QUANTIZED, ACTIVATION, BROADCAST, COST, LINES)                      \
    static const BinaryOperator operator_##NAME = {#NAME,      kLiteBinary##OP, PLAIN, QUANTIZED,            \
                                                   ACTIVATION, BROADCAST,       COST};                       \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return binary_prepare(context, node, &operator_##NAME);                                              \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return binary_invoke(context, node, &operator_##NAME);                                               \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.init = binary_init,                                              \
                                           .free = binary_free,                                              \
                                           .prepare = prepare_##NAME,                                        \
                                           .invoke = invoke_##NAME,                                          \
                                           .lines = (LINES)};

// Residual connections: a convolution is added to what came before it.
static TfLiteStatus add_join(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int input,
                             const LiteLines* lines, TfLiteOpaqueNode* producer, bool* joined) {
    BinaryData* data = TfLiteOpaqueNodeGetUserData(node);
    LITE_TRY(lite_binary_join(context, node, "ADD", input, lines, producer, &data->join));
    *joined = data->join.source.begin != NULL;
    return kTfLiteOk;
}

static const LiteLines add_lines = {.join = add_join};

#define F32_F16 (TYPE(f32) | TYPE(f16))
#define I32_I64 (TYPE(i32) | TYPE(i64))
BINARY_OPERATOR(ADD, ADD, F32_F16 | I32_I64 | TYPE(i16), kQuantized, true, true, 1, &add_lines)
BINARY_OPERATOR(SUB, SUB, F32_F16 | I32_I64, kQuantized, true, true, 1, NULL)
BINARY_OPERATOR(MUL, MUL, F32_F16 | I32_I64 | TYPE(u32) | TYPE(i16) | 1u << kTfLiteComplex64, kQuantized,
                true, true, 1, NULL)
BINARY_OPERATOR(DIV, DIV, F32_F16 | TYPE(i32), kQuantized, true, true, 1, NULL)
BINARY_OPERATOR(MAXIMUM, MAXIMUM, F32_F16 | TYPE(bf16) | I32_I64 | kQuantized, 0, false, true, 1, NULL)
BINARY_OPERATOR(MINIMUM, MINIMUM, F32_F16 | TYPE(bf16) | I32_I64 | kQuantized, 0, false, true, 1, NULL)
BINARY_OPERATOR(SQUARED_DIFFERENCE, SQUARED_DIFFERENCE, F32_F16 | TYPE(i32), TYPE(i8), false, true, 1, NULL)
BINARY_OPERATOR(FLOOR_DIV, FLOOR_DIV, TYPE(f32) | TYPE(i8) | TYPE(i16) | TYPE(i32), 0, false, true, 2, NULL)
BINARY_OPERATOR(FLOOR_MOD, FLOOR_MOD, TYPE(f32) | TYPE(i8) | TYPE(i16) | I32_I64, 0, false, true, 10, NULL)
BINARY_OPERATOR(POW, POW, TYPE(f32) | TYPE(i32), 0, false, true, 5, NULL)
BINARY_OPERATOR(ATAN2, ATAN2, F32_F16 | TYPE(f64) | TYPE(bf16), 0, false, false, 20, NULL)
BINARY_OPERATOR(PRELU, PRELU, TYPE(f32), kQuantized, false, true, 1, NULL)
BINARY_OPERATOR(STABLEHLO_ADD, ADD, kWide, 0, false, false, 1, NULL)
BINARY_OPERATOR(STABLEHLO_MULTIPLY, MUL, kWide, 0, false, false, 1, NULL)
BINARY_OPERATOR(STABLEHLO_MAXIMUM, MAXIMUM, kWide, 0, false, false, 1, NULL)
BINARY_OPERATOR(STABLEHLO_MINIMUM, MINIMUM, kWide, 0, false, false, 1, NULL)
