// SPDX-License-Identifier: Apache-2.0
// CONV_3D, CONV_3D_TRANSPOSE and TRANSPOSE_CONV.
#include "delegate-opencl/ops/window.h"

enum { kSpace = 3 };

// One axis: the window over `wide`, which is the input, or the output of a transposed convolution.
static bool find_axis(LiteClWindowAxis* axis, TfLitePadding padding, int wide, int kernel, int stride,
                      int dilation, int* narrow, LiteClReason* reason) {
    LiteWindow window;
    if (!lite_cl_window(padding, wide, kernel, stride, dilation, &window, reason)) return false;
    *axis = (LiteClWindowAxis){wide, window.out, kernel, stride, dilation, window.before};
    *narrow = window.out;
    return true;
}

static void exchange(LiteClWindowAxis* axis) {
    const int in = axis->in;
    axis->in = axis->out;
    axis->out = in;
}

static bool find_axes(const TfLiteConv3DParams* p, const int32_t* wide, const int32_t* filter,
                      LiteClWindowAxis axes[kSpace], int32_t narrow[kSpace], LiteClReason* reason) {
    const int strides[] = {p->stride_depth, p->stride_height, p->stride_width};
    const int dilations[] = {p->dilation_depth_factor, p->dilation_height_factor, p->dilation_width_factor};
    for (int i = 0; i < kSpace; i++) {
        if (!find_axis(&axes[i], p->padding, wide[i], filter[i], strides[i], dilations[i], &narrow[i],
                       reason))
            return false;
    }
    return true;
}

// Images of no pixels are refused by the CPU, whose message says where.
static bool has_pixels(const LiteShape* image, LiteClReason* reason) {
    for (int i = 1; i <= kSpace; i++) {
        if (image->dims[i] < 1) return lite_cl_refuse(reason, "dimension %d of the input has no elements", i);
    }
    return true;
}

static bool conv_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteConv3DParams* params = node->params;
    const LiteShape *input = &node->inputs[0]->shape, *filter = &node->inputs[1]->shape;
    LiteClWindowAxis axes[kSpace];
    float low, high;
    if (input->rank != 5 || filter->rank != 5 || input->dims[4] != filter->dims[3] || filter->dims[3] < 1 ||
        filter->dims[4] < 1) {
        return lite_cl_refuse(reason, "input and filter do not fit");
    }
    *output = (LiteShape){5, {input->dims[0], 0, 0, 0, filter->dims[4]}};
    return has_pixels(input, reason) && lite_cl_activation(params->activation, &low, &high, reason) &&
           lite_cl_check_bias(node, 2, filter->dims[4], reason) &&
           find_axes(params, input->dims + 1, filter->dims, axes, output->dims + 1, reason);
}

static TfLiteStatus conv_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteConv3DParams* params = node->params;
    const int32_t *in = node->inputs[0]->shape.dims, *filter = node->inputs[1]->shape.dims;
    const int64_t pixels = lite_shape_elements(&node->outputs[0]->shape) / filter[4];
    LiteClReason reason;
    int32_t narrow[kSpace];
    LiteClWindow window = {
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
    (void)find_axes(params, in + 1, filter, window.args.axes, narrow, &reason); // infer has agreed to it
    return lite_cl_window_lower(plan, node, &window);
}

const LiteClOp lite_cl_op_CONV_3D = {.params_size = sizeof(TfLiteConv3DParams),
                                     .min_inputs = 2,
                                     .max_inputs = 3,
                                     .infer = conv_infer,
                                     .lower = conv_lower};

// Transposed: output shape, filter, input, bias. The filter's channels: output, then input.
typedef struct Transposed {
    LiteClWindowAxis axes[kSpace];
    LiteShape output;
    int out_c;
    int in_c;
    LiteClWeights weights;
    TfLiteFusedActivation activation;
} Transposed;

static bool find_plane(const LiteClNode* node, Transposed* t, int32_t narrow[kSpace], LiteClReason* reason) {
    const TfLiteTransposeConvParams* p = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int64_t taps = (int64_t)filter[1] * filter[2];
    t->out_c = filter[0];
    t->in_c = filter[3];
    t->activation = p->activation;
    t->weights = (LiteClWeights){node->inputs[1], taps, t->in_c, 1, taps * t->in_c};
    t->axes[0] = (LiteClWindowAxis){1, 1, 1, 1, 1, 0};
    narrow[0] = 1;
    return find_axis(&t->axes[1], p->padding, t->output.dims[1], filter[1], p->stride_height, 1, &narrow[1],
                     reason) &&
           find_axis(&t->axes[2], p->padding, t->output.dims[2], filter[2], p->stride_width, 1, &narrow[2],
                     reason);
}

