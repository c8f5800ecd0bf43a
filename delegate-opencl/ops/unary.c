// SPDX-License-Identifier: Apache-2.0
// Operators of one tensor: the UNARY lines of core/elementwise.def. On quantized numbers they are tables.
#include <stdio.h>

#include "core/semantics/elementwise.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/table.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/elementwise.h"

// A line of core/elementwise.def.
typedef struct Line {
    const char* real; // "NONE": there is none
    const char* integer;
    unsigned plain;     // types computed as they are
    unsigned quantized; // types with scales and zero points; in both: by whether there is a scale
} Line;

static const Line lines[kLiteUnaryCount] = {
#define CPU_ONLY(TYPES) 0
#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER)                                                   \
    [kLiteUnary##NAME] = {#REAL, #INTEGER, PLAIN, QUANTIZED},
#define UNARY_FORM(NAME, OPERATOR, PLAIN, REAL) [kLiteUnary##NAME] = {#REAL, "NONE", PLAIN, 0},
#include "core/elementwise.def"
};

// The node's formula.
static LiteUnary unary_of(const LiteClNode* node) {
    const LiteUnary op = (LiteUnary)node->op->variant;
    const bool is_tanh = op == kLiteUnaryGELU && ((const TfLiteGeluParams*)node->params)->approximate;
    return is_tanh ? kLiteUnaryGELU_TANH : op;
}

static float alpha_of(const LiteClNode* node) {
    const bool is_leaky = node->op->variant == kLiteUnaryLEAKY_RELU;
    return is_leaky ? ((const TfLiteLeakyReluParams*)node->params)->alpha : 0.0f;
}

// Its text for the node's elements; NULL: there is none.
static const char* find_formula(const LiteClNode* node) {
    const TfLiteType type = lite_cl_element_type(node);
    const Line* line = &lines[unary_of(node)];
    if (lite_cl_is_float(type)) return strcmp(line->real, "NONE") != 0 ? line->real : NULL;
    return lite_types_contain(line->plain, type) ? line->integer : NULL;
}

// Is the node one on quantized numbers?
static bool is_table(const LiteClNode* node) {
    const TfLiteType type = lite_cl_element_type(node);
    return lite_types_contain(lines[node->op->variant].quantized, type) &&
           (lite_cl_is_byte(type) || node->inputs[0]->affine != NULL);
}

static bool same_shape(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    if (is_table(node)) return lite_cl_table_check(node, unary_of(node), alpha_of(node), reason);
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
    if (is_table(node)) return lite_cl_table_lower(plan, node, unary_of(node), alpha_of(node));
    const LiteClElementwiseArgs args = {.count = (int)lite_shape_elements(&node->inputs[0]->shape),
                                        .chunk = lite_cl_tune(plan->device->class)->chunk,
                                        .alpha = alpha_of(node)};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", lite_cl_element_type(node));
    lite_cl_define(&prelude, "RESULT(x, alpha) (%s)", find_formula(node));
    if (node->op->variant == kLiteUnarySIN) lite_cl_define(&prelude, "QUARTERS 0");
    if (node->op->variant == kLiteUnaryCOS) lite_cl_define(&prelude, "QUARTERS 1");
    const LiteClLaunch launch = {
        .family = &lite_cl_source_unary,
        .kernel = "unary",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

// The sizes of parameters, of operators that have any.
#define PARAMS_GELU , LITE_CL_PARAMS_UP_TO(TfLiteGeluParams, approximate)
#define PARAMS_LEAKY_RELU , LITE_CL_PARAMS_UP_TO(TfLiteLeakyReluParams, alpha)

#define CPU_ONLY(TYPES) 0
#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER)                                                   \
    const LiteClOp lite_cl_op_##NAME = {.params_size = LITE_OR(PARAMS_##NAME, 0),                            \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .types = (PLAIN) | (QUANTIZED),                                      \
                                        .float16 = true,                                                     \
                                        .variant = kLiteUnary##NAME,                                         \
                                        .infer = same_shape,                                                 \
                                        .lower = lower,                                                      \
                                        .formula = as_formula};
#include "core/elementwise.def"
