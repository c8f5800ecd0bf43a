// SPDX-License-Identifier: Apache-2.0
// Convolution2DTransposeBias: input, filter [out, height, width, in], bias. Its options are the bytes of a
// TfLiteTransposeConvParams, which make the output's size.
#include "core/semantics/custom_options.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/ops/conv/params.h"
#include "kernels-cl/args/conv_direct.h"

// The windows of a filter side by side, less what SAME cuts off, half of it at the beginning.
static bool find_axis(const LiteTransposeConvOptions* o, int in, int filter, int stride, LiteClConvAxis* axis,
                      LiteClReason* reason) {
    if (in < 1 || filter < 1 || stride < 1 || stride > 1 << 20)
        return lite_cl_refuse(reason, "length %d, filter length %d, stride %d", in, filter, stride);
    const int64_t cut = o->padding == kTfLitePaddingSame ? (int64_t)filter - (in - 1) % stride - 1 : 0;
    const int64_t out = (int64_t)stride * (in - 1) + filter - (cut > 0 ? cut : 0);
    if (out > INT32_MAX / 4) return lite_cl_refuse(reason, "the output would be too large");
    *axis = (LiteClConvAxis){in, (int)out, filter, stride, 1, cut > 0 ? (int)(cut / 2) : 0};
    return true;
}

static bool find_axes(const LiteClNode* node, LiteClConvAxis axes[3], LiteClReason* reason) {
    const int32_t *in = node->inputs[0]->shape.dims, *filter = node->inputs[1]->shape.dims;
    LiteTransposeConvOptions o;
    if (!lite_struct_options(node->custom_options, node->custom_size, &o, sizeof o))
        return lite_cl_refuse(reason, "the options are too short");
    if (o.padding != kTfLitePaddingSame && o.padding != kTfLitePaddingValid)
        return lite_cl_refuse(reason, "padding %d", o.padding);
    axes[0] = (LiteClConvAxis){1, 1, 1, 1, 1, 0};
    return find_axis(&o, in[1], filter[1], o.stride_h, &axes[1], reason) &&
           find_axis(&o, in[2], filter[2], o.stride_w, &axes[2], reason);
}

static bool bias_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *input = &node->inputs[0]->shape, *filter = &node->inputs[1]->shape;
    LiteClConvAxis axes[3];
    if (input->rank != 4 || filter->rank != 4 || input->dims[3] != filter->dims[3] || input->dims[3] < 1 ||
        node->inputs[2]->shape.rank != 1)
        return lite_cl_refuse(reason, "input, filter and bias do not fit together");
    if (!lite_cl_check_bias(node, 2, filter->dims[0], reason) || !find_axes(node, axes, reason)) return false;
    *output = (LiteShape){4, {input->dims[0], axes[1].out, axes[2].out, filter->dims[0]}};
    return true;
}

static TfLiteStatus bias_lower(LiteClPlan* plan, const LiteClNode* node) {
    const int32_t *out = node->outputs[0]->shape.dims, *filter = node->inputs[1]->shape.dims;
    const int64_t taps = (int64_t)filter[1] * filter[2];
    LiteClDirectConv conv = {
        .args = {.pixels = out[0] * out[1] * out[2],
                 .in_c = filter[3],
                 .out_c = filter[0],
                 .group_in = filter[3],
                 .group_out = filter[0]},
        .input = node->inputs[0],
        .weights = {node->inputs[1], taps, filter[3], 1, taps * filter[3]},
        .bias = node->inputs[2],
        .transposed = true,
        .activation = kTfLiteActNone,
    };
    lite_cl_agreed(find_axes(node, conv.args.axes, &(LiteClReason){0}));
    return lite_cl_direct_conv_lower(plan, node, &conv);
}

const LiteClOp lite_cl_op_Convolution2DTransposeBias = {.rounds = kLiteClRoundsFilter,
                                                        .min_inputs = 3,
                                                        .max_inputs = 3,
                                                        .infer = bias_infer,
                                                        .lower = bias_lower};
