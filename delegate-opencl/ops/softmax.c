// SPDX-License-Identifier: Apache-2.0
// SOFTMAX.
#include "delegate-opencl/ops/common/softmax.h"
#include "core/semantics/quant.h"
#include "core/semantics/softmax_fixed.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/tensor.h"

static float beta_of(const LiteClNode* node) {
    return ((const TfLiteSoftmaxParams*)node->params)->beta;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    *output = in->shape;
    if (output->rank < 1) return lite_cl_refuse(reason, "the input is a scalar");
    if (out->type != in->type && !(lite_cl_is_byte(in->type) && out->type == kTfLiteInt16))
        return lite_cl_refuse(reason, "no kernel from %s to %s", TfLiteTypeGetName(in->type),
                              TfLiteTypeGetName(out->type));
    if (in->type == kTfLiteFloat32 || in->type == kTfLiteFloat16) return true;
    // The quantization of an output of another type is what it is, as in the reference.
    return lite_cl_softmax_check(in, beta_of(node), reason) &&
           (in->type != out->type || lite_softmax_output(out->type, out->scale, out->zero_point) ||
            lite_cl_refuse(reason, "the output has scale %g and zero point %d", (double)out->scale,
                           (int)out->zero_point));
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    return lite_cl_softmax_lower(plan, node, beta_of(node), false);
}

const LiteClOp lite_cl_op_SOFTMAX = {
    .rounds = kLiteClRoundsRow,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteSoftmaxParams, beta),
    .min_inputs = 1,
    .max_inputs = 1,
    .outputs = ".",
    .types = LITE_TYPES_FLOAT | LITE_TYPES_BYTE | LITE_TYPE(Int16),
    .infer = infer,
    .lower = lower,
};
