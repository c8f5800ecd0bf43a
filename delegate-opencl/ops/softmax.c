// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX, whose variant is 1.
#include "core/base/softmax_fixed.h"
#include "delegate-opencl/ops/ops.h"

static bool is_log(const LiteClNode* node) {
    return node->op->variant == 1;
}

static float beta_of(const LiteClNode* node) {
    return is_log(node) ? 1.0f : ((const TfLiteSoftmaxParams*)node->params)->beta;
}

// The quantization of the output is what it is, as in the reference.
static bool check_output(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    const int32_t zero = in->type == kTfLiteInt8 ? 127 : 255;
    const bool good =
        is_log(node) ? out->scale == 1.0f / 16 && out->zero_point == zero
                     : in->type != out->type || lite_softmax_output(out->type, out->scale, out->zero_point);
    return good || lite_cl_refuse(reason, "the output has scale %g and zero point %d", (double)out->scale,
                                  (int)out->zero_point);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    *output = in->shape;
    if (output->rank < 1) return lite_cl_refuse(reason, "the input is a scalar");
    const bool widens = !is_log(node) && lite_cl_is_byte(in->type) && out->type == kTfLiteInt16;
    if (out->type != in->type && !widens)
        return lite_cl_refuse(reason, "no kernel from %s to %s", TfLiteTypeGetName(in->type),
                              TfLiteTypeGetName(out->type));
    if (in->type == kTfLiteFloat32 || in->type == kTfLiteFloat16) return true;
    LiteSoftmaxScale scale = {0};
    LiteSoftmaxTable16 table;
    const bool known = in->type == kTfLiteInt16
                           ? in->zero_point == 0 && lite_softmax_table16(beta_of(node), in->scale, &table)
                           : lite_softmax_scale(beta_of(node), in->scale, &scale);
    if (!known) return lite_cl_refuse(reason, "an input of scale %g", (double)in->scale);
    return check_output(node, reason);
}

static void write_table(const void* state, float* packed) {
    // Of ints, as the kernel reads them.
    lite_softmax_table(state, (LiteSoftmaxTable*)(void*)packed);
}

static void write_samples(const void* state, float* packed) {
    const LiteSoftmaxTable16* table = state;
    int16_t* samples = (int16_t*)(void*)packed;
    memcpy(samples, table->exps, sizeof table->exps);
    memcpy(samples + LITE_SOFTMAX_STEPS, table->reciprocals, sizeof table->reciprocals);
}

// The storage of the tables of integers, and what the arguments say of them; -1 after a report.
static int add_tables(LiteClPlan* plan, const LiteClNode* node, LiteClSoftmaxArgs* args) {
    const LiteClTensor* in = node->inputs[0];
    if (in->type == kTfLiteInt16) {
        LiteSoftmaxTable16 table = {0};
        (void)lite_softmax_table16(args->beta, in->scale, &table); // infer has agreed to it
        args->multiplier = (LiteClMultiplier){table.multiplier.value, table.multiplier.shift};
        return lite_cl_plan_constant(plan, node, 0, sizeof table.exps + sizeof table.reciprocals,
                                     write_samples, &table);
    }
    LiteSoftmaxScale scale = {0};
    (void)lite_softmax_scale(args->beta, in->scale, &scale);
    const LiteMultiplier reverse = lite_log_softmax_reverse(&scale);
    args->multiplier = (LiteClMultiplier){reverse.value, reverse.shift};
    args->diff_min = scale.diff_min;
    return lite_cl_plan_constant(plan, node, 0, sizeof(LiteSoftmaxTable), write_table, &scale);
}

static void define_types(const LiteClNode* node, LiteClPrelude* prelude) {
    const TfLiteType type = node->inputs[0]->type;
    lite_cl_define_type(prelude, "", type);
    lite_cl_define_type(prelude, "OUT_", node->outputs[0]->type);
    if (is_log(node)) lite_cl_define(prelude, "LOGARITHM");
    if (type == kTfLiteFloat16) lite_cl_define(prelude, "HALF");
    if (type == kTfLiteFloat16 || type == kTfLiteFloat32) return;
    if (type != kTfLiteInt16) lite_cl_define(prelude, "BYTES");
    lite_cl_define(prelude, "QUANTIZED");
    lite_cl_define(prelude, "NUMBERS");
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* in = node->inputs[0];
    const LiteClAxis axis = lite_cl_axis(&in->shape, in->shape.rank - 1);
    LiteClSoftmaxArgs args = {.rows = axis.outer, .width = axis.length, .beta = beta_of(node)};
    LiteClPrelude prelude = {0};
    define_types(node, &prelude);
    LiteClLaunch launch = {
        .family = "softmax",
        .kernel = "softmax",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {args.width > 0 ? (size_t)args.rows : 0, 1, 1},
    };
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, node->inputs[0]);
    if (in->type != kTfLiteFloat32 && in->type != kTfLiteFloat16)
        launch.buffers[launch.buffer_count++] = add_tables(plan, node, &args);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, node->outputs[0]);
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_SOFTMAX = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteSoftmaxParams, beta),
    .min_inputs = 1,
    .max_inputs = 1,
    .outputs = ".",
    .types = LITE_CL_FLOATS | LITE_CL_BYTES | LITE_CL_TYPE(Int16),
    .infer = infer,
    .lower = lower,
};

const LiteClOp lite_cl_op_LOG_SOFTMAX = {
    .min_inputs = 1,
    .max_inputs = 1,
    .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES,
    .half = true,
    .variant = 1,
    .infer = infer,
    .lower = lower,
};
