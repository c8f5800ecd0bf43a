// SPDX-License-Identifier: Apache-2.0
// CONV_3D: inputs [batch, depth, height, width, in], filter [depth, height, width, in, out], bias [out].
// CONV_3D_TRANSPOSE: output_shape [5], filter [depth, height, width, out, in], input, bias.
#include <string.h>

#include "kernels-cpu/conv/conv_node.h"
#include "kernels-cpu/conv/conv_phases.h"
#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_pack.h"

enum { kRank = kLiteSpace + 2, kChannels = kRank - 1 };

// How the filter moves.
typedef struct Strides {
    TfLitePadding padding;
    TfLiteFusedActivation activation;
    int32_t stride[kLiteSpace];
    int32_t dilation[kLiteSpace];
} Strides;

static TfLiteStatus get_strides(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                Strides* strides) {
    const TfLiteConv3DParams* p = TfLiteOpaqueNodeGetBuiltinData(node);
    if (p == NULL) return lite_fail(context, "%s: has no parameters", op);
    *strides = (Strides){
        .padding = p->padding,
        .activation = p->activation,
        .stride = {p->stride_depth, p->stride_height, p->stride_width},
        .dilation = {p->dilation_depth_factor, p->dilation_height_factor, p->dilation_width_factor},
    };
    for (int i = 0; i < kLiteSpace; i++) {
        if (strides->stride[i] < 1 || strides->dilation[i] < 1) {
            return lite_fail(context, "%s: stride %d and dilation %d of dimension %d, expected at least 1",
                             op, strides->stride[i], strides->dilation[i], i + 1);
        }
    }
    return kTfLiteOk;
}

// Output lengths and paddings of the filter over `in` [batch, depth, height, width, channels].
static TfLiteStatus get_axes(TfLiteOpaqueContext* context, const char* op, const Strides* strides,
                             const int32_t* in, const int32_t* filter, LiteAxisPadding axes[kLiteSpace]) {
    for (int i = 0; i < kLiteSpace; i++) {
        const int32_t stride = strides->stride[i], dilation = strides->dilation[i];
        LITE_TRY(lite_conv_check_axis(context, op, strides->padding, in[i + 1], filter[i], stride, dilation));
        const int64_t width = ((int64_t)filter[i] - 1) * dilation + 1;
        if (width > INT32_MAX) {
            return lite_fail(context, "%s: the filter is %lld wide with its dilation", op, (long long)width);
        }
        axes[i] = lite_axis_padding(strides->padding, in[i + 1], filter[i], stride, dilation);
    }
    return kTfLiteOk;
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int input,
                              int bias, LiteConvViews* v) {
    return lite_conv_views(context, node, op, input, lite_kernel_has_input(node, bias) ? bias : -1, v);
}

// `from` and `to` are the filter's dimensions of input and output channels.
static TfLiteStatus check_views(TfLiteOpaqueContext* context, const char* op, const LiteConvViews* v,
                                int from, int to) {
    const TfLiteType types[] = {v->input.type, v->filter.type, v->output.type};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i] == kTfLiteFloat32) continue;
        return lite_fail(context, "%s: tensors of type %s are not supported", op,
                         TfLiteTypeGetName(types[i]));
    }
    if (v->input.shape.rank != kRank || v->filter.shape.rank != kRank) {
        const bool is_input = v->input.shape.rank != kRank;
        return lite_fail(
            context, "%s: input has %d and filter %d dimensions, expected 5: %s->dims->size != 5 (%d != 5)",
            op, v->input.shape.rank, v->filter.shape.rank, is_input ? "input" : "filter",
            is_input ? v->input.shape.rank : v->filter.shape.rank);
    }
    const int32_t channels = v->input.shape.dims[kChannels];
    for (int i = 1; i <= kLiteSpace; i++) {
        if (v->input.shape.dims[i] > 0) continue;
        return lite_fail(context, "%s: dimension %d of the input has no elements", op, i);
    }
    if (channels != v->filter.shape.dims[from] || channels < 1) {
        const int32_t expected = v->filter.shape.dims[from];
        return lite_fail(context, "%s: the input has %d channels, the filter %d: %s (%d != %d)", op, channels,
                         expected,
                         from == 3 ? "input->dims->data[4] != filter->dims->data[3]"
                                   : "SizeOfDimension(input, 4) != SizeOfDimension(filter, 4)",
                         channels, expected);
    }
    if (v->filter.shape.dims[to] < 1) return lite_fail(context, "%s: the filter has no output channels", op);
    if (!v->has_bias) return kTfLiteOk;
    return lite_check_bias(context, op, &v->input, &v->bias, v->filter.shape.dims[to], to);
}