static bool find_space(const LiteClNode* node, Transposed* t, int32_t narrow[kSpace], LiteClReason* reason) {
    const TfLiteConv3DParams* p = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    t->out_c = filter[3];
    t->in_c = filter[4];
    t->activation = p->activation;
    t->weights = (LiteClWeights){node->inputs[1], (int64_t)filter[0] * filter[1] * filter[2],
                                 (int64_t)t->out_c * t->in_c, 1, t->in_c};
    return find_axes(p, t->output.dims + 1, filter, t->axes, narrow, reason);
}

static bool find_transposed(const LiteClNode* node, Transposed* t, LiteClReason* reason) {
    const int rank = node->op->variant;
    const LiteShape* input = &node->inputs[2]->shape;
    LiteClInts wanted;
    if (!lite_cl_constant_ints(node, 0, &wanted, reason)) return false;
    if (wanted.count != rank || node->inputs[0]->shape.rank != 1 || input->rank != rank ||
        node->inputs[1]->shape.rank != rank) {
        return lite_cl_refuse(reason, "tensors of other than %d dimensions", rank);
    }
    if (rank == 5 && !has_pixels(input, reason)) return false;
    t->output.rank = rank;
    for (int d = 0; d < rank; d++) {
        if (wanted.values[d] < 0) return lite_cl_refuse(reason, "length %lld", (long long)wanted.values[d]);
        t->output.dims[d] = (int32_t)wanted.values[d];
    }
    int32_t narrow[kSpace];
    if (!(rank == 4 ? find_plane(node, t, narrow, reason) : find_space(node, t, narrow, reason)))
        return false;
    bool fits = t->in_c >= 1 && input->dims[rank - 1] == t->in_c && t->output.dims[0] == input->dims[0] &&
                t->output.dims[rank - 1] == t->out_c;
    for (int i = 0; i < kSpace; i++) {
        if (rank == 5 || i > 0) fits = fits && narrow[i] == input->dims[rank == 5 ? i + 1 : i];
        exchange(&t->axes[i]);
    }
    return fits || lite_cl_refuse(reason, "the output's shape does not fit the input's");
}

static bool transposed_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    Transposed t = {0};
    const unsigned narrow = LITE_CL_TYPE(Int8), hybrid = node->op->variant == 4 ? narrow : 0;
    if (!lite_cl_check_weight_type(node, 2, hybrid, narrow, reason) || !find_transposed(node, &t, reason))
        return false;
    *output = t.output;
    return lite_cl_check_conv_bias(node, 3, t.out_c, reason) &&
           lite_cl_window_check(node->inputs[2], node->inputs[1], lite_cl_input(node, 3), node->outputs[0],
                                t.out_c, reason);
}

static TfLiteStatus transposed_lower(LiteClPlan* plan, const LiteClNode* node) {
    Transposed t = {0};
    LiteClReason reason;
    (void)find_transposed(node, &t, &reason); // infer has agreed to it
    LiteClHybrid hybrid;
    const bool is_hybrid = lite_cl_is_hybrid(node->inputs[2], node->inputs[1]);
    if (is_hybrid) LITE_TRY(lite_cl_quantize_images(plan, node->inputs[2], true, &hybrid));
    LiteClWindow window = {
        .args = {.pixels = t.out_c > 0 ? (int)(lite_shape_elements(&t.output) / t.out_c) : 0,
                 .in_c = t.in_c,
                 .out_c = t.out_c,
                 .group_in = t.in_c,
                 .group_out = t.out_c},
        .input = node->inputs[2],
        .weights = t.weights,
        .bias = lite_cl_input(node, 3),
        .transposed = true,
        .hybrid = is_hybrid ? &hybrid : NULL,
        .activation = t.activation,
    };
    memcpy(window.args.axes, t.axes, sizeof t.axes);
    return lite_cl_window_lower(plan, node, &window);
}

const LiteClOp lite_cl_op_CONV_3D_TRANSPOSE = {.params_size = sizeof(TfLiteConv3DParams),
                                               .min_inputs = 3,
                                               .max_inputs = 4,
                                               .inputs = "pT",
                                               .variant = 5,
                                               .infer = transposed_infer,
                                               .lower = transposed_lower};
const LiteClOp lite_cl_op_TRANSPOSE_CONV = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteTransposeConvParams, activation),
    .bias_type = offsetof(TfLiteTransposeConvParams, quantized_bias_type),
    .bias_type_version = 5,
    .min_inputs = 3,
    .max_inputs = 4,
    .inputs = "pwT.",
    .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES | LITE_CL_TYPE(Int16),
    .variant = 4,
    .infer = transposed_infer,
    .lower = transposed_lower};
