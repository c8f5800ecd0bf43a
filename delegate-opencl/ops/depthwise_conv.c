// SPDX-License-Identifier: Apache-2.0
#include "kernels-cl/args/depthwise_conv.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/activation.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/depthwise.h"
#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/ops/conv/params.h"
#include "delegate-opencl/ops/conv/quantization.h"
#include "delegate-opencl/ops/conv/tail.h"

// A hybrid filter has as many scales as its quantized dimension has elements.
static bool has_scales(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor* filter = node->inputs[1];
    const TfLiteAffineQuantization* affine = filter->affine;
    if (!lite_cl_is_hybrid(node->inputs[0], filter)) return true;
    if (!lite_cl_hybrid_check(node->inputs[0], filter, filter->shape.dims[3], reason)) return false;
    const int axis = affine->quantized_dimension;
    return (axis >= 0 && axis < 4 && affine->scale->size == filter->shape.dims[axis]) ||
           lite_cl_refuse(reason, "%d scales of the filter along dimension %d", affine->scale->size, axis);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!lite_cl_check_filter(node, reason) ||
        !lite_cl_check_weight_type(node, 0, LITE_TYPE(Int8), LITE_TYPE(Int8) | LITE_TYPE(Int4), reason))
        return false;
    const TfLiteDepthwiseConvParams* params = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int in_channels = node->inputs[0]->shape.dims[3], out_channels = filter[3];
    if (filter[0] != 1 || in_channels < 1 || out_channels < 1 || out_channels % in_channels != 0) {
        return lite_cl_refuse(reason, "%d input channels, filter of %d x %d channels", in_channels, filter[0],
                              out_channels);
    }
    if (params->dilation_height_factor > INT16_MAX || params->dilation_width_factor > INT16_MAX) {
        return lite_cl_refuse(reason, "dilations of %d and %d", params->dilation_height_factor,
                              params->dilation_width_factor);
    }
    if (!has_scales(node, reason)) return false;
    const LiteClTensor* bias = lite_cl_input(node, 2);
    if (node->inputs[0]->type == kTfLiteInt16 && bias != NULL && bias->type != kTfLiteInt64)
        return lite_cl_refuse(reason, "bias of type %s", TfLiteTypeGetName(bias->type));
    if (node->as_float16 && !lite_cl_depthwise_is_small(node))
        return lite_cl_refuse(reason, "no kernel for a filter of this size of FLOAT16");
    return lite_cl_conv_infer(node, &LITE_CL_CONV_PARAMS(params), out_channels, output, reason);
}

static void pack_weights(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    const size_t count = (size_t)lite_shape_elements(&q->weights->shape);
    for (size_t i = 0; i < count; i++) packed[i] = (float)lite_cl_weight(q, i);
}

static void pack_bias(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    const int32_t* filter = q->weights->shape.dims;
    const size_t taps = (size_t)filter[1] * (size_t)filter[2], channels = (size_t)filter[3];
    for (size_t c = 0; c < channels; c++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < taps; k++) sum += (uint32_t)lite_cl_weight(q, k * channels + c);
        ((int32_t*)(void*)packed)[c] = lite_cl_folded_bias(q, c, sum);
    }
}

static void add_buffers(LiteClPlan* plan, const LiteClNode* node, LiteClTensor* output,
                        LiteClLaunch* launch) {
    LiteClTensor *input = node->inputs[0], *filter = node->inputs[1];
    LiteClTensor* bias = node->input_count > 2 ? node->inputs[2] : NULL;
    const int channels = filter->shape.dims[3];
    const LiteClQuantization q = {input, filter, bias, node->outputs[0], channels, false, false};
    const size_t column = (size_t)channels * sizeof(float);
    const bool bytes = lite_cl_is_byte(input->type);
    int* buffers = launch->buffers;
    buffers[0] = lite_cl_plan_tensor(plan, input);
    if (bytes) {
        const size_t size = (size_t)lite_shape_elements(&filter->shape) * sizeof(float);
        buffers[1] = lite_cl_plan_constant(
            plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleWeights}, size, pack_weights, &q);
        buffers[2] = lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleBias},
                                           column, pack_bias, &q);
    } else {
        buffers[1] = lite_cl_plan_tensor(plan, filter);
        buffers[2] = bias != NULL ? lite_cl_plan_tensor(plan, bias) : lite_cl_plan_zeros(plan, column);
    }
    buffers[3] = lite_cl_zeros(plan, input, (size_t)channels);
    launch->buffer_count = 4;
    if (bytes) lite_cl_add_scaling(plan, node, &q, launch);
    launch->buffers[launch->buffer_count++] = lite_cl_plan_tensor(plan, output);
}

