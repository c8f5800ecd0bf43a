// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/table.h"

#include <math.h>

#include "core/base/unary8.h"

#define F_CEIL(v) ceilf(v)
#define F_COS(v) cosf(v)
#define F_ERFC(v) erfcf(v)
#define F_EXP(v) expf(v)
#define F_EXPM1(v) expm1f(v)
#define F_FABS(v) fabsf(v)
#define F_FLOOR(v) floorf(v)
#define F_LOG(v) logf(v)
#define F_RINT(v) rintf(v)
#define F_SIN(v) sinf(v)
#define F_SQRT(v) sqrtf(v)
#define F_TANH(v) tanhf(v)
#define UNARY(NAME, RESULT)                                                                                  \
    static float apply_##NAME(float x, float alpha) {                                                        \
        (void)alpha;                                                                                         \
        return RESULT;                                                                                       \
    }
#include "core/elementwise.def"

static const struct {
    const char* name;
    LiteFunction function;
} functions[] = {
#define UNARY(NAME, RESULT) {#NAME, apply_##NAME},
#include "core/elementwise.def"
};
enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

// The operators of which the reference computes the table in integers; those that have one, with the range
// of a RELU.
static const struct {
    const char* name;
    int32_t (*function)(const LiteUnaryScale* scale, int32_t x);
    bool is_relu;
    float low;
    float high;
} integers[] = {
    {"RELU", lite_unary_rescale, true, 0.0f, INFINITY},
    {"RELU6", lite_unary_rescale, true, 0.0f, 6.0f},
    {"RELU_0_TO_1", lite_unary_rescale, true, 0.0f, 1.0f},
    {"RELU_N1_TO_1", lite_unary_rescale, true, -1.0f, 1.0f},
    {"ABS", lite_unary_absolute, false, 0.0f, 0.0f},
    {"LEAKY_RELU", lite_unary_leaky_relu, false, 0.0f, 0.0f},
};
enum { INTEGER_COUNT = sizeof integers / sizeof integers[0] };

bool lite_cl_table_wanted(const LiteClNode* node) {
    return lite_cl_is_byte(lite_cl_element_type(node)) && strcmp(node->name, "NEG") != 0;
}

bool lite_cl_table_check(const LiteClNode* node, LiteClReason* reason) {
    if (!lite_cl_check_quantized(node->inputs[0], reason) ||
        !lite_cl_check_quantized(node->outputs[0], reason)) {
        return false;
    }
    if (strcmp(node->name, "LOGISTIC") != 0 || node->outputs[0]->scale == 1.0f / 256.0f) return true;
    return lite_cl_refuse(reason, "the output's scale is %g, not 1/256", (double)node->outputs[0]->scale);
}

// One table in the making.
typedef struct Table {
    TfLiteType type;
    LiteUnaryScale scale;
    int32_t (*integer)(const LiteUnaryScale* scale, int32_t x); // NULL: computed in float
    LiteFunction function;
    float alpha;
} Table;

static void write_table(const void* state, float* packed) {
    const Table* t = state;
    uint8_t* bytes = (uint8_t*)packed;
    int32_t first = 0, last = 0;
    lite_type_limits(t->type, &first, &last);
    for (int32_t x = first; x <= last; x++) {
        bytes[(uint8_t)x] =
            (uint8_t)(t->integer != NULL ? t->integer(&t->scale, x)
                                         : lite_unary_real(&t->scale, t->function, t->alpha, x));
    }
}

static Table make_table(const LiteClTensor* input, const LiteClTensor* output, const char* formula,
                        float alpha) {
    Table table = {.type = input->type, .alpha = alpha};
    LiteUnaryScale* s = &table.scale;
    *s = (LiteUnaryScale){.input_scale = input->scale,
                          .output_scale = output->scale,
                          .input_zero = input->zero_point,
                          .output_zero = output->zero_point,
                          .multiplier = lite_quantize_multiplier((double)(input->scale / output->scale)),
                          .negative =
                              lite_quantize_multiplier((double)(input->scale * alpha / output->scale))};
    lite_type_limits(output->type, &s->low, &s->high);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (strcmp(functions[i].name, formula) == 0) table.function = functions[i].function;
    }
    if (strcmp(formula, "LOG") == 0) {
        table.function = lite_log_or_lowest;
        table.alpha = (float)(s->low - output->zero_point) * output->scale;
    }
    for (int i = 0; i < INTEGER_COUNT; i++) {
        if (strcmp(integers[i].name, formula) != 0) continue;
        table.integer = integers[i].function;
        if (integers[i].is_relu) lite_unary_relu_range(s, integers[i].low, integers[i].high);
    }
    return table;
}

TfLiteStatus lite_cl_table_lower(LiteClPlan* plan, const LiteClNode* node, const char* formula,
                                 const LiteClElementwiseArgs* args) {
    const Table table = make_table(node->inputs[0], node->outputs[0], formula, args->alpha);
    const LiteClLaunch launch = {
        .family = "table",
        .kernel = "table8",
        .prelude = "",
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]),
                    lite_cl_plan_constant(plan, node, 0, 256, write_table, &table),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args->count, args->chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}