// ---- CONV_3D ----

static void* conv_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    LiteGemm* gemm = lite_calloc(1, sizeof(*gemm));
    if (gemm != NULL) gemm->scratch_tensor = -1;
    return gemm;
}

static void conv_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    LiteGemm* gemm = user_data;
    if (gemm == NULL) return;
    lite_gemm_free(gemm);
    lite_free(gemm);
}

static LiteConvShape conv_shape(const LiteConvViews* v, const Strides* strides,
                                const LiteAxisPadding axes[kLiteSpace]) {
    const int32_t *in = v->input.shape.dims, *filter = v->filter.shape.dims;
    const LiteConvShape shape = {
        .batches = in[0],
        .in_d = in[1],
        .in_h = in[2],
        .in_w = in[3],
        .in_c = in[kChannels],
        .filter_d = filter[kLiteDepth],
        .filter_h = filter[kLiteHeight],
        .filter_w = filter[kLiteWidth],
        .out_d = axes[kLiteDepth].out,
        .out_h = axes[kLiteHeight].out,
        .out_w = axes[kLiteWidth].out,
        .out_c = filter[kChannels],
        .stride_d = strides->stride[kLiteDepth],
        .stride_h = strides->stride[kLiteHeight],
        .stride_w = strides->stride[kLiteWidth],
        .dilation_d = strides->dilation[kLiteDepth],
        .dilation_h = strides->dilation[kLiteHeight],
        .dilation_w = strides->dilation[kLiteWidth],
        .pad_d = axes[kLiteDepth].before,
        .pad_h = axes[kLiteHeight].before,
        .pad_w = axes[kLiteWidth].before,
        .groups = 1,
    };
    return shape;
}

// Output channels are next to each other in the filter.
static TfLiteStatus conv_pack(TfLiteOpaqueContext* context, LiteGemm* gemm, const LiteView* filter) {
    const LiteGemmWeights weights = {
        .source = filter->data, .column_step = 1, .depth_step = (size_t)gemm->shape.out_c};
    return lite_gemm_pack(context, "CONV_3D", gemm, &weights);
}

static TfLiteStatus conv_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const char op[] = "CONV_3D";
    LiteGemm* gemm = TfLiteOpaqueNodeGetUserData(node);
    if (gemm == NULL) return lite_fail(context, "%s: out of memory", op);
    Strides strides;
    LiteConvViews v;
    LiteAxisPadding axes[kLiteSpace];
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 3, 1));
    LITE_TRY(get_strides(context, node, op, &strides));
    LITE_TRY(get_views(context, node, op, 0, 2, &v));
    LITE_TRY(check_views(context, op, &v, 3, 4));
    LITE_TRY(get_axes(context, op, &strides, v.input.shape.dims, v.filter.shape.dims, axes));
    const LiteConvShape shape = conv_shape(&v, &strides, axes);
    const LiteShape out = {kRank, {shape.batches, shape.out_d, shape.out_h, shape.out_w, shape.out_c}};
    LITE_TRY(lite_kernel_resize(context, v.output.tensor, &out));
    LITE_TRY(
        lite_gemm_prepare(context, op, gemm, &shape, kLiteGemmFloat, lite_kernel_shared(context, &v.filter)));
    LITE_TRY(lite_kernel_set_temporaries(node, &gemm->scratch_tensor, 1));
    return lite_kernel_is_unpacked(&v.filter, gemm->source) ? conv_pack(context, gemm, &v.filter) : kTfLiteOk;
}

