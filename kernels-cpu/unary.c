// SPDX-License-Identifier: Apache-2.0
// Operators that apply a function to each element: the UNARY lines of core/elementwise.def.
#include "core/base/epilogue.h"
#include "kernels-cpu/loops/over_loops.h"
#include "kernels-cpu/quantized/unary_quantized.h"
#include "kernels-cpu/support/selected.h"

typedef struct UnaryOperator {
    const char* name;
    LiteUnary op;
    unsigned plain;     // types computed as they are
    unsigned quantized; // types computed with scales and zero points; in both: by whether there is a scale
    int cost;           // nanoseconds per element
} UnaryOperator;

typedef struct UnaryData {
    LiteRowFunction function;
    LiteRowFunction times; // that times its operand
    int cost;
    LiteUnary formula;
    LiteUnaryParams params;
} UnaryData;

static void* unary_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return lite_calloc(1, sizeof(UnaryData));
}

static void unary_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    if (data != NULL) lite_free(((UnaryData*)data)->params.tables);
    lite_free(data);
}

static TfLiteStatus unary_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                  const UnaryOperator* op) {
    UnaryData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data == NULL) return lite_fail(context, "%s: out of memory", op->name);
    LiteView input, output;
    LITE_TRY(lite_elementwise_prepare_unary(context, node, op->name, &input, &output));
    const void* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteUnary formula = op->op;
    if (formula == kLiteUnaryGELU && params != NULL && ((const TfLiteGeluParams*)params)->approximate) {
        formula = kLiteUnaryGELU_TANH;
    }
    if (formula == kLiteUnaryLEAKY_RELU) {
        if (params == NULL) return lite_fail(context, "%s: has no parameters", op->name);
        data->params.alpha = ((const TfLiteLeakyReluParams*)params)->alpha;
    }
    const bool plain = lite_types_contain(op->plain, input.type);
    if (lite_types_contain(op->quantized, input.type) && (!plain || input.affine != NULL)) {
        data->cost = 1;
        data->times = NULL;
        return lite_unary_quantized(context, op->name, formula, &input, &output, &data->params,
                                    &data->function);
    }
    data->cost = op->cost;
    data->formula = formula;
    data->times = lite_unary_times_loop(formula, input.type);
    data->function = plain ? lite_unary_loop(formula, input.type) : NULL;
    return data->function != NULL ? kTfLiteOk : lite_check_fail_type(context, op->name, input.type);
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
    if (!negative) return kTfLiteOk;
    return lite_fail(context, "%s: the input has negative values: %s", op->name,
                     op->op == kLiteUnarySQRT ? "Sqrt is only defined for non-negative values"
                                              : "Rsqrt is only defined for positive values");
}

static TfLiteStatus unary_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const UnaryOperator* op) {
    const UnaryData* data = TfLiteOpaqueNodeGetUserData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, op->name, &input, 1, &output));
    if (op->op == kLiteUnarySQRT || op->op == kLiteUnaryRSQRT) LITE_TRY(check_domain(context, op, &input));
    return lite_elementwise_run(context, op->name, data->function, &data->params, data->cost, &output, &input,
                                1);
}

static bool unary_describe(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteEpilogueStep* step) {
    (void)context;
    const UnaryData* data = TfLiteOpaqueNodeGetUserData(node);
    step->function = data->function;
    step->times = data->times;
    step->over = lite_unary_over_loop(data->formula);
    step->times_over = lite_unary_times_over_loop(data->formula);
    step->params = &data->params;
    step->cost = data->cost;
    step->operand_count = 1;
    return true;
}

static const LiteLines unary_lines = {.describe = unary_describe};

#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER)                                                   \
    static const UnaryOperator operator_##NAME = {#NAME, kLiteUnary##NAME, PLAIN, QUANTIZED, COST};          \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return unary_prepare(context, node, &operator_##NAME);                                               \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return unary_invoke(context, node, &operator_##NAME);                                                \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.init = unary_init,                                               \
                                           .free = unary_free,                                               \
                                           .prepare = prepare_##NAME,                                        \
                                           .invoke = invoke_##NAME,                                          \
                                           .lines = LITE_HAS_TYPE(kTfLiteFloat32) ? &unary_lines : NULL};
#include "core/elementwise.def"