// What has no compiled filter.
static TfLiteStatus lower_direct(LiteClPlan* plan, const LiteClNode* node, const LiteClConvParams* params) {
    const int32_t *in = node->inputs[0]->shape.dims, *filter = node->inputs[1]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    LiteAxisPadding h, w;
    lite_cl_agreed(lite_cl_conv_windows(node, params, &h, &w, &(LiteClReason){0}));
    LiteClHybrid hybrid;
    const bool is_hybrid = lite_cl_is_hybrid(node->inputs[0], node->inputs[1]);
    if (is_hybrid) LITE_TRY(lite_cl_quantize_images(plan, node->inputs[0], true, &hybrid));
    const LiteClDirectConv conv = {
        .args = {.pixels = out[0] * out[1] * out[2],
                 .axes = {{1, 1, 1, 1, 1, 0},
                          {in[1], out[1], filter[1], params->stride_h, params->dilation_h, h.before},
                          {in[2], out[2], filter[2], params->stride_w, params->dilation_w, w.before}},
                 .in_c = in[3],
                 .out_c = out[3],
                 .group_in = 1,
                 .group_out = out[3] / in[3]},
        .input = node->inputs[0],
        .weights = {node->inputs[1], (int64_t)filter[1] * filter[2], out[3], 0, 1},
        .bias = lite_cl_input(node, 2),
        .hybrid = is_hybrid ? &hybrid : NULL,
        .activation = params->activation,
    };
    return lite_cl_direct_conv_lower(plan, node, &conv);
}

// A compiled filter, with its tail; NULL: it has none.
static TfLiteStatus lower_small(LiteClPlan* plan, const LiteClNode* node, const LiteClTail* tail) {
    const TfLiteDepthwiseConvParams* params = node->params;
    const LiteClTune* tune = lite_cl_tune(plan->device->class);
    LiteClDepthwiseArgs args = lite_cl_depthwise_args(node);
    if (tail != NULL) args.after = tail->after;
    const int vector = lite_cl_vector(plan->device->class, args.channels);
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define(&prelude, "VW %d", vector);
    lite_cl_depthwise_define(&prelude, node, tune);
    if (plan->device->class == kLiteClGpu) lite_cl_define(&prelude, "GPU");
    if (lite_cl_is_byte(node->outputs[0]->type)) {
        lite_cl_define(&prelude, "QUANTIZED");
        args.zero = node->outputs[0]->zero_point;
        lite_cl_quantized_limits(node->outputs[0], params->activation, &args.int_low, &args.int_high);
    } else {
        const bool aligned = lite_cl_device_has_local_tiles(plan->device) && vector > 1 &&
                             node->inputs[0]->type == kTfLiteFloat32 && args.channels % vector == 0;
        if (aligned)
            lite_cl_define_aligned_vectors(&prelude);
        else
            lite_cl_define_vectors(&prelude, node->inputs[0]->type);
    }
    if (tail != NULL && tail->steps.count > 0) lite_cl_steps_define(&prelude, &tail->steps);
    LiteClLaunch launch = {
        .family = &lite_cl_source_depthwise_conv,
        .kernel = "depthwise_conv",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_vector_items(plan->device, args.channels, vector),
                  (size_t)args.images * lite_cl_chunks(args.out_h, tune->tile_height) *
                      lite_cl_chunks(args.out_w, tune->tile_width),
                  1},
    };
    add_buffers(plan, node, tail != NULL ? tail->output : node->outputs[0], &launch);
    return lite_cl_plan_launch(plan, &launch);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteDepthwiseConvParams* builtin = node->params;
    const LiteClConvParams params = LITE_CL_CONV_PARAMS(builtin);
    if (!lite_cl_depthwise_is_small(node)) return lower_direct(plan, node, &params);
    return lower_small(plan, node, NULL);
}

static TfLiteStatus join(LiteClPlan* plan, const LiteClNode* node, const LiteClFollowers* followers,
                         int* joined) {
    LiteClTail tail;
    if (!lite_cl_depthwise_is_small(node) || !lite_cl_find_tail(node, followers, &tail)) return kTfLiteOk;
    *joined = tail.count;
    return lower_small(plan, node, &tail);
}

const LiteClOp lite_cl_op_DEPTHWISE_CONV_2D = {
    .rounds = kLiteClRoundsFilter,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteDepthwiseConvParams, dilation_height_factor),
    .min_inputs = 2,
    .max_inputs = 3,
    .inputs = "Tw.",
    .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int16),
    .float16 = true,
    .infer = infer,
    .lower = lower,
    .join = join,
};