static TfLiteStatus conv_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteGemm* gemm = TfLiteOpaqueNodeGetUserData(node);
    Strides strides;
    LiteConvViews v;
    float low, high;
    LITE_TRY(get_strides(context, node, "CONV_3D", &strides));
    LITE_TRY(get_views(context, node, "CONV_3D", 0, 2, &v));
    if (v.output.count == 0) return kTfLiteOk;
    if (!v.filter.constant) LITE_TRY(conv_pack(context, gemm, &v.filter));
    lite_gemm_bias_f32(gemm, v.bias.data);
    lite_activation_range_f32(strides.activation, &low, &high);
    return lite_gemm_run_f32(context, "CONV_3D", gemm, v.input.data, low, high, v.output.data, NULL);
}

const LiteKernel lite_kernel_CONV_3D = {
    .init = conv_init, .free = conv_free, .prepare = conv_prepare, .invoke = conv_invoke};

// ---- CONV_3D_TRANSPOSE ----

enum { kShape, kFilter, kInput, kBias };

static const char transpose_op[] = "CONV_3D_TRANSPOSE";

static void* transpose_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    LitePhases* phases = lite_calloc(1, sizeof(*phases));
    if (phases != NULL) phases->scratch_tensor = -1;
    return phases;
}

static void transpose_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    LitePhases* phases = user_data;
    if (phases == NULL) return;
    lite_phases_free(phases);
    lite_free(phases);
}

// Its output, all but `out` and `pad`.
static LiteTransposed transposed(const LiteConvViews* v, const Strides* strides) {
    const int32_t *in = v->input.shape.dims, *filter = v->filter.shape.dims;
    LiteTransposed shape = {.batches = in[0], .in_c = in[kChannels], .out_c = filter[3]};
    memcpy(shape.in, in + 1, sizeof(shape.in));
    memcpy(shape.filter, filter, sizeof(shape.filter));
    memcpy(shape.stride, strides->stride, sizeof(shape.stride));
    memcpy(shape.dilation, strides->dilation, sizeof(shape.dilation));
    return shape;
}

// The shape that the node is given must be one of which the convolution is as large as the input.
static TfLiteStatus output_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const LiteConvViews* v,
                                 const Strides* strides, LiteTransposed* shape, LiteShape* out) {
    LiteView wanted;
    LiteAxisPadding axes[kLiteSpace];
    int64_t count;
    LITE_TRY(lite_kernel_input(context, node, transpose_op, kShape, &wanted));
    *out = (LiteShape){.rank = kRank};
    memcpy(out->dims, wanted.data, kRank * sizeof(int32_t));
    const int32_t* dims = out->dims;
    if (!lite_shape_count(dims, kRank, &count)) {
        bool negative = false;
        for (int i = 0; i < kRank; i++) negative = negative || dims[i] < 0;
        return lite_fail(context, "%s: output shape [%d, %d, %d, %d, %d] is not a shape%s", transpose_op,
                         dims[0], dims[1], dims[2], dims[3], dims[4],
                         negative ? ": Conv3DTranspose output shape has a negative dimension." : "");
    }
    LITE_TRY(get_axes(context, transpose_op, strides, dims, v->filter.shape.dims, axes));
    bool fits = dims[0] == shape->batches && dims[kChannels] == shape->out_c;
    for (int i = 0; i < kLiteSpace; i++) {
        fits = fits && axes[i].out == shape->in[i];
        shape->out[i] = dims[i + 1];
        shape->pad[i] = axes[i].before;
    }
    if (fits) return kTfLiteOk;
    const int32_t* in = v->input.shape.dims;
    return lite_fail(context, "%s: output shape [%d, %d, %d, %d, %d] does not fit input [%d, %d, %d, %d, %d]",
                     transpose_op, dims[0], dims[1], dims[2], dims[3], dims[4], in[0], in[1], in[2], in[3],
                     in[4]);
}

