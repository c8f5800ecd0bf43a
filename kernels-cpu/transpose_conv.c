// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV: inputs output_shape [4], weights [out, height, width, in], input, bias.
#include "kernels-cpu/conv/conv_node.h"
#include "kernels-cpu/conv/conv_phases.h"

static const char op[] = "TRANSPOSE_CONV";

typedef struct TransposeData {
    LiteConvNode node;
    LitePhases phases;      // without oneDNN
    TfLiteType accumulator; // INT16 inputs: INT32 or INT64
} TransposeData;

typedef struct TransposeViews {
    LiteView shape;
    LiteConvViews conv;
} TransposeViews;

static void* transpose_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    TransposeData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    lite_conv_node_init(&data->node);
    data->phases.scratch_tensor = -1;
    return data;
}

static void transpose_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    TransposeData* data = user_data;
    if (data == NULL) return;
    lite_conv_node_free(&data->node);
    lite_phases_free(&data->phases);
    lite_free(data);
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, TransposeViews* v) {
    LITE_TRY(lite_kernel_input(context, node, op, 0, &v->shape));
    return lite_conv_views(context, node, op, 2, lite_kernel_has_input(node, 3) ? 3 : -1, &v->conv);
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const TransposeViews* v) {
    static const LiteConvTypes types = {
        .filter = "weights", .with_float = {kTfLiteFloat32, kTfLiteInt8}, .with_int = {kTfLiteInt8}};
    LITE_TRY(lite_conv_check_types(context, op, &types, &v->conv));
    if (v->shape.type != kTfLiteInt32 || v->shape.shape.rank != 1 || v->shape.count != 4) {
        return lite_fail(context, "%s: the output shape is not a vector of 4 INT32 numbers", op);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_shapes(TfLiteOpaqueContext* context, const TransposeViews* v,
                                 const TfLiteTransposeConvParams* params) {
    if (v->conv.input.shape.rank != 4 || v->conv.filter.shape.rank != 4) {
        return lite_fail(context, "%s: input has %d and weights %d dimensions, expected 4", op,
                         v->conv.input.shape.rank, v->conv.filter.shape.rank);
    }
    if (v->conv.filter.shape.dims[1] < 1 || v->conv.filter.shape.dims[2] < 1) {
        return lite_fail(context, "%s: the weights are %d by %d, expected at least 1", op,
                         v->conv.filter.shape.dims[1], v->conv.filter.shape.dims[2]);
    }
    if (v->conv.input.shape.dims[3] != v->conv.filter.shape.dims[3] || v->conv.input.shape.dims[3] < 1) {
        return lite_fail(context, "%s: the input has %d channels, the weights %d", op,
                         v->conv.input.shape.dims[3], v->conv.filter.shape.dims[3]);
    }
    if (params->stride_height < 1 || params->stride_width < 1) {
        return lite_fail(context, "%s: strides are %d and %d, expected at least 1", op, params->stride_height,
                         params->stride_width);
    }
    if (params->padding != kTfLitePaddingSame && params->padding != kTfLitePaddingValid) {
        return lite_fail(context, "%s: padding %d is neither SAME nor VALID", op, (int)params->padding);
    }
    if (v->conv.has_bias) {
        LITE_TRY(
            lite_check_bias(context, op, &v->conv.input, &v->conv.bias, v->conv.filter.shape.dims[0], 0));
    }
    return kTfLiteOk;
}

// Is the convolution of this output as large as the input?
static bool fits(const TransposeViews* v, const TfLiteTransposeConvParams* p, const LiteShape* out) {
    const int32_t* in = v->conv.input.shape.dims;
    const int32_t* w = v->conv.filter.shape.dims;
    return lite_axis_padding(p->padding, out->dims[1], w[1], p->stride_height, 1).out == in[1] &&
           lite_axis_padding(p->padding, out->dims[2], w[2], p->stride_width, 1).out == in[2] &&
           out->dims[0] == in[0] && out->dims[3] == w[0];
}

static TfLiteStatus resize_output(TfLiteOpaqueContext* context, const TransposeViews* v,
                                  const TfLiteTransposeConvParams* params) {
    const int32_t* wanted = v->shape.data;
    const LiteShape out = {4, {wanted[0], wanted[1], wanted[2], wanted[3]}};
    int64_t count;
    if (!lite_shape_count(out.dims, 4, &count)) {
        return lite_fail(context, "%s: output shape [%d, %d, %d, %d] is not a shape", op, wanted[0],
                         wanted[1], wanted[2], wanted[3]);
    }
    if (!fits(v, params, &out)) {
        const int32_t* in = v->conv.input.shape.dims;
        return lite_fail(context, "%s: output shape [%d, %d, %d, %d] does not fit input [%d, %d, %d, %d]", op,
                         wanted[0], wanted[1], wanted[2], wanted[3], in[0], in[1], in[2], in[3]);
    }
    return lite_kernel_resize(context, v->conv.output.tensor, &out);
}

// A plane of the three dimensions that phases have; `out` NULL: not known yet.
static LiteTransposed transposed(const TransposeViews* v, const TfLiteTransposeConvParams* p,
                                 const int32_t* out) {
    const int32_t* in = v->conv.input.shape.dims;
    const int32_t* w = v->conv.filter.shape.dims;
    LiteTransposed shape = {
        .batches = in[0],
        .in_c = in[3],
        .out_c = w[0],
        .in = {1, in[1], in[2]},
        .filter = {1, w[1], w[2]},
        .stride = {1, p->stride_height, p->stride_width},
        .dilation = {1, 1, 1},
        .out = {1, 0, 0},
    };
    if (out == NULL) return shape;
    shape.out[kLiteHeight] = out[1];
    shape.out[kLiteWidth] = out[2];
    shape.pad[kLiteHeight] = lite_axis_padding(p->padding, out[1], w[1], p->stride_height, 1).before;
    shape.pad[kLiteWidth] = lite_axis_padding(p->padding, out[2], w[2], p->stride_width, 1).before;
    return shape;
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, TransposeData* data, const LiteView* weights) {
    const int32_t* w = weights->shape.dims;
    return lite_phases_pack(context, op, &data->phases, weights, w[3], (int64_t)w[1] * w[2] * w[3]);
}

// Not before the output's shape is known.
static TfLiteStatus prepare_onednn(TfLiteOpaqueContext* context, TransposeData* data, const TransposeViews* v,
                                   const TfLiteTransposeConvParams* params) {
    const LiteTransposed s = transposed(v, params, v->shape.data);
    const LiteConvShape shape = {
        .batches = s.batches,
        .in_h = s.in[kLiteHeight],
        .in_w = s.in[kLiteWidth],
        .in_c = s.in_c,
        .filter_h = s.filter[kLiteHeight],
        .filter_w = s.filter[kLiteWidth],
        .out_h = s.out[kLiteHeight],
        .out_w = s.out[kLiteWidth],
        .out_c = s.out_c,
        .stride_h = s.stride[kLiteHeight],
        .stride_w = s.stride[kLiteWidth],
        .dilation_h = 1,
        .dilation_w = 1,
        .pad_h = s.pad[kLiteHeight],
        .pad_w = s.pad[kLiteWidth],
        .groups = 1,
    };
    LiteOnednnProblem problem = lite_conv_node_problem(&v->conv, &shape, params->activation);
    problem.transposed = true;
    return lite_onednn_prepare(context, &data->node.onednn, &problem);
}

static TfLiteStatus check_hybrid(TfLiteOpaqueContext* context, const LiteView* weights) {
    const TfLiteAffineQuantization* affine = weights->affine;
    const int32_t channels = weights->shape.dims[0];
    const bool right = affine != NULL && affine->scale != NULL &&
                       (affine->scale->size == 1 || affine->scale->size == channels);
    if (right) return kTfLiteOk;
    return lite_fail(context, "%s: the weights have no scale for each of %d channels", op, channels);
}

static TfLiteStatus transpose_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TransposeData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteTransposeConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 4, 1));
    TransposeViews v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(check_types(context, &v));
    LITE_TRY(check_shapes(context, &v, params));
    LITE_TRY(lite_conv_node_prepare(context, op, &data->node, &v.conv, params->activation,
                                    v.conv.filter.shape.dims[0]));
    if (v.conv.input.type == kTfLiteInt16) {
        LITE_TRY(lite_check_bias_type(context, op, v.conv.has_bias ? &v.conv.bias : NULL,
                                      params->quantized_bias_type, &data->accumulator));
    }
    if (data->node.is_hybrid) LITE_TRY(check_hybrid(context, &v.conv.filter));
    if (v.shape.constant && v.shape.data != NULL) {
        LITE_TRY(resize_output(context, &v, params));
        LITE_TRY(prepare_onednn(context, data, &v, params));
    } else {
        lite_kernel_set_dynamic(v.conv.output.tensor);
    }
    if (data->node.onednn.plan != NULL) {
        lite_phases_free(&data->phases);
        return lite_kernel_set_temporaries(node, &data->node.onednn.scratch_tensor, 1);
    }
    const LiteTransposed shape = transposed(&v, params, NULL);
    LITE_TRY(lite_phases_prepare(context, op, &data->phases, &shape,
                                 lite_gemm_form(v.conv.input.type, v.conv.filter.type),
                                 lite_kernel_shared(context, &v.conv.filter)));
    LITE_TRY(lite_conv_node_temporaries(context, node, op, &data->node, &v.conv.input,
                                        data->phases.scratch_tensor));
    return lite_kernel_is_unpacked(&v.conv.filter, data->phases.packed) ? pack(context, data, &v.conv.filter)
                                                                        : kTfLiteOk;
}

