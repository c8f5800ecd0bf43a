// SPDX-License-Identifier: Apache-2.0
// PAD, PADV2: a constant around the input; MIRROR_PAD: its reflection.
#include "kernels-cl/args/pad.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"

enum { kMaxPadRank = 5 }; // of the reference

static bool check_rank(const LiteClNode* node, LiteClReason* reason) {
    const int rank = node->inputs[0]->shape.rank;
    return rank <= kMaxPadRank || lite_cl_refuse(reason, "an input of %d dimensions", rank);
}

static bool read_paddings(const LiteClNode* node, LiteClInts* paddings, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    if (!lite_cl_constant_ints(node, 1, paddings, reason)) return false;
    const LiteShape* shape = &node->inputs[1]->shape;
    if (shape->rank != 2 || shape->dims[0] != input->rank || shape->dims[1] != 2)
        return lite_cl_refuse(reason, "%d paddings for %d dimensions", paddings->count, input->rank);
    for (int i = 0; i < paddings->count; i++) {
        if (paddings->values[i] < 0 || paddings->values[i] > INT32_MAX / 4)
            return lite_cl_refuse(reason, "padding %lld", (long long)paddings->values[i]);
    }
    return true;
}

static bool padded_shape(const LiteClNode* node, const LiteClInts* paddings, LiteShape* output,
                         LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    output->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        const int64_t length = input->dims[d] + paddings->values[2 * d] + paddings->values[2 * d + 1];
        if (length > INT32_MAX) return lite_cl_refuse(reason, "the output would be too large");
        output->dims[d] = (int32_t)length;
    }
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClInts paddings;
    if (!read_paddings(node, &paddings, reason)) return false;
    const LiteClTensor* value = lite_cl_input(node, 2);
    if (value != NULL && lite_shape_elements(&value->shape) != 1)
        return lite_cl_refuse(reason, "the value is not one element");
    if (value != NULL && !lite_cl_same_elements(value, node->outputs[0], reason)) return false;
    return padded_shape(node, &paddings, output, reason);
}

// From the innermost dimension outwards, up to and including the first padded one, everything is one row.
static void fill_args(const LiteShape* in, const LiteShape* out, const LiteClInts* paddings,
                      LiteClPadArgs* args) {
    int d = in->rank - 1, inner = 1;
    while (d > 0 && in->dims[d] == out->dims[d]) inner *= in->dims[d--];
    args->in_width = d >= 0 ? in->dims[d] * inner : 1;
    args->out_width = d >= 0 ? out->dims[d] * inner : 1;
    args->before = d >= 0 ? (int)paddings->values[2 * d] * inner : 0;
    args->rank = d > 0 ? d : 0;
    args->rows = 1;
    for (int i = 0; i < args->rank; i++) {
        args->dims[i] = out->dims[i];
        args->in_dims[i] = in->dims[i];
        args->begin[i] = (int)paddings->values[2 * i];
        args->rows *= out->dims[i];
    }
}

// The given element, or what stands for zero.
static int padding_value(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* output = node->outputs[0];
    if (node->input_count > 2 && node->inputs[2] != NULL) return lite_cl_plan_tensor(plan, node->inputs[2]);
    const bool shifted = lite_cl_is_byte(output->type) || output->type == kTfLiteInt16;
    return lite_cl_scalar(plan, node, output->type, shifted ? output->zero_point : 0);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClInts paddings;
    lite_cl_agreed(read_paddings(node, &paddings, &(LiteClReason){0}));
    LiteClPadArgs args = {0};
    fill_args(&node->inputs[0]->shape, &node->outputs[0]->shape, &paddings, &args);
    LiteClPrelude prelude = {0};
    lite_cl_define_element(&prelude, node->outputs[0]->type);
    const bool each = plan->device->class == kLiteClGpu;
    if (each) lite_cl_define(&prelude, "EACH");
    const LiteClLaunch launch = {
        .family = &lite_cl_source_pad,
        .kernel = "pad",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), padding_value(plan, node),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {each || args.out_width == 0 ? (size_t)args.out_width : 1, (size_t)args.rows, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static bool mirror_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteMirrorPaddingParams* params = node->params;
    LiteClInts paddings;
    if (!read_paddings(node, &paddings, reason)) return false;
    if (!lite_cl_same_elements(node->inputs[0], node->outputs[0], reason)) return false;
    if (params->mode != kTfLiteMirrorPaddingReflect && params->mode != kTfLiteMirrorPaddingSymmetric)
        return lite_cl_refuse(reason, "mode %d", (int)params->mode);
    const int border = params->mode == kTfLiteMirrorPaddingReflect ? 1 : 0;
    for (int i = 0; i < paddings.count; i++) {
        const int32_t length = node->inputs[0]->shape.dims[i / 2];
        if (paddings.values[i] > (length > border ? length - border : 0))
            return lite_cl_refuse(reason, "padding %lld of %d elements", (long long)paddings.values[i],
                                  length);
    }
    return padded_shape(node, &paddings, output, reason);
}

static TfLiteStatus mirror_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteMirrorPaddingParams* params = node->params;
    const LiteShape *in = &node->inputs[0]->shape, *out = &node->outputs[0]->shape;
    LiteClInts paddings;
    lite_cl_agreed(read_paddings(node, &paddings, &(LiteClReason){0}));
    LiteClMirrorPadArgs args = {.rank = in->rank,
                                .count = (int)lite_shape_elements(out),
                                .chunk = lite_cl_tune(plan->device->class)->chunk,
                                .mirror = params->mode == kTfLiteMirrorPaddingReflect ? 1 : 0};
    for (int d = 0; d < in->rank; d++) {
        args.dims[d] = out->dims[d];
        args.in_dims[d] = in->dims[d];
        args.begin[d] = (int)paddings.values[2 * d];
    }
    LiteClPrelude prelude = {0};
    lite_cl_define_element(&prelude, node->outputs[0]->type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_pad,
        .kernel = "mirror_pad",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

#define PAD_TYPES (LITE_TYPES_INTEGER | LITE_TYPES_FLOAT | LITE_TYPE(BFloat16) | LITE_TYPE(Bool))
#define PAD_OP(NAME, least_inputs)                                                                           \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = (least_inputs),                                        \
                                        .max_inputs = 3,                                                     \
                                        .inputs = "TNT",                                                     \
                                        .types = PAD_TYPES,                                                  \
                                        .check = check_rank,                                                 \
                                        .infer = infer,                                                      \
                                        .lower = lower};
PAD_OP(PAD, 2)
PAD_OP(PADV2, 3)
const LiteClOp lite_cl_op_MIRROR_PAD = {.params_size = LITE_CL_PARAMS_UP_TO(TfLiteMirrorPaddingParams, mode),
                                        .min_inputs = 2,
                                        .max_inputs = 2,
                                        .inputs = "TP",
                                        .types = LITE_CL_ANY,
                                        .infer = mirror_infer,
                                        .lower = mirror_lower};
