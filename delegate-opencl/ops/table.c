// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/table.h"

#include <math.h>
#include <stdlib.h>

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

typedef float (*Function)(float x, float alpha);

static const struct {
    const char* name;
    Function function;
} functions[] = {
#define UNARY(NAME, RESULT) {#NAME, apply_##NAME},
#include "core/elementwise.def"
};
enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

// The operators of which the reference computes the table in integers.
typedef enum Integer { kNone, kRelu, kRelu6, kRelu0To1, kReluN1To1, kAbs, kLeakyRelu } Integer;

static const struct {
    const char* name;
    Integer integer;
} integers[] = {
    {"RELU", kRelu}, {"RELU6", kRelu6},         {"RELU_0_TO_1", kRelu0To1}, {"RELU_N1_TO_1", kReluN1To1},
    {"ABS", kAbs},   {"LEAKY_RELU", kLeakyRelu}};
enum { INTEGER_COUNT = sizeof integers / sizeof integers[0] };

static Integer integer_form(const char* name) {
    for (int i = 0; i < INTEGER_COUNT; i++) {
        if (strcmp(integers[i].name, name) == 0) return integers[i].integer;
    }
    return kNone;
}

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
    const LiteClTensor* input;
    const LiteClTensor* output;
    Function function;
    Integer integer;
    float alpha;
    int32_t low;
    int32_t high;
    LiteMultiplier multiplier;
    LiteMultiplier negative; // LEAKY_RELU: of negative values
} Table;

static int32_t finish(const Table* t, int32_t result) {
    const int32_t sum = (int32_t)((uint32_t)result + (uint32_t)t->output->zero_point);
    return lite_clamp_i32(sum, t->low, t->high);
}

static int32_t apply_integer(const Table* t, int32_t x) {
    const int32_t distance = x - t->input->zero_point;
    if (t->integer == kAbs) return finish(t, lite_multiply(abs(distance), t->multiplier));
    if (t->integer != kLeakyRelu || distance >= 0) return finish(t, lite_multiply(distance, t->multiplier));
    if (t->negative.value >= 0) return finish(t, lite_multiply(distance, t->negative));
    const LiteMultiplier magnitude = {-t->negative.value, t->negative.shift};
    return finish(t, -lite_multiply(distance, magnitude));
}

// NaN becomes 0 before the clamp, as in the reference.
static int32_t apply_real(const Table* t, int32_t x) {
    const float real = t->input->scale * (float)(x - t->input->zero_point);
    const float inverse_scale = 1.0f / t->output->scale;
    const float result = roundf(t->function(real, t->alpha) * inverse_scale) + (float)t->output->zero_point;
    if (isnan(result)) return 0;
    if (result <= (float)t->low) return t->low;
    return result >= (float)t->high ? t->high : (int32_t)result;
}

// What a RELU leaves, in the output's units.
static void set_range(Table* t) {
    if (t->integer < kRelu || t->integer > kReluN1To1) return;
    const float low = t->integer == kReluN1To1 ? -1.0f : 0.0f;
    const float high = t->integer == kRelu ? INFINITY : t->integer == kRelu6 ? 6.0f : 1.0f;
    const float low_steps = roundf(low / t->output->scale), high_steps = roundf(high / t->output->scale);
    const int32_t zero = t->output->zero_point;
    if (low_steps > -65536.0f && (int32_t)low_steps + zero > t->low) t->low = (int32_t)low_steps + zero;
    if (high_steps < 65536.0f && (int32_t)high_steps + zero < t->high) t->high = (int32_t)high_steps + zero;
}

static float log_or_lowest(float x, float alpha) {
    return x <= 0.0f ? alpha : logf(x);
}

static void write_table(const void* state, float* packed) {
    const Table* t = state;
    uint8_t* bytes = (uint8_t*)packed;
    int32_t first = 0, last = 0;
    lite_type_limits(t->input->type, &first, &last);
    for (int32_t x = first; x <= last; x++) {
        bytes[(uint8_t)x] = (uint8_t)(t->integer != kNone ? apply_integer(t, x) : apply_real(t, x));
    }
}

TfLiteStatus lite_cl_table_lower(LiteClPlan* plan, const LiteClNode* node, const char* formula,
                                 const LiteClElementwiseArgs* args) {
    const LiteClTensor *input = node->inputs[0], *output = node->outputs[0];
    Table table = {.input = input, .output = output, .alpha = args->alpha};
    table.integer = integer_form(formula);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (strcmp(functions[i].name, formula) == 0) table.function = functions[i].function;
    }
    lite_type_limits(output->type, &table.low, &table.high);
    if (strcmp(formula, "LOG") == 0) { // of what is not positive: the lowest value
        table.function = log_or_lowest;
        table.alpha = (float)(table.low - output->zero_point) * output->scale;
    }
    table.multiplier = lite_quantize_multiplier((double)(input->scale / output->scale));
    table.negative = lite_quantize_multiplier((double)(input->scale * table.alpha / output->scale));
    set_range(&table);
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
