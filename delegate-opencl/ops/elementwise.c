// SPDX-License-Identifier: Apache-2.0
// Operators of one tensor that are one formula of core/elementwise.def.
#include "delegate-opencl/ops/ops.h"

static const struct {
    const char* name;
    const char* result;
} formulas[] = {
#define UNARY(NAME, RESULT) {#NAME, #RESULT},
#include "core/elementwise.def"
    {"Atan", "F_ATAN(x)"},
};
enum { FORMULA_COUNT = sizeof formulas / sizeof formulas[0] };

static const char* find_formula(const char* name) {
    for (int i = 0; i < FORMULA_COUNT; i++) {
        if (strcmp(formulas[i].name, name) == 0) return formulas[i].result;
    }
    return NULL;
}

static bool same_shape(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    (void)reason;
    *output = node->inputs[0]->shape;
    return true;
}

static TfLiteStatus launch(LiteClPlan* plan, const LiteClNode* node, const char* formula, float alpha) {
    char prelude[LITE_CL_PRELUDE];
    const int length = snprintf(prelude, sizeof prelude, "#define RESULT(x, alpha) (%s)\n", formula);
    if (length >= (int)sizeof prelude) return lite_report(plan->reporter, "%s: formula too long", node->name);
    LiteClElementwiseArgs args = {.count = (int)lite_shape_elements(&node->inputs[0]->shape),
                                  .chunk = lite_cl_tune(plan->device->class)->chunk,
                                  .alpha = alpha};
    const LiteClLaunch launch = {
        .family = "elementwise",
        .kernel = "elementwise",
        .prelude = prelude,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    return launch(plan, node, find_formula(node->name), 0.0f);
}

static TfLiteStatus lower_leaky_relu(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteLeakyReluParams* params = node->params;
    return launch(plan, node, find_formula("LEAKY_RELU"), params->alpha);
}

static TfLiteStatus lower_gelu(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteGeluParams* params = node->params;
    return launch(plan, node, find_formula(params->approximate ? "GELU_TANH" : "GELU"), 0.0f);
}

#define FORMULA_OP(NAME, parameters, lowering)                                                               \
    const LiteClOp lite_cl_op_##NAME = {.params_size = (parameters),                                         \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .float_inputs = 1,                                                   \
                                        .infer = same_shape,                                                 \
                                        .lower = (lowering)};

FORMULA_OP(ABS, 0, lower)
FORMULA_OP(CEIL, 0, lower)
FORMULA_OP(COS, 0, lower)
FORMULA_OP(ELU, 0, lower)
FORMULA_OP(EXP, 0, lower)
FORMULA_OP(FLOOR, 0, lower)
FORMULA_OP(GELU, LITE_CL_PARAMS_UP_TO(TfLiteGeluParams, approximate), lower_gelu)
FORMULA_OP(HARD_SWISH, 0, lower)
FORMULA_OP(LEAKY_RELU, LITE_CL_PARAMS_UP_TO(TfLiteLeakyReluParams, alpha), lower_leaky_relu)
FORMULA_OP(LOG, 0, lower)
FORMULA_OP(LOGISTIC, 0, lower)
FORMULA_OP(NEG, 0, lower)
FORMULA_OP(RELU, 0, lower)
FORMULA_OP(RELU6, 0, lower)
FORMULA_OP(RELU_0_TO_1, 0, lower)
FORMULA_OP(RELU_N1_TO_1, 0, lower)
FORMULA_OP(ROUND, 0, lower)
FORMULA_OP(RSQRT, 0, lower)
FORMULA_OP(SIGN, 0, lower)
FORMULA_OP(SIN, 0, lower)
FORMULA_OP(SQRT, 0, lower)
FORMULA_OP(SQUARE, 0, lower)
FORMULA_OP(TANH, 0, lower)
FORMULA_OP(Atan, 0, lower)
