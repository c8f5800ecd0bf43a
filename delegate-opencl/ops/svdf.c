// SPDX-License-Identifier: Apache-2.0
// SVDF: in float, with float or 8-bit weights, and in integers with a state of 16 or 8 bits.
#include "kernels-cl/args/svdf.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/recurrent/recurrent.h"
#include "kernels-cl/args/activation.h"
#include "kernels-cl/args/common.h"

enum { kInput, kFeatures, kTime, kBias, kState, INPUTS };

static bool check_types(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor *features = node->inputs[kFeatures], *time = node->inputs[kTime];
    const LiteClTensor* bias = node->inputs[kBias];
    const bool real = node->inputs[kInput]->type == kTfLiteFloat32;
    bool right = features->type == kTfLiteInt8 && (time->type == kTfLiteInt16 || time->type == kTfLiteInt8);
    if (real) {
        right = time->type == features->type &&
                (features->type == kTfLiteFloat32 || lite_cl_is_byte(features->type));
    }
    right = right && node->outputs[0]->type == node->inputs[kInput]->type;
    right = right && (bias == NULL || bias->type == (real ? kTfLiteFloat32 : kTfLiteInt32));
    if (right) return true;
    return lite_cl_refuse(reason, "no kernel for weights of %s and %s", TfLiteTypeGetName(features->type),
                          TfLiteTypeGetName(time->type));
}

// Scales and zero points of the integer form.
static bool check_quantization(const LiteClNode* node, LiteClReason* reason) {
    for (int i = 0; i < INPUTS; i++) {
        if (i != kBias && !lite_cl_check_quantized(node->inputs[i], reason)) return false;
    }
    const TfLiteSVDFParams* params = node->params;
    return params->activation == kTfLiteActRelu
               ? lite_cl_check_quantized(node->outputs[0], reason)
               : lite_cl_refuse(reason, "INT8 with fused activation %d", (int)params->activation);
}

static bool check_shapes(const LiteClNode* node, int rank, LiteClReason* reason) {
    const LiteShape *input = &node->inputs[kInput]->shape, *features = &node->inputs[kFeatures]->shape;
    const LiteShape *time = &node->inputs[kTime]->shape, *state = &node->inputs[kState]->shape;
    if (input->rank != 2 || features->rank != 2 || time->rank != 2 || state->rank != 2)
        return lite_cl_refuse(reason, "input, weights or state have not 2 dimensions");
    const int filters = features->dims[0], depth = input->dims[1], memory = time->dims[1];
    const LiteClTensor* bias = node->inputs[kBias];
    if (rank < 1 || filters < 1 || filters % rank != 0 || depth < 1 || memory < 1 ||
        input->dims[0] != state->dims[0]) {
        return lite_cl_refuse(reason, "%d filters of rank %d, inputs of %d, memory of %d", filters, rank,
                              depth, memory);
    }
    return lite_cl_check_constant(node->inputs[kFeatures], "feature weights", node->inputs[kFeatures]->type,
                                  filters, depth, reason) &&
           lite_cl_check_constant(node->inputs[kTime], "time weights", node->inputs[kTime]->type, filters,
                                  memory, reason) &&
           (bias == NULL || lite_cl_check_constant(bias, "biases", bias->type, filters / rank, -1, reason)) &&
           state->dims[1] == (int64_t)memory * filters &&
           lite_cl_check_state(node->inputs[kState],
                               node->inputs[kInput]->type == kTfLiteFloat32 ? kTfLiteFloat32
                                                                            : node->inputs[kTime]->type,
                               lite_shape_elements(state), reason);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteSVDFParams* params = node->params;
    if (node->input_count != INPUTS) return lite_cl_refuse(reason, "%d inputs", node->input_count);
    for (int i = 0; i < INPUTS; i++) {
        if (node->inputs[i] == NULL && i != kBias) return lite_cl_refuse(reason, "input %d is absent", i);
    }
    LiteClActivation activation;
    if (!check_types(node, reason) || !check_shapes(node, params->rank, reason) ||
        !lite_cl_any_activation(params->activation, &activation, reason)) {
        return false;
    }
    if (node->inputs[kInput]->type != kTfLiteFloat32 && !check_quantization(node, reason)) return false;
    *output = (LiteShape){
        2, {node->inputs[kInput]->shape.dims[0], node->inputs[kFeatures]->shape.dims[0] / params->rank}};
    return true;
}

static void pack_real(const void* state, float* packed) {
    const LiteClTensor* tensor = state;
    const int64_t count = lite_shape_elements(&tensor->shape);
    for (size_t i = 0; i < (size_t)count; i++) packed[i] = lite_cl_real(tensor, i);
}

