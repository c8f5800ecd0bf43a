// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/ops.h"

// What the reference kernel takes.
enum { MAX_RANK = 5 };

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts paddings;
    if (!lite_cl_constant_ints(node, 1, &paddings, reason)) return false;
    if (input->rank > MAX_RANK || paddings.count != 2 * input->rank) {
        return lite_cl_refuse(reason, "%d paddings for %d dimensions", paddings.count, input->rank);
    }
    if (node->input_count > 2) {
        const LiteClTensor* value = node->inputs[2];
        if (value->type != kTfLiteFloat32 || value->data == NULL || lite_shape_elements(&value->shape) != 1) {
            return lite_cl_refuse(reason, "the value is not a constant FLOAT32 scalar");
        }
    }
    output->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        const int64_t before = paddings.values[2 * d], after = paddings.values[2 * d + 1];
        if (before < 0 || after < 0 || before > INT32_MAX / 4 || after > INT32_MAX / 4) {
            return lite_cl_refuse(reason, "paddings %lld and %lld", (long long)before, (long long)after);
        }
        output->dims[d] = (int32_t)(input->dims[d] + before + after);
    }
    return true;
}

// From the innermost dimension outwards, up to and including the first padded one, everything is one row.
static void fill_args(const LiteShape* in, const LiteShape* out, const LiteClInts* paddings,
                      LiteClPadArgs* args) {
    int d = in->rank - 1, inner = 1;
    while (d > 0 && in->dims[d] == out->dims[d]) inner *= in->dims[d--];
    args->in_width = d >= 0 ? in->dims[d] * inner : 1;
    args->out_width = d >= 0 ? out->dims[d] * inner : 1;
    args->before = d >= 0 ? (int)paddings->values[2 * d] * inner : 0;
    args->rank = d > 0 ? d : 0;
    args->rows = 1;
    for (int i = 0; i < args->rank; i++) {
        args->dims[i] = out->dims[i];
        args->in_dims[i] = in->dims[i];
        args->begin[i] = (int)paddings->values[2 * i];
        args->rows *= out->dims[i];
    }
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClReason reason;
    LiteClInts paddings;
    if (!lite_cl_constant_ints(node, 1, &paddings, &reason)) {
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    }
    LiteClPadArgs args = {.value = node->input_count > 2 ? lite_cl_constant_float(node->inputs[2], 0) : 0.0f};
    fill_args(&node->inputs[0]->shape, &node->outputs[0]->shape, &paddings, &args);
    const LiteClLaunch launch = {
        .family = "pad",
        .kernel = "pad",
        .prelude = "",
        .args = &args,
        .args_size = sizeof args,
        .items = {args.out_width > 0 ? (size_t)args.rows : 0, 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

const LiteClOp lite_cl_op_PAD = {
    .min_inputs = 2, .max_inputs = 2, .float_inputs = 1, .infer = infer, .lower = lower};
const LiteClOp lite_cl_op_PADV2 = {
    .min_inputs = 3, .max_inputs = 3, .float_inputs = 1, .infer = infer, .lower = lower};