// Input channels are next to each other in the filter, then come output channels.
static TfLiteStatus transpose_pack(TfLiteOpaqueContext* context, LitePhases* phases, const LiteView* filter) {
    const int64_t in_c = filter->shape.dims[4];
    return lite_phases_pack(context, transpose_op, phases, filter, filter->shape.dims[3] * in_c, in_c);
}

static TfLiteStatus transpose_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LitePhases* phases = TfLiteOpaqueNodeGetUserData(node);
    if (phases == NULL) return lite_fail(context, "%s: out of memory", transpose_op);
    Strides strides;
    LiteConvViews v;
    LiteView wanted;
    LITE_TRY(lite_kernel_check_counts(context, node, transpose_op, 3, 4, 1));
    LITE_TRY(get_strides(context, node, transpose_op, &strides));
    LITE_TRY(get_views(context, node, transpose_op, kInput, kBias, &v));
    LITE_TRY(lite_kernel_input(context, node, transpose_op, kShape, &wanted));
    if (wanted.type != kTfLiteInt32 || wanted.shape.rank != 1 || wanted.count != kRank) {
        return lite_fail(context, "%s: the output shape is not a vector of 5 INT32 numbers", transpose_op);
    }
    LITE_TRY(check_views(context, transpose_op, &v, 4, 3));
    LiteTransposed shape = transposed(&v, &strides);
    if (wanted.constant && wanted.data != NULL) {
        LiteShape out;
        LITE_TRY(output_shape(context, node, &v, &strides, &shape, &out));
        LITE_TRY(lite_kernel_resize(context, v.output.tensor, &out));
    } else {
        lite_kernel_set_dynamic(v.output.tensor);
    }
    LITE_TRY(lite_phases_prepare(context, transpose_op, phases, &shape, kLiteGemmFloat,
                                 lite_kernel_shared(context, &v.filter)));
    LITE_TRY(lite_kernel_set_temporaries(node, &phases->scratch_tensor, 1));
    return lite_kernel_is_unpacked(&v.filter, phases->packed) ? transpose_pack(context, phases, &v.filter)
                                                              : kTfLiteOk;
}

static TfLiteStatus transpose_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LitePhases* phases = TfLiteOpaqueNodeGetUserData(node);
    Strides strides;
    LiteConvViews v;
    LiteShape out;
    LITE_TRY(get_strides(context, node, transpose_op, &strides));
    LITE_TRY(get_views(context, node, transpose_op, kInput, kBias, &v));
    LiteTransposed shape = transposed(&v, &strides);
    LITE_TRY(output_shape(context, node, &v, &strides, &shape, &out));
    if (v.output.dynamic) {
        LITE_TRY(lite_kernel_resize(context, v.output.tensor, &out));
        LITE_TRY(get_views(context, node, transpose_op, kInput, kBias, &v));
    }
    if (v.output.count == 0) return kTfLiteOk;
    if (!v.filter.constant) LITE_TRY(transpose_pack(context, phases, &v.filter));
    LiteConvSink sink = {.bias = v.bias.data, .output = v.output.data};
    lite_activation_range_f32(strides.activation, &sink.low, &sink.high);
    const LiteGemmInput input = {.type = kTfLiteFloat32, .data = v.input.data};
    return lite_phases_run(context, transpose_op, phases, &shape, &input, NULL, &sink);
}

const LiteKernel lite_kernel_CONV_3D_TRANSPOSE = {
    .init = transpose_init, .free = transpose_free, .prepare = transpose_prepare, .invoke = transpose_invoke};
