// SPDX-License-Identifier: Apache-2.0
#include "kernels-cl/args/resize.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"

enum { LONGEST = 1 << 20 }; // side of an image of which 1024ths fit an int

static bool resized_shape(const LiteClNode* node, int least, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts size;
    if (input->rank != 4) return lite_cl_refuse(reason, "input has %d dimensions, not 4", input->rank);
    if (!lite_cl_constant_ints(node, 1, &size, reason)) return false;
    if (size.count != 2 || size.values[0] < least || size.values[1] < least)
        return lite_cl_refuse(reason, "the output has to be at least %d x %d", least, least);
    if (node->inputs[1]->shape.rank != 1) return lite_cl_refuse(reason, "the size is not a vector");
    *output =
        (LiteShape){4, {input->dims[0], (int32_t)size.values[0], (int32_t)size.values[1], input->dims[3]}};
    if ((input->dims[1] < 1 || input->dims[2] < 1) && (least > 0 || lite_shape_elements(output) > 0))
        return lite_cl_refuse(reason, "the input has to be at least 1 x 1");
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteResizeBilinearParams* params = node->params;
    if (params->align_corners && params->half_pixel_centers)
        return lite_cl_refuse(reason, "both align_corners and half_pixel_centers");
    if (!resized_shape(node, 1, output, reason)) return false;
    const LiteShape* input = &node->inputs[0]->shape;
    return lite_cl_is_float(node->inputs[0]->type) ||
           (input->dims[1] < LONGEST && input->dims[2] < LONGEST) ||
           lite_cl_refuse(reason, "a side of more than %d", LONGEST);
}

static float scale(int in, int out, bool align_corners) {
    return align_corners && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
}

// The same in 1024ths.
static int step(int in, int out, bool align_corners) {
    const int64_t from = align_corners && out > 1 ? in - 1 : in,
                  to = align_corners && out > 1 ? out - 1 : out;
    return (int)((1024 * from + to / 2) / to);
}

static TfLiteStatus lower_whole(LiteClPlan* plan, const LiteClNode* node, LiteClResizeArgs* args) {
    const TfLiteResizeBilinearParams* params = node->params;
    const TfLiteType type = node->inputs[0]->type;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", type);
    lite_cl_define(&prelude, "WHOLE");
    if (type != kTfLiteUInt8) {
        lite_cl_define(&prelude, "FIXED");
        lite_cl_define(&prelude, "WIDE %s", type == kTfLiteInt8 ? "int" : "long");
        args->step_h = step(args->in_h, args->out_h, params->align_corners);
        args->step_w = step(args->in_w, args->out_w, params->align_corners);
    }
    const LiteClLaunch launch = {
        .family = &lite_cl_source_resize,
        .kernel = "resize_whole",
        .prelude = prelude.text,
        .args = args,
        .args_size = sizeof *args,
        .items = {lite_cl_chunks(args->out_w, args->chunk), (size_t)args->rows, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteResizeBilinearParams* params = node->params;
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    LiteClResizeArgs args = {
        .rows = out[0] * out[1],
        .out_h = out[1],
        .out_w = out[2],
        .in_h = in[1],
        .in_w = in[2],
        .channels = in[3],
        .chunk = lite_cl_tune(plan->device->class)->pixels,
        .scale_h = scale(in[1], out[1], params->align_corners),
        .scale_w = scale(in[2], out[2], params->align_corners),
        .shift = params->half_pixel_centers ? 0.5f : 0.0f,
    };
    if (!lite_cl_is_float(node->inputs[0]->type)) return lower_whole(plan, node, &args);
    const int vector = lite_cl_vector(plan->device->class, in[3]);
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "VW %d", vector);
    lite_cl_define_vectors(&prelude, node->inputs[0]->type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_resize,
        .kernel = "resize_bilinear",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_vector_items(plan->device, in[3], vector), lite_cl_chunks(out[2], args.chunk),
                  (size_t)args.rows},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

const LiteClOp lite_cl_op_RESIZE_BILINEAR = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteResizeBilinearParams, half_pixel_centers),
    .min_inputs = 2,
    .max_inputs = 2,
    .inputs = "Tp",
    .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int16),
    .float16 = true,
    .infer = infer,
    .lower = lower,
};

// To nothing, too, as on the CPU.
static bool nearest_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    return resized_shape(node, 0, output, reason);
}

static TfLiteStatus nearest_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteResizeNearestNeighborParams* params = node->params;
    const int32_t *in = node->inputs[0]->shape.dims, *out = node->outputs[0]->shape.dims;
    const LiteClResizeArgs args = {
        .rows = out[0] * out[1],
        .out_h = out[1],
        .out_w = out[2],
        .in_h = in[1],
        .in_w = in[2],
        .channels = in[3],
        .scale_h = scale(in[1], out[1], params->align_corners),
        .scale_w = scale(in[2], out[2], params->align_corners),
        .shift = params->half_pixel_centers ? 0.5f : 0.0f,
    };
    LiteClPrelude prelude = {0};
    lite_cl_define_element(&prelude, node->inputs[0]->type);
    lite_cl_define(&prelude, "NEAREST");
    lite_cl_define(&prelude, "ROUND(v) %s(v)", params->align_corners ? "round" : "floor");
    const LiteClLaunch launch = {
        .family = &lite_cl_source_resize,
        .kernel = "resize_nearest",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {(size_t)args.rows * (size_t)args.out_w, 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

const LiteClOp lite_cl_op_RESIZE_NEAREST_NEIGHBOR = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteResizeNearestNeighborParams, half_pixel_centers),
    .min_inputs = 2,
    .max_inputs = 2,
    .inputs = "Tp",
    .types = LITE_TYPES_FLOAT | LITE_TYPE(BFloat16) | LITE_TYPES_BYTE | LITE_TYPE(Int16) | LITE_TYPE(UInt16) |
             LITE_TYPE(Int32) | LITE_TYPE(UInt32) | LITE_TYPE(Bool),
    .infer = nearest_infer,
    .lower = nearest_lower,
};
