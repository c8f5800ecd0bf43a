// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/ops.h"

TfLiteStatus lite_cl_lower_copy(LiteClPlan* plan, LiteClTensor* input, LiteClTensor* output, int rows,
                                int width, int out_width, int offset) {
    LiteClConcatenationArgs args = {
        .rows = rows,
        .width = width,
        .out_width = out_width,
        .offset = offset,
        .chunk = lite_cl_tune(plan->device->class)->chunk,
    };
    const LiteClLaunch launch = {
        .family = "concatenation",
        .kernel = "concatenation",
        .prelude = "",
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 2,
        .buffers = {lite_cl_plan_tensor(plan, input), lite_cl_plan_tensor(plan, output)},
        .items = {lite_cl_chunks(width, args.chunk), (size_t)rows, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteConcatenationParams* params = node->params;
    if (params->activation != kTfLiteActNone) {
        return lite_cl_refuse(reason, "fused activation %d", (int)params->activation);
    }
    *output = node->inputs[0]->shape;
    const int axis = lite_axis(params->axis, output->rank);
    if (axis < 0) return lite_cl_refuse(reason, "axis %d of %d dimensions", params->axis, output->rank);
    int64_t length = 0;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL) return lite_cl_refuse(reason, "input %d is absent", i);
        LiteShape shape = node->inputs[i]->shape;
        if (shape.rank != output->rank) return lite_cl_refuse(reason, "inputs of different rank");
        length += shape.dims[axis];
        shape.dims[axis] = output->dims[axis];
        if (!lite_shape_equal(&shape, output)) return lite_cl_refuse(reason, "input %d has another shape", i);
    }
    if (length > INT32_MAX) return lite_cl_refuse(reason, "the output would be %lld long", (long long)length);
    output->dims[axis] = (int32_t)length;
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteConcatenationParams* params = node->params;
    const LiteShape* out = &node->outputs[0]->shape;
    const int axis = lite_axis(params->axis, out->rank);
    int rows = 1, inner = 1, offset = 0;
    for (int d = 0; d < axis; d++) rows *= out->dims[d];
    for (int d = axis + 1; d < out->rank; d++) inner *= out->dims[d];
    for (int i = 0; i < node->input_count; i++) {
        const int width = node->inputs[i]->shape.dims[axis] * inner;
        LITE_TRY(lite_cl_lower_copy(plan, node->inputs[i], node->outputs[0], rows, width,
                                    out->dims[axis] * inner, offset));
        offset += width;
    }
    return kTfLiteOk;
}

const LiteClOp lite_cl_op_CONCATENATION = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteConcatenationParams, activation),
    .min_inputs = 1,
    .max_inputs = INT32_MAX,
    .float_inputs = INT32_MAX,
    .infer = infer,
    .lower = lower,
};
