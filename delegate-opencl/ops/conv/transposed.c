// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/transposed.h"

#include "delegate-opencl/ops/common/window.h"
#include "delegate-opencl/ops/conv/params.h"
#include "delegate-opencl/ops/conv/quantization.h"

bool lite_cl_conv_axis(LiteClConvAxis* axis, TfLitePadding padding, int wide, int filter, int stride,
                       int dilation, LiteClReason* reason) {
    LiteAxisPadding window;
    if (!lite_cl_window(padding, wide, filter, stride, dilation, &window, reason)) return false;
    *axis = (LiteClConvAxis){wide, window.out, filter, stride, dilation, window.before};
    return true;
}

bool lite_cl_transposed_shape(const LiteClNode* node, int rank, LiteShape* output, LiteClReason* reason) {
    LiteClInts wanted;
    if (!lite_cl_constant_ints(node, 0, &wanted, reason)) return false;
    if (wanted.count != rank || node->inputs[0]->shape.rank != 1 || node->inputs[2]->shape.rank != rank ||
        node->inputs[1]->shape.rank != rank) {
        return lite_cl_refuse(reason, "tensors of other than %d dimensions", rank);
    }
    output->rank = rank;
    for (int d = 0; d < rank; d++) {
        if (wanted.values[d] < 0) return lite_cl_refuse(reason, "length %lld", (long long)wanted.values[d]);
        output->dims[d] = (int32_t)wanted.values[d];
    }
    return true;
}

bool lite_cl_transposed_check(const LiteClNode* node, const LiteClTransposed* t, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[2]->shape;
    const int rank = input->rank, space = rank - 2;
    bool fits = t->in_c >= 1 && input->dims[rank - 1] == t->in_c && t->output.dims[0] == input->dims[0] &&
                t->output.dims[rank - 1] == t->out_c;
    for (int i = 0; i < space; i++)
        fits = fits && t->axes[LITE_CL_SPACE - space + i].out == input->dims[i + 1];
    if (!fits) return lite_cl_refuse(reason, "the output's shape does not fit the input's");
    return lite_cl_check_conv_bias(node, 3, t->out_c, reason) &&
           lite_cl_check_conv_quantization(node->inputs[2], node->inputs[1], lite_cl_input(node, 3),
                                           node->outputs[0], t->out_c, reason);
}

TfLiteStatus lite_cl_transposed_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClTransposed* t) {
    LiteClHybrid hybrid;
    const bool is_hybrid = lite_cl_is_hybrid(node->inputs[2], node->inputs[1]);
    if (is_hybrid) LITE_TRY(lite_cl_quantize_images(plan, node->inputs[2], true, &hybrid));
    LiteClDirectConv conv = {
        .args = {.pixels = t->out_c > 0 ? (int)(lite_shape_elements(&t->output) / t->out_c) : 0,
                 .in_c = t->in_c,
                 .out_c = t->out_c,
                 .group_in = t->in_c,
                 .group_out = t->out_c},
        .input = node->inputs[2],
        .weights = t->weights,
        .bias = lite_cl_input(node, 3),
        .transposed = true,
        .hybrid = is_hybrid ? &hybrid : NULL,
        .activation = t->activation,
    };
    for (int i = 0; i < LITE_CL_SPACE; i++) {
        const LiteClConvAxis* a = &t->axes[i];
        conv.args.axes[i] = (LiteClConvAxis){a->out, a->in, a->filter, a->stride, a->dilation, a->pad};
    }
    return lite_cl_direct_conv_lower(plan, node, &conv);
}
