// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION of the last dimension, LOCAL_RESPONSE_NORMALIZATION over neighbouring channels.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/rows.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/rows.h"

static TfLiteStatus lower_last(LiteClPlan* plan, const LiteClNode* node, const char* kernel,
                               const LiteClAxisArgs* args) {
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    return lite_cl_launch_rows(plan, node, &lite_cl_source_normalization, kernel, &prelude, args);
}

static bool l2_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteL2NormParams* params = node->params;
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    *output = in->shape;
    if (params != NULL && params->activation != kTfLiteActNone)
        return lite_cl_refuse(reason, "fused activation %d", (int)params->activation);
    if (output->rank < 1) return lite_cl_refuse(reason, "the input is a scalar");
    if (lite_cl_is_float(in->type)) return true;
    if (!lite_cl_check_quantized(in, reason)) return false;
    return (out->scale == 1.0f / 128.0f && out->zero_point == (in->type == kTfLiteUInt8 ? 128 : 0)) ||
           lite_cl_refuse(reason, "the output's scale is %g, not 1/128", (double)out->scale);
}

static TfLiteStatus l2_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* in = node->inputs[0];
    LiteClAxisArgs args = lite_cl_rows(&in->shape, in->shape.rank - 1);
    if (lite_cl_is_float(in->type)) return lower_last(plan, node, "l2_normalization", &args);
    args.zero_x = in->zero_point;
    args.zero_y = node->outputs[0]->zero_point;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", in->type);
    lite_cl_define(&prelude, "QUANTIZED");
    lite_cl_define(&prelude, "BEFORE %d", in->type == kTfLiteUInt8 ? 128 : 1);
    lite_cl_define(&prelude, "AFTER %d", in->type == kTfLiteUInt8 ? 0 : 7);
    return lite_cl_launch_rows(plan, node, &lite_cl_source_normalization, "l2_normalization", &prelude,
                               &args);
}

const LiteClOp lite_cl_op_L2_NORMALIZATION = {.rounds = kLiteClRoundsRow,
                                              .params_size = sizeof(TfLiteL2NormParams),
                                              .optional_params = true,
                                              .min_inputs = 1,
                                              .max_inputs = 1,
                                              .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE,
                                              .float16 = true,
                                              .infer = l2_infer,
                                              .lower = l2_lower};

static bool lrn_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteLocalResponseNormParams* params = node->params;
    *output = node->inputs[0]->shape;
    if (params->radius < -INT32_MAX / 4 || params->radius > INT32_MAX / 4)
        return lite_cl_refuse(reason, "radius %d", params->radius);
    return output->rank == 4 || lite_cl_refuse(reason, "input has %d dimensions, not 4", output->rank);
}

static TfLiteStatus lrn_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteLocalResponseNormParams* params = node->params;
    LiteClAxisArgs args = lite_cl_rows(&node->inputs[0]->shape, 3);
    args.radius = params->radius;
    args.bias = params->bias;
    args.alpha = params->alpha;
    args.beta = params->beta;
    return lower_last(plan, node, "local_response_normalization", &args);
}

const LiteClOp lite_cl_op_LOCAL_RESPONSE_NORMALIZATION = {.rounds = kLiteClRoundsRow,
                                                          .params_size =
                                                              sizeof(TfLiteLocalResponseNormParams),
                                                          .min_inputs = 1,
                                                          .max_inputs = 1,
                                                          .float16 = true,
                                                          .infer = lrn_infer,
                                                          .lower = lrn_lower};
