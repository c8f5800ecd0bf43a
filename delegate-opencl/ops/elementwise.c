// SPDX-License-Identifier: Apache-2.0
// Operators of one tensor that are one formula of core/elementwise.def. On quantized numbers they are tables.
#include "delegate-opencl/ops/table.h"

typedef struct Formula {
    const char* name;
    const char* result;
} Formula;

static const Formula real_formulas[] = {
#define UNARY(NAME, RESULT) {#NAME, #RESULT},
#include "core/elementwise.def"
    {NULL, NULL},
};

static const Formula integer_formulas[] = {
#define UNARY_INTEGER(NAME, INTEGER) {#NAME, #INTEGER},
#include "core/elementwise.def"
    {"LOGICAL_NOT", "x == 0"},
    {NULL, NULL},
};

// The formula's line in core/elementwise.def.
static const char* formula_name(const LiteClNode* node) {
    const bool is_gelu = strcmp(node->name, "GELU") == 0;
    return is_gelu && ((const TfLiteGeluParams*)node->params)->approximate ? "GELU_TANH" : node->name;
}

static float alpha_of(const LiteClNode* node) {
    const bool is_leaky = strcmp(node->name, "LEAKY_RELU") == 0;
    return is_leaky ? ((const TfLiteLeakyReluParams*)node->params)->alpha : 0.0f;
}

static const char* find_formula(const LiteClNode* node) {
    const TfLiteType type = lite_cl_element_type(node);
    const Formula* formula = lite_cl_is_float(type) ? real_formulas : integer_formulas;
    const char* name = formula_name(node);
    while (formula->name != NULL && strcmp(formula->name, name) != 0) formula++;
    return formula->result;
}

static bool same_shape(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    if (lite_cl_table_wanted(node))
        return lite_cl_table_check(node, formula_name(node), alpha_of(node), reason);
    return find_formula(node) != NULL ||
           lite_cl_refuse(reason, "no kernel for elements of type %s without a scale",
                          TfLiteTypeGetName(lite_cl_element_type(node)));
}

static bool as_formula(const LiteClNode* node, LiteClFormula* formula) {
    if (node->inputs[0]->type != kTfLiteFloat32) return false;
    formula->parameters = "x, alpha";
    formula->option_count = 1;
    formula->options[0] = alpha_of(node);
    snprintf(formula->text, sizeof formula->text, "%s", find_formula(node));
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    if (lite_cl_table_wanted(node))
        return lite_cl_table_lower(plan, node, formula_name(node), alpha_of(node));
    const LiteClElementwiseArgs args = {.count = (int)lite_shape_elements(&node->inputs[0]->shape),
                                        .chunk = lite_cl_tune(plan->device->class)->chunk,
                                        .alpha = alpha_of(node)};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", lite_cl_element_type(node));
    lite_cl_define(&prelude, "RESULT(x, alpha) (%s)", find_formula(node));
    const LiteClLaunch launch = {
        .family = "elementwise",
        .kernel = "elementwise",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

#define FORMULA_OP(NAME, parameters, element_types)                                                          \
    const LiteClOp lite_cl_op_##NAME = {.params_size = (parameters),                                         \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .types = (element_types),                                            \
                                        .half = true,                                                        \
                                        .infer = same_shape,                                                 \
                                        .lower = lower,                                                      \
                                        .formula = as_formula};
#define INT8 LITE_CL_TYPE(Int8)
#define INT16 LITE_CL_TYPE(Int16)

// Of halves, EXP, HARD_SWISH and LOG are left to the CPU, which rounds each step as the reference does.
FORMULA_OP(ABS, 0, LITE_CL_FLOATS | INT16 | LITE_CL_TYPE(Int32) | INT8)
FORMULA_OP(CEIL, 0, LITE_CL_FLOATS)
FORMULA_OP(COS, 0, LITE_CL_FLOATS)
FORMULA_OP(ELU, 0, LITE_CL_FLOATS | INT8)
FORMULA_OP(EXP, 0, LITE_CL_TYPE(Float32) | INT8 | INT16)
FORMULA_OP(FLOOR, 0, LITE_CL_FLOATS | LITE_CL_TYPE(BFloat16))
FORMULA_OP(GELU, LITE_CL_PARAMS_UP_TO(TfLiteGeluParams, approximate), LITE_CL_FLOATS | LITE_CL_BYTES | INT16)
FORMULA_OP(HARD_SWISH, 0, LITE_CL_TYPE(Float32) | LITE_CL_BYTES)
FORMULA_OP(LEAKY_RELU, LITE_CL_PARAMS_UP_TO(TfLiteLeakyReluParams, alpha),
           LITE_CL_FLOATS | LITE_CL_BYTES | INT16)
FORMULA_OP(LOG, 0, LITE_CL_TYPE(Float32) | INT8 | INT16)
FORMULA_OP(LOGICAL_NOT, 0, LITE_CL_TYPE(Bool))
FORMULA_OP(LOGISTIC, 0, LITE_CL_FLOATS | LITE_CL_TYPE(BFloat16) | LITE_CL_BYTES | INT16)
FORMULA_OP(NEG, 0,
           LITE_CL_FLOATS | LITE_CL_TYPE(BFloat16) | INT8 | INT16 | LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64))
FORMULA_OP(RELU, 0, LITE_CL_FLOATS | LITE_CL_BYTES | INT16)
FORMULA_OP(RELU6, 0, LITE_CL_FLOATS | LITE_CL_BYTES | INT16)
FORMULA_OP(RELU_0_TO_1, 0, LITE_CL_TYPE(Float32) | LITE_CL_BYTES)
FORMULA_OP(RELU_N1_TO_1, 0, LITE_CL_FLOATS | LITE_CL_BYTES)
FORMULA_OP(ROUND, 0, LITE_CL_FLOATS | LITE_CL_TYPE(BFloat16))
FORMULA_OP(RSQRT, 0, LITE_CL_FLOATS | INT8 | INT16)
FORMULA_OP(SIGN, 0, LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int32))
FORMULA_OP(SIN, 0, LITE_CL_FLOATS)
FORMULA_OP(SQRT, 0, LITE_CL_FLOATS | INT8 | INT16)
FORMULA_OP(SQUARE, 0, LITE_CL_FLOATS)
FORMULA_OP(TANH, 0, LITE_CL_FLOATS | LITE_CL_TYPE(BFloat16) | LITE_CL_BYTES | INT16)
