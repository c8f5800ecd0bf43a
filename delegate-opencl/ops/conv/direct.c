// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/direct.h"

#include <string.h>

#include "core/semantics/move.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/activation.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/quantization.h"

static void pack_weights(const void* state, float* packed) {
    const LiteClDirectConv* conv = state;
    const LiteClWeights* w = &conv->weights;
    const LiteClQuantization quantization = {.weights = w->tensor};
    const bool packed_type = lite_cl_is_packed(w->tensor);
    const size_t size = packed_type ? 1 : lite_type_size(w->tensor->type);
    char* to = (char*)packed;
    for (int64_t tap = 0; tap < w->taps; tap++) {
        for (int64_t in = 0; in < conv->args.group_in; in++) {
            for (int64_t out = 0; out < conv->args.out_c; out++, to += size) {
                const int64_t at = tap * w->tap + in * w->in + out * w->out;
                if (packed_type) {
                    *to = (char)lite_cl_weight(&quantization, (size_t)at);
                } else {
                    memcpy(to, (const char*)w->tensor->data + (size_t)at * size, size);
                }
            }
        }
    }
}

static int place_weights(LiteClPlan* plan, const LiteClNode* node, const LiteClDirectConv* conv) {
    const LiteClWeights* w = &conv->weights;
    const int64_t in = conv->args.group_in, out = conv->args.out_c;
    const bool unpacks = lite_cl_is_packed(w->tensor);
    const bool in_place = w->out == 1 && w->in == out && w->tap == in * out && !unpacks;
    if (in_place) return lite_cl_plan_tensor(plan, w->tensor);
    const size_t bytes = (size_t)(w->taps * in * out) * (unpacks ? 1 : lite_type_size(w->tensor->type));
    if (w->tensor->data != NULL)
        return lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleWeights},
                                     bytes, pack_weights, conv);
    const int scratch = lite_cl_plan_add_storage(plan, kLiteClArena, bytes);
    LiteMove move = {0};
    lite_move_add(&move, w->taps, w->tap, in * out);
    lite_move_add(&move, in, w->in, out);
    lite_move_add(&move, out, w->out, 1);
    if (lite_cl_move_storage(plan, &move, w->tensor->type, lite_cl_plan_tensor(plan, w->tensor), 0, scratch,
                             0) != kTfLiteOk) {
        return -1;
    }
    return scratch;
}

static bool scales_sums(const LiteClDirectConv* conv) {
    return lite_cl_is_quantized(conv->input->type) && !conv->bare;
}

static void fill_limits(const LiteClNode* node, const LiteClDirectConv* conv, LiteClDirectConvArgs* args) {
    const LiteClTensor *output = node->outputs[0], *weights = conv->weights.tensor;
    lite_activation_range_f32(conv->activation, &args->low, &args->high);
    if (conv->infinite) lite_cl_activation_limits(conv->activation, &args->low, &args->high);
    if (!scales_sums(conv)) return;
    args->zero_x = conv->input->zero_point;
    args->zero_w = weights->affine->scale->size == 1 ? weights->zero_point : 0;
    args->zero_y = output->zero_point;
    lite_cl_quantized_limits(output, conv->activation, &args->int_low, &args->int_high);
}

// Packed types are unpacked to bytes.
static const char* element_name(TfLiteType type, bool with_sign) {
    switch (type) {
    case kTfLiteFloat32:
        return "float";
    case kTfLiteInt32:
        return "int";
    case kTfLiteInt64:
        return "long";
    case kTfLiteInt16:
        return "short";
    default:
        return type == kTfLiteUInt8 || !with_sign ? "uchar" : "char";
    }
}

// A vector does not cross the border of a group.
static int vector_of(LiteClPlan* plan, const LiteClDirectConvArgs* args, bool depthwise) {
    const bool grouped = args->group_out < args->out_c && !depthwise;
    int vector = lite_cl_vector(plan->device->class, grouped ? args->group_out : args->out_c);
    while (grouped && args->group_out % vector != 0) vector /= 2;
    return vector;
}

static bool has_long_sums(const LiteClNode* node, const LiteClDirectConv* conv) {
    return conv->input->type == kTfLiteInt16 || node->outputs[0]->type == kTfLiteInt16 || conv->once;
}

// Zeros, which are so in any type, are as long as the longest.
static int place_bias(LiteClPlan* plan, const LiteClDirectConv* conv) {
    if (conv->bias != NULL) return lite_cl_plan_tensor(plan, (LiteClTensor*)(uintptr_t)conv->bias);
    const size_t bytes = (size_t)conv->args.out_c * sizeof(int64_t);
    return lite_cl_plan_zeros(plan, bytes);
}