static TfLiteStatus transpose_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TransposeData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteTransposeConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    TransposeViews v;
    LITE_TRY(get_views(context, node, &v));
    if (!v.shape.constant) {
        LITE_TRY(resize_output(context, &v, params));
        LITE_TRY(get_views(context, node, &v));
    }
    if (v.conv.output.count == 0) return kTfLiteOk;
    if (data->node.onednn.plan != NULL) return lite_conv_node_run_onednn(context, op, &data->node, &v.conv);
    if (!v.conv.filter.constant) LITE_TRY(pack(context, data, &v.conv.filter));
    LiteConvSink sink = {.quant = &data->node.quant,
                         .filter = &v.conv.filter,
                         .bias = v.conv.bias.data,
                         .bias_type = data->accumulator,
                         .output = v.conv.output.data};
    lite_activation_range_f32(params->activation, &sink.low, &sink.high);
    LiteGemmInput input = {v.conv.input.type, v.conv.input.data, &v.conv.input.zero_point, false};
    if (data->node.is_hybrid) {
        LiteHybridInput quantized;
        lite_conv_node_quantize(context, &data->node, &v.conv.input, true, &quantized);
        sink.scales = quantized.scales;
        input = (LiteGemmInput){kTfLiteInt8, quantized.values, quantized.zero_points, true};
    }
    LiteTileSink store = v.conv.input.type == kTfLiteInt16 ? lite_conv_store_16 : lite_conv_store_8;
    if (data->node.is_hybrid) store = lite_conv_store_hybrid;
    const LiteTransposed shape = transposed(&v, params, v.conv.output.shape.dims);
    return lite_phases_run(context, op, &data->phases, &shape, &input, store, &sink);
}

const LiteKernel lite_kernel_TRANSPOSE_CONV = {
    .init = transpose_init, .free = transpose_free, .prepare = transpose_prepare, .invoke = transpose_invoke};
