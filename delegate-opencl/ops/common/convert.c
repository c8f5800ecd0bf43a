// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/convert.h"

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"

static void write_scales(const void* state, float* packed) {
    const TfLiteAffineQuantization* affine = state;
    for (int i = 0; i < affine->scale->size; i++) packed[i] = affine->scale->data[i];
}

static void write_zeros(const void* state, float* packed) {
    const TfLiteAffineQuantization* affine = state;
    int32_t* zeros = (int32_t*)(void*)packed;
    for (int i = 0; i < affine->scale->size; i++)
        zeros[i] = affine->zero_point->data[affine->zero_point->size == 1 ? 0 : i];
}

static void add_channels(LiteClPlan* plan, const LiteClNode* node, const TfLiteAffineQuantization* affine,
                         LiteClCastArgs* args, LiteClLaunch* launch) {
    const LiteClAxis axis = lite_cl_axis(&node->inputs[0]->shape, affine->quantized_dimension);
    const size_t bytes = (size_t)axis.length * sizeof(float);
    args->channels = axis.length;
    args->inner = axis.inner;
    launch->kernel = "cast_channels";
    launch->buffers[launch->buffer_count++] = lite_cl_plan_constant(
        plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleScales}, bytes, write_scales, affine);
    launch->buffers[launch->buffer_count++] = lite_cl_plan_constant(
        plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleZeroPoints}, bytes, write_zeros, affine);
}

static void define(LiteClPrelude* prelude, TfLiteType from, TfLiteType to, const char* function) {
    lite_cl_define_type(prelude, "", from);
    lite_cl_define_type(prelude, "OUT_", to);
    lite_cl_define(prelude, "QUANTIZED");
    lite_cl_define(prelude, "CONVERSION(x) %s(x)", function);
}

TfLiteStatus lite_cl_convert(LiteClPlan* plan, const LiteClNode* node, const char* function,
                             const TfLiteAffineQuantization* channels, LiteClCastArgs* args) {
    LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    args->count = (int)lite_shape_elements(&in->shape);
    args->chunk = lite_cl_tune(plan->device->class)->chunk;
    LiteClPrelude prelude = {0};
    define(&prelude, in->type, out->type, function);
    if (channels != NULL) lite_cl_define(&prelude, "CHANNELS");
    LiteClLaunch launch = {
        .family = &lite_cl_source_cast,
        .kernel = "cast",
        .prelude = prelude.text,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 2,
        .buffers = {lite_cl_plan_tensor(plan, in), lite_cl_plan_tensor(plan, out)},
        .items = {lite_cl_chunks(args->count, args->chunk), 1, 1},
    };
    if (channels != NULL) add_channels(plan, node, channels, args, &launch);
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_cast_storage(LiteClPlan* plan, int64_t count, TfLiteType from_type, int from,
                                  TfLiteType to_type, int to) {
    const LiteClCastArgs args = {.count = (int)count, .chunk = lite_cl_tune(plan->device->class)->chunk};
    LiteClPrelude prelude = {0};
    define(&prelude, from_type, to_type, "PLAIN");
    const LiteClLaunch launch = {
        .family = &lite_cl_source_cast,
        .kernel = "cast",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 2,
        .buffers = {from, to},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}
