// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/table.h"

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/table.h"

static LiteUnaryEnd end_of(const LiteClTensor* tensor) {
    return (LiteUnaryEnd){tensor->type, tensor->scale, tensor->zero_point};
}

static TfLiteStatus find_rule(const LiteClNode* node, LiteUnary formula, float alpha, LiteUnaryRule* rule,
                              const LiteReporter* reporter) {
    const LiteUnaryEnd input = end_of(node->inputs[0]), output = end_of(node->outputs[0]);
    return lite_unary_rule(node->name, &input, &output, lite_unary_function(formula), alpha, rule, reporter);
}

bool lite_cl_table_check(const LiteClNode* node, LiteUnary formula, float alpha, LiteClReason* reason) {
    const LiteReporter reporter = lite_cl_reason_reporter(reason);
    LiteUnaryRule rule;
    return lite_cl_check_quantized(node->inputs[0], reason) &&
           lite_cl_check_quantized(node->outputs[0], reason) &&
           find_rule(node, formula, alpha, &rule, &reporter) == kTfLiteOk;
}

// One table in the making.
typedef struct Table {
    TfLiteType type;
    LiteUnaryRule rule;
} Table;

static void write_table(const void* state, float* packed) {
    const Table* t = state;
    const LiteUnaryRule* rule = &t->rule;
    if (t->type != kTfLiteInt16) {
        lite_unary_table8(rule, t->type, (uint8_t*)packed);
        return;
    }
    int16_t steps[LITE_LUT16_SIZE], *words = (int16_t*)(void*)packed;
    const bool interpolates = rule->integer == NULL;
    if (interpolates) lite_unary_table16(rule, steps);
    for (int32_t x = INT16_MIN; x <= INT16_MAX; x++) {
        if (rule->is_root && x < rule->scale.input_zero) continue; // never looked up
        words[(uint16_t)x] =
            interpolates ? lite_lut16_at(steps, (int16_t)x) : (int16_t)rule->integer(&rule->scale, x);
    }
}

// Each element of `from`, of a type, is what `table` has for it; the status, unless it is -1, hears of
// elements below args->lowest.
static TfLiteStatus launch_look_up(LiteClPlan* plan, TfLiteType type, LiteClTableArgs* args,
                                   const int buffers[4]) {
    const bool checks = buffers[3] >= 0;
    args->chunk = lite_cl_tune(plan->device->class)->chunk;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", type);
    lite_cl_define(&prelude, "INDEX %s", type == kTfLiteInt16 ? "ushort" : "uchar");
    if (checks) lite_cl_define(&prelude, "CHECKED");
    const LiteClLaunch launch = {
        .family = &lite_cl_source_table,
        .kernel = "look_up",
        .prelude = prelude.text,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = checks ? 4 : 3,
        .buffers = {buffers[0], buffers[1], buffers[2], buffers[3]},
        .items = {lite_cl_chunks(args->count, args->chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_table_lower(LiteClPlan* plan, const LiteClNode* node, LiteUnary formula, float alpha) {
    Table table = {.type = node->inputs[0]->type};
    LITE_TRY(find_rule(node, formula, alpha, &table.rule, plan->reporter));
    const size_t bytes = table.type == kTfLiteInt16 ? 2 << 16 : 256;
    const bool checks = table.rule.is_root && table.type != kTfLiteUInt8;
    LiteClTableArgs args = {.count = (int)lite_shape_elements(&node->inputs[0]->shape),
                            .lowest = table.rule.scale.input_zero,
                            .node = node->index + 1};
    const int buffers[4] = {
        lite_cl_plan_tensor(plan, node->inputs[0]),
        lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleTable}, bytes,
                              write_table, &table),
        lite_cl_plan_tensor(plan, node->outputs[0]), checks ? lite_cl_plan_status(plan) : -1};
    return launch_look_up(plan, table.type, &args, buffers);
}

TfLiteStatus lite_cl_look_up_bytes(LiteClPlan* plan, int64_t count, int from, int table, int to) {
    LiteClTableArgs args = {.count = (int)count};
    return launch_look_up(plan, kTfLiteUInt8, &args, (const int[4]){from, table, to, -1});
}
