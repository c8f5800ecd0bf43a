// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/window.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!lite_cl_check_filter(node, reason)) return false;
    const TfLiteDepthwiseConvParams* params = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int in_channels = node->inputs[0]->shape.dims[3], out_channels = filter[3];
    if (filter[0] != 1 || in_channels < 1 || out_channels < 1 || out_channels % in_channels != 0) {
        return lite_cl_refuse(reason, "%d input channels, filter of %d x %d channels", in_channels, filter[0],
                              out_channels);
    }
    return lite_cl_conv_infer(node, &LITE_CL_CONV_PARAMS(params), out_channels, output, reason);
}

static TfLiteStatus launch(LiteClPlan* plan, const LiteClNode* node, const LiteClDepthwiseArgs* args) {
    const int segment = lite_cl_tune(plan->device->class)->segment;
    const int vector = args->multiplier == 1 ? lite_cl_vector(plan->device->class, args->out_c) : 1;
    char prelude[LITE_CL_PRELUDE];
    snprintf(prelude, sizeof prelude, "#define VW %d\n#define SEGMENT %d\n", vector, segment);
    LiteClTensor* bias = node->input_count > 2 ? node->inputs[2] : NULL;
    const LiteClLaunch launch = {
        .family = "depthwise",
        .kernel = "depthwise",
        .prelude = prelude,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 4,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->inputs[1]),
                    bias != NULL ? lite_cl_plan_tensor(plan, bias)
                                 : lite_cl_plan_constant(plan, plan, 0, (size_t)args->out_c * sizeof(float),
                                                         NULL, NULL),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_vector_items(plan->device, args->out_c, vector),
                  (size_t)args->rows * lite_cl_chunks(args->out_w, segment), 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteDepthwiseConvParams* params = node->params;
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    if (lite_cl_is_byte(node->inputs[0]->type))
        return lite_cl_window_conv(plan, node, &LITE_CL_CONV_PARAMS(params), true);
    LiteClReason reason;
    LiteWindow h, w;
    if (!lite_cl_conv_windows(node, &LITE_CL_CONV_PARAMS(params), &h, &w, &reason))
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    LiteClDepthwiseArgs args = {
        .rows = out[0] * out[1],
        .out_h = out[1],
        .out_w = out[2],
        .in_h = in[1],
        .in_w = in[2],
        .in_c = in[3],
        .out_c = out[3],
        .multiplier = out[3] / in[3],
        .kernel_h = filter[1],
        .kernel_w = filter[2],
        .stride_h = params->stride_height,
        .stride_w = params->stride_width,
        .dilation_h = params->dilation_height_factor,
        .dilation_w = params->dilation_width_factor,
        .pad_top = h.before,
        .pad_left = w.before,
    };
    lite_activation_range_f32(params->activation, &args.low, &args.high);
    return launch(plan, node, &args);
}

const LiteClOp lite_cl_op_DEPTHWISE_CONV_2D = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteDepthwiseConvParams, dilation_height_factor),
    .min_inputs = 2,
    .max_inputs = 3,
    .inputs = "TT.",
    .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES,
    .infer = infer,
    .lower = lower,
};
