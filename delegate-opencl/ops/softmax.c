// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/ops.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    if (output->rank < 1) return lite_cl_refuse(reason, "the input is a scalar");
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteSoftmaxParams* params = node->params;
    const LiteShape* shape = &node->inputs[0]->shape;
    LiteClSoftmaxArgs args = {.rows = 1, .width = shape->dims[shape->rank - 1], .beta = params->beta};
    for (int d = 0; d + 1 < shape->rank; d++) args.rows *= shape->dims[d];
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    if (node->inputs[0]->type == kTfLiteFloat16) lite_cl_define(&prelude, "HALF");
    const LiteClLaunch launch = {
        .family = "softmax",
        .kernel = "softmax",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {(size_t)args.rows, 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

const LiteClOp lite_cl_op_SOFTMAX = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteSoftmaxParams, beta),
    .min_inputs = 1,
    .max_inputs = 1,
    .types = LITE_CL_FLOATS,
    .infer = infer,
    .lower = lower,
};