static void pack_channel_scales(const void* state, float* packed) {
    const LiteClDirectConv* conv = state;
    for (int c = 0; c < conv->args.out_c; c++) packed[c] = lite_cl_channel_scale(conv->weights.tensor, c);
}

static const char* bias_name(const LiteClDirectConv* conv) {
    if (conv->bias != NULL) return element_name(conv->bias->type, true);
    return element_name(conv->input->type == kTfLiteFloat32 ? kTfLiteFloat32 : kTfLiteInt32, true);
}

static void define_types(LiteClPrelude* prelude, const LiteClDevice* device, const LiteClNode* node,
                         const LiteClDirectConv* conv) {
    const TfLiteType input = conv->input->type, weights = conv->weights.tensor->type;
    const bool is_hybrid = conv->hybrid != NULL, signs = !conv->as_unsigned;
    lite_cl_define(prelude, "TYPE %s", conv->hybrid != NULL ? "char" : element_name(input, signs));
    lite_cl_define(prelude, "W_TYPE %s", is_hybrid ? "char" : element_name(weights, signs));
    lite_cl_define(prelude, "B_TYPE %s", bias_name(conv));
    lite_cl_define(prelude, "Y_TYPE %s", element_name(node->outputs[0]->type, true));
    if (is_hybrid) lite_cl_define(prelude, "HYBRID");
    if (conv->bare) lite_cl_define(prelude, "PLAIN_SUMS");
    if (!scales_sums(conv)) return;
    lite_cl_define(prelude, "QUANTIZED");
    if (conv->once) lite_cl_define_factors(prelude, device);
    if (!has_long_sums(node, conv)) return;
    lite_cl_define(prelude, "LONG_SUMS");
    const TfLiteType bias = conv->bias != NULL ? conv->bias->type : node->bias_type;
    if (lite_cl_is_byte(input) || (bias == kTfLiteInt32 && weights != kTfLiteInt16))
        lite_cl_define(prelude, "NARROW");
}

// Of the output, so few that a CPU shares their channels too.
#define FEW_PIXELS 64

TfLiteStatus lite_cl_direct_conv_lower(LiteClPlan* plan, const LiteClNode* node,
                                       const LiteClDirectConv* conv) {
    const LiteClHybrid* hybrid = conv->hybrid;
    LiteClDirectConvArgs args = conv->args;
    fill_limits(node, conv, &args);
    const bool quantized = scales_sums(conv);
    const bool depthwise = args.group_in == 1 && args.group_out == 1 && args.in_c == args.out_c;
    const int vector = vector_of(plan, &args, depthwise);
    LiteClPrelude prelude = {0};
    define_types(&prelude, plan->device, node, conv);
    lite_cl_define(&prelude, "VW %d", vector);
    if (depthwise) lite_cl_define(&prelude, "DEPTHWISE");
    if (conv->transposed) lite_cl_define(&prelude, "TRANSPOSED");
    LiteClLaunch launch = {
        .family = &lite_cl_source_conv_direct,
        .kernel = "conv_direct",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {hybrid != NULL ? hybrid->values : lite_cl_plan_tensor(plan, conv->input),
                    place_weights(plan, node, conv), place_bias(plan, conv)},
        // Some pixels give a CPU enough items.
        .items = {args.pixels < FEW_PIXELS ? lite_cl_chunks(args.out_c, vector)
                                           : lite_cl_vector_items(plan->device, args.out_c, vector),
                  (size_t)args.pixels, 1},
    };
    if (quantized) {
        const LiteClQuantization quantization = {.input = conv->input,
                                                 .weights = conv->weights.tensor,
                                                 .bias = conv->bias,
                                                 .output = node->outputs[0],
                                                 .channels = args.out_c,
                                                 .once = conv->once,
                                                 .coarse = conv->coarse};
        lite_cl_add_scaling(plan, node, &quantization, &launch);
    } else if (hybrid != NULL) {
        launch.buffers[launch.buffer_count++] = hybrid->scales;
        launch.buffers[launch.buffer_count++] =
            lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleScales},
                                  (size_t)args.out_c * sizeof(float), pack_channel_scales, conv);
    }
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, node->outputs[0]);
    return args.out_c > 0 ? lite_cl_plan_launch(plan, &launch) : kTfLiteOk;
}

LiteClDirectConvArgs lite_cl_direct_matmul_args(int rows, int depth, int columns) {
    const LiteClConvAxis one = {1, 1, 1, 1, 1, 0}; // each row is an image
    return (LiteClDirectConvArgs){.pixels = rows,
                                  .axes = {one, one, one},
                                  .in_c = depth,
                                  .out_c = columns,
                                  .group_in = depth,
                                  .group_out = columns};
}
