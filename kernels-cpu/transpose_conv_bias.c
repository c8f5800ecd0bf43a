// SPDX-License-Identifier: Apache-2.0
// Convolution2DTransposeBias, a custom operator of MediaPipe: a transposed convolution of FLOAT32 with inputs
// input, weights [out, height, width, in] and bias. Its options are the bytes of a TfLiteTransposeConvParams,
// of which padding and strides count; the output is as large as these make it.
#include "core/semantics/custom_options.h"
#include "kernels-cpu/conv/conv_node.h"
#include "kernels-cpu/conv/conv_phases.h"
#include "kernels-cpu/support/size.h"

static const char op[] = "Convolution2DTransposeBias";

typedef struct Data {
    bool valid;
    LiteTransposeConvOptions options;
    LitePhases phases;
} Data;

static void* bias_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    Data* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    data->valid = lite_struct_options(buffer, length, &data->options, sizeof(data->options));
    data->phases.scratch_tensor = -1;
    return data;
}

static void bias_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    Data* data = user_data;
    if (data == NULL) return;
    lite_phases_free(&data->phases);
    lite_free(data);
}

static TfLiteStatus check_options(TfLiteOpaqueContext* context, const Data* data) {
    if (data == NULL) return lite_fail(context, "%s: out of memory", op);
    if (!data->valid) return lite_fail(context, "%s: the options are too short", op);
    const LiteTransposeConvOptions* o = &data->options;
    if (o->padding != kTfLitePaddingSame && o->padding != kTfLitePaddingValid) {
        return lite_fail(context, "%s: padding %d is neither SAME nor VALID", op, o->padding);
    }
    if (o->stride_h < 1 || o->stride_w < 1) {
        return lite_fail(context, "%s: strides are %d and %d, expected at least 1", op, o->stride_h,
                         o->stride_w);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_tensors(TfLiteOpaqueContext* context, const LiteConvViews* v) {
    LITE_TRY(lite_check_types(context, op, "input", &v->input, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, op, "weights", &v->filter, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, op, "bias", &v->bias, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, op, "output", &v->output, LITE_TYPE(Float32)));
    const LiteShape *input = &v->input.shape, *weights = &v->filter.shape, *bias = &v->bias.shape;
    if (input->rank != 4 || weights->rank != 4 || bias->rank != 1) {
        return lite_fail(context,
                         "%s: input, weights and bias of %d, %d and %d dimensions, expected 4, 4 and 1", op,
                         input->rank, weights->rank, bias->rank);
    }
    if (input->dims[3] != weights->dims[3] || weights->dims[0] != bias->dims[0] || input->dims[3] < 1 ||
        input->dims[1] < 1 || input->dims[2] < 1 || weights->dims[1] < 1 || weights->dims[2] < 1) {
        return lite_fail(context, "%s: input, weights and bias do not fit together: %s, %s and %s", op,
                         lite_shape_text(input).text, lite_shape_text(weights).text,
                         lite_shape_text(bias).text);
    }
    return kTfLiteOk;
}

// The length that windows of a filter have together, less what SAME cuts off, half of it at the beginning.
static int64_t length_of(const Data* data, int64_t in, int64_t filter, int64_t stride, int32_t* before) {
    int64_t cut = data->options.padding == kTfLitePaddingSame ? filter - (in - 1) % stride - 1 : 0;
    if (cut < 0) cut = 0;
    *before = (int32_t)(cut / 2);
    return stride * (in - 1) + filter - cut;
}

static TfLiteStatus find_shape(TfLiteOpaqueContext* context, const Data* data, const LiteConvViews* v,
                               LiteTransposed* t, LiteShape* output) {
    const int32_t *in = v->input.shape.dims, *w = v->filter.shape.dims;
    *t = (LiteTransposed){.batches = in[0],
                          .in_c = in[3],
                          .out_c = w[0],
                          .in = {1, in[1], in[2]},
                          .filter = {1, w[1], w[2]},
                          .stride = {1, data->options.stride_h, data->options.stride_w},
                          .dilation = {1, 1, 1},
                          .out = {1}};
    LITE_TRY(lite_size_append(context, op, output, in[0]));
    for (int i = kLiteHeight; i <= kLiteWidth; i++) {
        const int64_t length = length_of(data, t->in[i], t->filter[i], t->stride[i], &t->pad[i]);
        LITE_TRY(lite_size_append(context, op, output, length));
        t->out[i] = (int32_t)length;
    }
    return lite_size_append(context, op, output, w[0]);
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, Data* data, const LiteView* weights) {
    const int32_t* w = weights->shape.dims;
    return lite_phases_pack(context, op, &data->phases, weights, w[3], (int64_t)w[1] * w[2] * w[3]);
}

static TfLiteStatus bias_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Data* data = TfLiteOpaqueNodeGetUserData(node);
    LiteConvViews v;
    LiteTransposed shape;
    LiteShape output = {0};
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 1));
    LITE_TRY(check_options(context, data));
    LITE_TRY(lite_conv_views(context, node, op, 0, 2, &v));
    LITE_TRY(check_tensors(context, &v));
    LITE_TRY(find_shape(context, data, &v, &shape, &output));
    LITE_TRY(lite_kernel_resize(context, v.output.tensor, &output));
    LITE_TRY(lite_phases_prepare(context, op, &data->phases, &shape,
                                 lite_gemm_form(kTfLiteFloat32, kTfLiteFloat32),
                                 lite_kernel_shared(context, &v.filter)));
    LITE_TRY(lite_kernel_set_temporaries(node, &data->phases.scratch_tensor, 1));
    return lite_kernel_is_unpacked(&v.filter, data->phases.packed) ? pack(context, data, &v.filter)
                                                                   : kTfLiteOk;
}

static TfLiteStatus bias_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Data* data = TfLiteOpaqueNodeGetUserData(node);
    LiteConvViews v;
    LiteTransposed shape;
    LiteShape output = {0};
    LITE_TRY(lite_conv_views(context, node, op, 0, 2, &v));
    if (v.output.count == 0) return kTfLiteOk;
    LITE_TRY(find_shape(context, data, &v, &shape, &output));
    if (!v.filter.constant) LITE_TRY(pack(context, data, &v.filter));
    LiteConvSink sink = {.filter = &v.filter, .bias = v.bias.data, .output = v.output.data};
    lite_activation_range_f32(kTfLiteActNone, &sink.low, &sink.high);
    const LiteGemmInput input = {kTfLiteFloat32, v.input.data, &v.input.zero_point, false};
    return lite_phases_run(context, op, &data->phases, &shape, &input, lite_conv_store_8, &sink);
}

const LiteKernel lite_kernel_Convolution2DTransposeBias = {
    .init = bias_init, .free = bias_free, .prepare = bias_prepare, .invoke = bias_invoke};
