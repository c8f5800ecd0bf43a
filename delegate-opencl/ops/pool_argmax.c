// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D and MaxUnpooling2D, whose options are the bytes of a TfLitePoolParams.
#include "core/semantics/custom_options.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/ops/common/window.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/pool.h"

enum { kMaxPixels = 1 << 14 }; // of a filter's side: products of coordinates stay within 32 bits

static bool read_options(const LiteClNode* node, LitePoolOptions* o, LiteClReason* reason) {
    if (!lite_struct_options(node->custom_options, node->custom_size, o, sizeof *o))
        return lite_cl_refuse(reason, "the options are too short");
    if (o->padding != kTfLitePaddingSame && o->padding != kTfLitePaddingValid)
        return lite_cl_refuse(reason, "padding %d", o->padding);
    if (o->stride_h < 1 || o->stride_w < 1 || o->filter_h < 1 || o->filter_w < 1 ||
        o->stride_h > kMaxPixels || o->stride_w > kMaxPixels || o->filter_h > kMaxPixels ||
        o->filter_w > kMaxPixels)
        return lite_cl_refuse(reason, "filter %d by %d, strides %d and %d", o->filter_h, o->filter_w,
                              o->stride_h, o->stride_w);
    return node->inputs[0]->shape.rank == 4 ||
           lite_cl_refuse(reason, "input has %d dimensions, not 4", node->inputs[0]->shape.rank);
}

static LiteClPoolArgs pool_args(const LiteClNode* node, const LitePoolOptions* o) {
    const int32_t *in = node->inputs[0]->shape.dims, *out = node->outputs[0]->shape.dims;
    LiteClPoolArgs args = {.pixels = out[0] * out[1] * out[2],
                           .out_h = out[1],
                           .out_w = out[2],
                           .in_h = in[1],
                           .in_w = in[2],
                           .channels = in[3],
                           .filter_h = o->filter_h,
                           .filter_w = o->filter_w,
                           .stride_h = o->stride_h,
                           .stride_w = o->stride_w};
    lite_activation_range_f32((TfLiteFusedActivation)o->activation, &args.low, &args.high);
    return args;
}

static TfLiteStatus launch_pool(LiteClPlan* plan, const char* kernel, const LiteClPoolArgs* args, int first,
                                int second, int third) {
    const LiteClLaunch launch = {.family = &lite_cl_source_pool_argmax,
                                 .kernel = kernel,
                                 .prelude = "",
                                 .args = args,
                                 .args_size = sizeof *args,
                                 .buffer_count = 3,
                                 .buffers = {first, second, third},
                                 .items = {(size_t)args->channels, (size_t)args->pixels, 1}};
    return lite_cl_plan_launch(plan, &launch);
}

static bool argmax_windows(const LiteClNode* node, const LitePoolOptions* o, LiteAxisPadding* h,
                           LiteAxisPadding* w, LiteClReason* reason) {
    const int32_t* in = node->inputs[0]->shape.dims;
    const TfLitePadding padding = (TfLitePadding)o->padding;
    return lite_cl_window(padding, in[1], o->filter_h, o->stride_h, 1, h, reason) &&
           lite_cl_window(padding, in[2], o->filter_w, o->stride_w, 1, w, reason);
}

static bool argmax_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    LitePoolOptions o;
    LiteAxisPadding h, w;
    if (node->output_count != 2) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    if (!read_options(node, &o, reason) || !argmax_windows(node, &o, &h, &w, reason)) return false;
    const int32_t* in = node->inputs[0]->shape.dims;
    outputs[0] = outputs[1] = (LiteShape){4, {in[0], h.out, w.out, in[3]}};
    return true;
}

static TfLiteStatus argmax_lower(LiteClPlan* plan, const LiteClNode* node) {
    LitePoolOptions o = {0};
    LiteAxisPadding h = {0}, w = {0};
    LiteClReason reason;
    lite_cl_agreed(read_options(node, &o, &(LiteClReason){0}));
    (void)argmax_windows(node, &o, &h, &w, &reason);
    LiteClPoolArgs args = pool_args(node, &o);
    args.pad_top = h.before;
    args.pad_left = w.before;
    return launch_pool(plan, "pool_argmax", &args, lite_cl_plan_tensor(plan, node->inputs[0]),
                       lite_cl_plan_tensor(plan, node->outputs[0]),
                       lite_cl_plan_tensor(plan, node->outputs[1]));
}

const LiteClOp lite_cl_op_MaxPoolingWithArgmax2D = {.rounds = kLiteClRoundsPlane,
                                                    .min_inputs = 1,
                                                    .max_inputs = 1,
                                                    .max_outputs = 2,
                                                    .infer = argmax_infer,
                                                    .lower = argmax_lower};

static bool unpool_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LitePoolOptions o;
    const LiteShape* input = &node->inputs[0]->shape;
    if (!read_options(node, &o, reason)) return false;
    if (!lite_shape_equal(input, &node->inputs[1]->shape))
        return lite_cl_refuse(reason, "not a place for each value");
    if ((int64_t)input->dims[1] * o.stride_h > INT32_MAX / 4 ||
        (int64_t)input->dims[2] * o.stride_w > INT32_MAX / 4)
        return lite_cl_refuse(reason, "strides %d and %d", o.stride_h, o.stride_w);
    return lite_cl_append_dim(output, input->dims[0], reason) &&
           lite_cl_append_dim(output, (int64_t)input->dims[1] * o.filter_h, reason) &&
           lite_cl_append_dim(output, (int64_t)input->dims[2] * o.filter_w, reason) &&
           lite_cl_append_dim(output, input->dims[3], reason);
}

// Windows that are further apart than filters side by side, which the output is as large as, are centred.
static int padding_of(int windows, int filter, int stride) {
    const int total = (windows - 1) * stride + filter - windows * filter;
    return total > 0 ? total / 2 : 0;
}

static TfLiteStatus unpool_lower(LiteClPlan* plan, const LiteClNode* node) {
    LitePoolOptions o = {0};
    lite_cl_agreed(read_options(node, &o, &(LiteClReason){0}));
    LiteClPoolArgs args = pool_args(node, &o);
    args.pad_top = padding_of(args.in_h, o.filter_h, o.stride_h);
    args.pad_left = padding_of(args.in_w, o.filter_w, o.stride_w);
    return launch_pool(plan, "unpool", &args, lite_cl_plan_tensor(plan, node->inputs[0]),
                       lite_cl_plan_tensor(plan, node->inputs[1]),
                       lite_cl_plan_tensor(plan, node->outputs[0]));
}

const LiteClOp lite_cl_op_MaxUnpooling2D = {.rounds = kLiteClRoundsPlane,
                                            .min_inputs = 2,
                                            .max_inputs = 2,
                                            .infer = unpool_infer,
                                            .lower = unpool_lower};
