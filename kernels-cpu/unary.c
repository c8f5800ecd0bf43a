// SPDX-License-Identifier: Apache-2.0
// Operators that apply a function to each element: arithmetic (ABS, EXP, …) and activations (RELU, LOGISTIC,
// …).
#include "kernels-cpu/unary.h"

#include "kernels-cpu/types.h"

#define TYPE(SUFFIX) (1u << type_##SUFFIX)

typedef struct UnaryOperator {
    const char* name;
    LiteUnary op;
    unsigned plain;     // types computed as they are
    unsigned quantized; // types computed with scales and zero points; in both: by whether there is a scale
    int cost;           // nanoseconds per element
} UnaryOperator;

typedef struct UnaryData {
    LiteRowFunction function;
    int cost;
    LiteUnaryParams params;
} UnaryData;

static void* unary_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return lite_calloc(1, sizeof(UnaryData));
}

static void unary_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static bool contains(unsigned types, TfLiteType type) {
    return (unsigned)type < 32 && (types >> type & 1) != 0;
}

static TfLiteStatus unary_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                  const UnaryOperator* op) {
    UnaryData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data == NULL) return lite_fail(context, "%s: out of memory", op->name);
    LiteView input, output;
    LITE_TRY(lite_unary_prepare(context, node, op->name, &input, &output));
    const void* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteUnary formula = op->op;
    if (formula == kLiteUnaryGELU && params != NULL && ((const TfLiteGeluParams*)params)->approximate) {
        formula = kLiteUnaryGELU_TANH;
    }
    if (formula == kLiteUnaryLEAKY_RELU) {
        if (params == NULL) return lite_fail(context, "%s: has no parameters", op->name);
        data->params.alpha = ((const TfLiteLeakyReluParams*)params)->alpha;
    }
    const bool plain = contains(op->plain, input.type);
    if (contains(op->quantized, input.type) && (!plain || input.affine != NULL)) {
        data->cost = 1;
        return lite_unary_quantized(context, op->name, formula, &input, &output, &data->params,
                                    &data->function);
    }
    data->cost = op->cost;
    data->function = plain ? lite_unary_loop(formula, input.type) : NULL;
    return data->function != NULL ? kTfLiteOk : lite_fail_type(context, op->name, input.type);
}

// Roots of quantized values are defined from the zero point on.
static TfLiteStatus check_domain(TfLiteOpaqueContext* context, const UnaryOperator* op,
                                 const LiteView* input) {
    bool negative = false;
    if (input->type == kTfLiteInt8) {
        const int8_t* values = input->data;
        for (int64_t i = 0; i < input->count; i++) negative = negative || values[i] < input->zero_point;
    } else if (input->type == kTfLiteInt16) {
        const int16_t* values = input->data;
        for (int64_t i = 0; i < input->count; i++) negative = negative || values[i] < input->zero_point;
    }
    return negative ? lite_fail(context, "%s: the input has negative values", op->name) : kTfLiteOk;
}

static TfLiteStatus unary_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const UnaryOperator* op) {
    const UnaryData* data = TfLiteOpaqueNodeGetUserData(node);
    LiteView input, output;
    LITE_TRY(lite_views(context, node, op->name, &input, 1, &output));
    if (op->op == kLiteUnarySQRT || op->op == kLiteUnaryRSQRT) LITE_TRY(check_domain(context, op, &input));
    return lite_elementwise(context, op->name, data->function, &data->params, data->cost, &output, &input, 1);
}

#define UNARY_OPERATOR(NAME, PLAIN, QUANTIZED, COST)                                                         \
    static const UnaryOperator operator_##NAME = {#NAME, kLiteUnary##NAME, PLAIN, QUANTIZED, COST};          \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return unary_prepare(context, node, &operator_##NAME);                                               \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return unary_invoke(context, node, &operator_##NAME);                                                \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {                                                                  \
        .init = unary_init, .free = unary_free, .prepare = prepare_##NAME, .invoke = invoke_##NAME};

#define F32_F16 (TYPE(f32) | TYPE(f16))
#define I8_U8 (TYPE(i8) | TYPE(u8))
#define I8_I16 (TYPE(i8) | TYPE(i16))
#define I8_U8_I16 (TYPE(i8) | TYPE(u8) | TYPE(i16))
UNARY_OPERATOR(ABS, F32_F16 | TYPE(i16) | TYPE(i32), I8_I16, 1)
UNARY_OPERATOR(CEIL, F32_F16, 0, 1)
UNARY_OPERATOR(COS, F32_F16, 0, 2)
UNARY_OPERATOR(ELU, F32_F16, TYPE(i8), 2)
UNARY_OPERATOR(EXP, F32_F16, I8_I16, 2)
UNARY_OPERATOR(FLOOR, F32_F16 | TYPE(bf16), 0, 1)
UNARY_OPERATOR(GELU, F32_F16, I8_U8_I16, 4)
UNARY_OPERATOR(HARD_SWISH, F32_F16, I8_U8, 1)
UNARY_OPERATOR(LEAKY_RELU, F32_F16, I8_U8_I16, 1)
UNARY_OPERATOR(LOG, F32_F16, I8_I16, 2)
UNARY_OPERATOR(LOGISTIC, F32_F16 | TYPE(bf16), I8_U8_I16, 2)
UNARY_OPERATOR(NEG, F32_F16 | TYPE(bf16) | I8_I16 | TYPE(i32) | TYPE(i64), 0, 1)
UNARY_OPERATOR(RELU, F32_F16, I8_U8_I16, 1)
UNARY_OPERATOR(RELU6, F32_F16, I8_U8_I16, 1)
UNARY_OPERATOR(RELU_0_TO_1, TYPE(f32), I8_U8, 1)
UNARY_OPERATOR(RELU_N1_TO_1, F32_F16, I8_U8, 1)
UNARY_OPERATOR(ROUND, F32_F16 | TYPE(bf16), 0, 1)
UNARY_OPERATOR(RSQRT, F32_F16, I8_I16, 2)
UNARY_OPERATOR(SIGN, TYPE(f32) | TYPE(f64) | TYPE(i32), 0, 1)
UNARY_OPERATOR(SIN, F32_F16, 0, 2)
UNARY_OPERATOR(SQRT, F32_F16, I8_I16, 1)
UNARY_OPERATOR(SQUARE, F32_F16, 0, 1)
UNARY_OPERATOR(TANH, F32_F16 | TYPE(bf16), I8_U8_I16, 2)
