// SPDX-License-Identifier: Apache-2.0
// CONV_3D and CONV_3D_TRANSPOSE.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/ops/conv/params.h"
#include "delegate-opencl/ops/conv/quantization.h"
#include "delegate-opencl/ops/conv/transposed.h"
#include "kernels-cl/args/conv_direct.h"

static bool find_axes(const TfLiteConv3DParams* p, const int32_t* wide, const int32_t* filter,
                      LiteClConvAxis axes[LITE_CL_SPACE], LiteClReason* reason) {
    const int strides[] = {p->stride_depth, p->stride_height, p->stride_width};
    const int dilations[] = {p->dilation_depth_factor, p->dilation_height_factor, p->dilation_width_factor};
    for (int i = 0; i < LITE_CL_SPACE; i++) {
        if (!lite_cl_conv_axis(&axes[i], p->padding, wide[i], filter[i], strides[i], dilations[i], reason))
            return false;
    }
    return true;
}

// Images of no pixels are refused by the CPU, whose message says where.
static bool has_pixels(const LiteShape* image, LiteClReason* reason) {
    for (int i = 1; i <= LITE_CL_SPACE; i++) {
        if (image->dims[i] < 1) return lite_cl_refuse(reason, "dimension %d of the input has no elements", i);
    }
    return true;
}

static bool conv_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteConv3DParams* params = node->params;
    const LiteShape *input = &node->inputs[0]->shape, *filter = &node->inputs[1]->shape;
    LiteClConvAxis axes[LITE_CL_SPACE];
    float low, high;
    if (input->rank != 5 || filter->rank != 5 || input->dims[4] != filter->dims[3] || filter->dims[3] < 1 ||
        filter->dims[4] < 1) {
        return lite_cl_refuse(reason, "input and filter do not fit");
    }
    *output = (LiteShape){5, {input->dims[0], 0, 0, 0, filter->dims[4]}};
    if (!has_pixels(input, reason) || !lite_cl_activation(params->activation, &low, &high, reason) ||
        !lite_cl_check_bias(node, 2, filter->dims[4], reason) ||
        !find_axes(params, input->dims + 1, filter->dims, axes, reason)) {
        return false;
    }
    for (int i = 0; i < LITE_CL_SPACE; i++) output->dims[i + 1] = axes[i].out;
    return true;
}

static TfLiteStatus conv_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteConv3DParams* params = node->params;
    const int32_t *in = node->inputs[0]->shape.dims, *filter = node->inputs[1]->shape.dims;
    const int64_t pixels = lite_shape_elements(&node->outputs[0]->shape) / filter[4];
    LiteClDirectConv conv = {
        .args = {.pixels = (int)pixels,
                 .in_c = in[4],
                 .out_c = filter[4],
                 .group_in = in[4],
                 .group_out = filter[4]},
        .input = node->inputs[0],
        .weights = {node->inputs[1], (int64_t)filter[0] * filter[1] * filter[2],
                    (int64_t)filter[3] * filter[4], filter[4], 1},
        .bias = lite_cl_input(node, 2),
        .activation = params->activation,
    };
    lite_cl_agreed(find_axes(params, in + 1, filter, conv.args.axes, &(LiteClReason){0}));
    return lite_cl_direct_conv_lower(plan, node, &conv);
}

const LiteClOp lite_cl_op_CONV_3D = {.rounds = kLiteClRoundsFilter,
                                     .params_size = sizeof(TfLiteConv3DParams),
                                     .min_inputs = 2,
                                     .max_inputs = 3,
                                     .infer = conv_infer,
                                     .lower = conv_lower};

// The filter's channels: output, then input.
static bool find_transposed(const LiteClNode* node, LiteClTransposed* t, LiteClReason* reason) {
    const TfLiteConv3DParams* p = node->params;
    if (!lite_cl_transposed_shape(node, 5, &t->output, reason) ||
        !has_pixels(&node->inputs[2]->shape, reason)) {
        return false;
    }
    const int32_t* filter = node->inputs[1]->shape.dims;
    t->out_c = filter[3];
    t->in_c = filter[4];
    t->activation = p->activation;
    t->weights = (LiteClWeights){node->inputs[1], (int64_t)filter[0] * filter[1] * filter[2],
                                 (int64_t)t->out_c * t->in_c, 1, t->in_c};
    return find_axes(p, t->output.dims + 1, filter, t->axes, reason);
}

static bool transposed_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClTransposed t = {0};
    if (!lite_cl_check_weight_type(node, 2, 0, LITE_TYPE(Int8), reason) ||
        !find_transposed(node, &t, reason) || !lite_cl_transposed_check(node, &t, reason)) {
        return false;
    }
    *output = t.output;
    return true;
}

static TfLiteStatus transposed_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTransposed t = {0};
    lite_cl_agreed(find_transposed(node, &t, &(LiteClReason){0}));
    return lite_cl_transposed_lower(plan, node, &t);
}

const LiteClOp lite_cl_op_CONV_3D_TRANSPOSE = {.rounds = kLiteClRoundsFilter,
                                               .params_size = sizeof(TfLiteConv3DParams),
                                               .min_inputs = 3,
                                               .max_inputs = 4,
                                               .inputs = "pT",
                                               .infer = transposed_infer,
                                               .lower = transposed_lower};
