// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/softmax.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    const int32_t zero = in->type == kTfLiteInt8 ? 127 : 255;
    *output = in->shape;
    if (output->rank < 1) return lite_cl_refuse(reason, "the input is a scalar");
    if (in->type == kTfLiteFloat32 || in->type == kTfLiteFloat16) return true;
    return lite_cl_softmax_check(in, 1.0f, reason) &&
           ((out->scale == 1.0f / 16 && out->zero_point == zero) ||
            lite_cl_refuse(reason, "the output has scale %g and zero point %d", (double)out->scale,
                           (int)out->zero_point));
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    return lite_cl_softmax_lower(plan, node, 1.0f, true);
}

const LiteClOp lite_cl_op_LOG_SOFTMAX = {
    .rounds = kLiteClRoundsRow,
    .min_inputs = 1,
    .max_inputs = 1,
    .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE,
    .float16 = true,
    .infer = infer,
    .lower = lower,
};