// The vector of biases; zeros where there is none.
static int bias_of(LiteClPlan* plan, const LiteClNode* node, int units) {
    LiteClTensor* bias = node->inputs[kBias];
    if (bias != NULL) return lite_cl_plan_tensor(plan, bias);
    return lite_cl_plan_zeros(plan, (size_t)units * sizeof(float));
}

static TfLiteStatus launch_real(LiteClPlan* plan, const LiteClNode* node, LiteClSvdfArgs* args,
                                LiteClLaunch* launch) {
    const TfLiteSVDFParams* params = node->params;
    const LiteClTensor* features = node->inputs[kFeatures];
    LiteClTensor* time = node->inputs[kTime];
    const int filters = args->units * args->rank;
    args->width = filters;
    const LiteClGateProduct product = {
        .node = node,
        .part = kFeatures,
        .input = node->inputs[kInput],
        .weights = &features,
        .gates = 1,
        .cells = filters,
        .pitch = filters,
        .rows = args->batches,
        .depth = args->depth,
        .width = filters,
        .quantizes = lite_cl_quantizes(features->type, params->asymmetric_quantize_inputs),
        .infinite = true};
    const size_t bytes = (size_t)filters * (size_t)args->memory * sizeof(float);
    launch->buffers[0] = lite_cl_gate_product(plan, &product);
    launch->buffers[1] = lite_cl_plan_constant(
        plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleWeights, .part = kTime}, bytes, pack_real,
        time);
    launch->buffers[2] = bias_of(plan, node, args->units);
    launch->buffers[3] = lite_cl_plan_tensor(plan, node->inputs[kState]);
    launch->buffers[4] = lite_cl_plan_tensor(plan, node->outputs[0]);
    launch->buffer_count = 5;
    return lite_cl_plan_launch(plan, launch);
}

static LiteClMultiplier multiplier(double scale) {
    return lite_cl_multiplier(lite_quantize_multiplier(scale));
}

static TfLiteStatus launch_integer(LiteClPlan* plan, const LiteClNode* node, LiteClSvdfArgs* args,
                                   LiteClLaunch* launch) {
    LiteClTensor* const* in = node->inputs;
    const double state = in[kState]->scale;
    const bool wide = in[kTime]->type == kTfLiteInt16; // the state may be declared as wider
    args->zero_x = in[kInput]->zero_point;
    args->zero_state = wide ? 0 : in[kState]->zero_point;
    args->zero_y = node->outputs[0]->zero_point;
    args->state_low = wide ? INT16_MIN : INT8_MIN;
    args->state_high = wide ? INT16_MAX : INT8_MAX;
    args->to_state = multiplier((double)in[kInput]->scale * (double)in[kFeatures]->scale / state);
    args->to_output = multiplier(state * (double)in[kTime]->scale / (double)node->outputs[0]->scale);
    launch->prelude =
        wide ? "#define QUANTIZED\n#define STATE short\n" : "#define QUANTIZED\n#define STATE char\n";
    launch->buffers[0] = lite_cl_plan_tensor(plan, in[kInput]);
    launch->buffers[1] = lite_cl_plan_tensor(plan, in[kFeatures]);
    launch->buffers[2] = lite_cl_plan_tensor(plan, in[kTime]);
    launch->buffers[3] = bias_of(plan, node, args->units);
    launch->buffers[4] = lite_cl_plan_tensor(plan, in[kState]);
    launch->buffers[5] = lite_cl_plan_tensor(plan, node->outputs[0]);
    launch->buffer_count = 6;
    return lite_cl_plan_launch(plan, launch);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteSVDFParams* params = node->params;
    const int32_t* input = node->inputs[kInput]->shape.dims;
    const bool real = node->inputs[kInput]->type == kTfLiteFloat32;
    LiteClSvdfArgs args = {.batches = input[0],
                           .units = node->inputs[kFeatures]->shape.dims[0] / params->rank,
                           .rank = params->rank,
                           .memory = node->inputs[kTime]->shape.dims[1],
                           .depth = input[1]};
    LiteClReason reason;
    if (!lite_cl_any_activation(params->activation, &args.activation, &reason))
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    LiteClLaunch launch = {.family = &lite_cl_source_svdf,
                           .kernel = "svdf",
                           .prelude = "",
                           .args = &args,
                           .args_size = sizeof args,
                           .items = {(size_t)args.units, (size_t)args.batches, 1}};
    return real ? launch_real(plan, node, &args, &launch) : launch_integer(plan, node, &args, &launch);
}

const LiteClOp lite_cl_op_SVDF = {
    .rounds = kLiteClRoundsAll,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteSVDFParams, asymmetric_quantize_inputs),
    .min_inputs = 3,
    .max_inputs = INPUTS,
    .inputs = "T...v",
    .types = LITE_TYPE(Float32) | LITE_TYPE(Int8),
    .infer = infer,
    .lower = lower,
};
