// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV: output shape, filter, input, bias.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/ops/conv/quantization.h"
#include "delegate-opencl/ops/conv/transposed.h"
#include "kernels-cl/args/conv_direct.h"

static bool find_axes(const LiteClNode* node, LiteClTransposed* t, LiteClReason* reason) {
    const TfLiteTransposeConvParams* p = node->params;
    const int32_t *filter = node->inputs[1]->shape.dims, *out = t->output.dims;
    t->axes[0] = (LiteClConvAxis){1, 1, 1, 1, 1, 0};
    return lite_cl_conv_axis(&t->axes[1], p->padding, out[1], filter[1], p->stride_height, 1, reason) &&
           lite_cl_conv_axis(&t->axes[2], p->padding, out[2], filter[2], p->stride_width, 1, reason);
}

static bool find_transposed(const LiteClNode* node, LiteClTransposed* t, LiteClReason* reason) {
    const TfLiteTransposeConvParams* p = node->params;
    if (!lite_cl_transposed_shape(node, 4, &t->output, reason)) return false;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int64_t taps = (int64_t)filter[1] * filter[2];
    t->out_c = filter[0];
    t->in_c = filter[3];
    t->activation = p->activation;
    t->weights = (LiteClWeights){node->inputs[1], taps, t->in_c, 1, taps * t->in_c};
    return find_axes(node, t, reason);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClTransposed t = {0};
    if (!lite_cl_check_weight_type(node, 2, LITE_TYPE(Int8), LITE_TYPE(Int8), reason) ||
        !find_transposed(node, &t, reason) || !lite_cl_transposed_check(node, &t, reason)) {
        return false;
    }
    *output = t.output;
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTransposed t = {0};
    lite_cl_agreed(find_transposed(node, &t, &(LiteClReason){0}));
    return lite_cl_transposed_lower(plan, node, &t);
}

const LiteClOp lite_cl_op_TRANSPOSE_CONV = {
    .rounds = kLiteClRoundsFilter,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteTransposeConvParams, activation),
    .bias_type = offsetof(TfLiteTransposeConvParams, quantized_bias_type),
    .bias_type_version = 5,
    .min_inputs = 3,
    .max_inputs = 4,
    .inputs = "pwT.",
    .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int16),
    .infer = infer,
    .lower = lower};
