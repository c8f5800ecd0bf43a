// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV: inputs output_shape [4], weights [out, height, width, in], input, bias.
#include <string.h>

#include "kernels-cpu/conv_phases.h"
#include "kernels-cpu/hybrid.h"
#include "kernels-cpu/onednn.h"

static const char op[] = "TRANSPOSE_CONV";

typedef struct TransposeData {
    LiteOnednn onednn;
    LitePhases phases; // without oneDNN
    LiteConvQuant quant;
    LiteHybrid hybrid;
    bool is_hybrid;
    TfLiteType accumulator; // INT16 inputs: INT32 or INT64
} TransposeData;

typedef struct TransposeViews {
    LiteView shape;
    LiteView weights;
    LiteView input;
    LiteView bias;
    LiteView output;
    bool has_bias;
} TransposeViews;

static void* transpose_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    TransposeData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    data->onednn.scratch_tensor = data->phases.scratch_tensor = -1;
    data->hybrid.values = data->hybrid.scales = data->hybrid.zero_points = -1;
    return data;
}

static void transpose_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    TransposeData* data = user_data;
    if (data == NULL) return;
    lite_onednn_free(&data->onednn);
    lite_phases_free(&data->phases);
    lite_conv_quant_free(&data->quant);
    lite_free(data);
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, TransposeViews* v) {
    memset(v, 0, sizeof(*v));
    LITE_TRY(lite_input(context, node, op, 0, &v->shape));
    LITE_TRY(lite_input(context, node, op, 1, &v->weights));
    LITE_TRY(lite_input(context, node, op, 2, &v->input));
    v->has_bias = lite_has_input(node, 3);
    if (v->has_bias) LITE_TRY(lite_input(context, node, op, 3, &v->bias));
    return lite_output(context, node, op, 0, &v->output);
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const TransposeViews* v) {
    const TfLiteType input = v->input.type;
    const TfLiteType weights = v->weights.type;
    bool right = false;
    if (input == kTfLiteFloat32) {
        right = weights == kTfLiteFloat32 || weights == kTfLiteInt8;
    } else if (input == kTfLiteUInt8) {
        right = weights == kTfLiteUInt8;
    } else if (input == kTfLiteInt8 || input == kTfLiteInt16) {
        right = weights == kTfLiteInt8;
    }
    if (!right || v->output.type != input) {
        return lite_fail(context, "%s: %s input, %s weights and %s output do not go together", op,
                         TfLiteTypeGetName(input), TfLiteTypeGetName(weights),
                         TfLiteTypeGetName(v->output.type));
    }
    if (v->shape.type != kTfLiteInt32 || v->shape.shape.rank != 1 || v->shape.count != 4) {
        return lite_fail(context, "%s: the output shape is not a vector of 4 INT32 numbers", op);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_shapes(TfLiteOpaqueContext* context, const TransposeViews* v,
                                 const TfLiteTransposeConvParams* params) {
    if (v->input.shape.rank != 4 || v->weights.shape.rank != 4) {
        return lite_fail(context, "%s: input has %d and weights %d dimensions, expected 4", op,
                         v->input.shape.rank, v->weights.shape.rank);
    }
    if (v->weights.shape.dims[1] < 1 || v->weights.shape.dims[2] < 1) {
        return lite_fail(context, "%s: the weights are %d by %d, expected at least 1", op,
                         v->weights.shape.dims[1], v->weights.shape.dims[2]);
    }
    if (v->input.shape.dims[3] != v->weights.shape.dims[3] || v->input.shape.dims[3] < 1) {
        return lite_fail(context, "%s: the input has %d channels, the weights %d", op, v->input.shape.dims[3],
                         v->weights.shape.dims[3]);
    }
    if (params->stride_height < 1 || params->stride_width < 1) {
        return lite_fail(context, "%s: strides are %d and %d, expected at least 1", op, params->stride_height,
                         params->stride_width);
    }
    if (params->padding != kTfLitePaddingSame && params->padding != kTfLitePaddingValid) {
        return lite_fail(context, "%s: padding %d is neither SAME nor VALID", op, (int)params->padding);
    }
    if (v->has_bias) {
        LITE_TRY(lite_check_bias(context, op, &v->input, &v->bias, v->weights.shape.dims[0]));
    }
    return kTfLiteOk;
}

// Is the convolution of this output as large as the input?
static bool fits(const TransposeViews* v, const TfLiteTransposeConvParams* p, const LiteShape* out) {
    const int32_t* in = v->input.shape.dims;
    const int32_t* w = v->weights.shape.dims;
    return lite_window(p->padding, out->dims[1], w[1], p->stride_height, 1).out == in[1] &&
           lite_window(p->padding, out->dims[2], w[2], p->stride_width, 1).out == in[2] &&
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
        const int32_t* in = v->input.shape.dims;
        return lite_fail(context, "%s: output shape [%d, %d, %d, %d] does not fit input [%d, %d, %d, %d]", op,
                         wanted[0], wanted[1], wanted[2], wanted[3], in[0], in[1], in[2], in[3]);
    }
    return lite_resize(context, v->output.tensor, &out);
}

// A plane of the three dimensions that phases have; `out` NULL: not known yet.
static LiteTransposed transposed(const TransposeViews* v, const TfLiteTransposeConvParams* p,
                                 const int32_t* out) {
    const int32_t* in = v->input.shape.dims;
    const int32_t* w = v->weights.shape.dims;
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
    shape.pad[kLiteHeight] = lite_window(p->padding, out[1], w[1], p->stride_height, 1).before;
    shape.pad[kLiteWidth] = lite_window(p->padding, out[2], w[2], p->stride_width, 1).before;
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
    LiteOnednnProblem problem = {.shape = &shape,
                                 .transposed = true,
                                 .input = &v->input,
                                 .weights = &v->weights,
                                 .bias = v->has_bias ? &v->bias : NULL,
                                 .output = &v->output};
    lite_onednn_set_steps(&problem);
    lite_activation_range_f32(params->activation, &problem.low, &problem.high);
    return lite_onednn_prepare(context, &data->onednn, &problem);
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
    LITE_TRY(lite_check_counts(context, node, op, 3, 4, 1));
    TransposeViews v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(check_types(context, &v));
    LITE_TRY(check_shapes(context, &v, params));
    const bool is_float = v.input.type == kTfLiteFloat32;
    data->is_hybrid = is_float && v.weights.type != kTfLiteFloat32;
    if (!is_float) {
        LITE_TRY(lite_conv_quant_prepare(context, op, &data->quant, &v.input, &v.weights,
                                         v.has_bias ? &v.bias : NULL, &v.output, params->activation,
                                         v.weights.shape.dims[0]));
    }
    if (v.input.type == kTfLiteInt16) {
        LITE_TRY(lite_check_bias_type(context, op, v.has_bias ? &v.bias : NULL, params->quantized_bias_type,
                                      &data->accumulator));
    }
    if (data->is_hybrid) LITE_TRY(check_hybrid(context, &v.weights));
    if (v.shape.constant && v.shape.data != NULL) {
        LITE_TRY(resize_output(context, &v, params));
        LITE_TRY(prepare_onednn(context, data, &v, params));
    } else {
        lite_set_dynamic(v.output.tensor);
    }
    if (data->onednn.plan != NULL) {
        lite_phases_free(&data->phases);
        return TfLiteOpaqueNodeSetTemporaries(node, &data->onednn.scratch_tensor, 1);
    }
    const LiteTransposed shape = transposed(&v, params, NULL);
    LITE_TRY(lite_phases_prepare(context, op, &data->phases, &shape,
                                 lite_gemm_form(v.input.type, v.weights.type)));
    int temporaries[4] = {data->phases.scratch_tensor};
    if (data->is_hybrid) {
        LITE_TRY(lite_hybrid_prepare(context, op, &data->hybrid, v.input.shape.dims[0], v.input.count,
                                     temporaries + 1));
    }
    LITE_TRY(TfLiteOpaqueNodeSetTemporaries(node, temporaries, data->is_hybrid ? 4 : 1));
    const bool packs = v.weights.constant && v.weights.data != NULL && data->phases.packed != v.weights.data;
    return packs ? pack(context, data, &v.weights) : kTfLiteOk;
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
    if (v.output.count == 0) return kTfLiteOk;
    if (data->onednn.plan != NULL) {
        const LiteRequantization scale = lite_conv_quant_from(&data->quant, 0);
        const LiteOnednnData run = {
            .input = v.input.data, .bias = v.bias.data, .scale = &scale, .output = v.output.data};
        return lite_onednn_run(context, op, &data->onednn, &run);
    }
    if (!v.weights.constant) LITE_TRY(pack(context, data, &v.weights));
    LiteConvSink sink = {.quant = &data->quant,
                         .filter = &v.weights,
                         .bias = v.bias.data,
                         .bias_type = data->accumulator,
                         .output = v.output.data};
    lite_activation_range_f32(params->activation, &sink.low, &sink.high);
    LiteGemmInput input = {v.input.type, v.input.data, &v.input.zero_point, false};
    if (data->is_hybrid) {
        const int32_t batches = v.input.shape.dims[0];
        LiteHybridInput quantized;
        LITE_TRY(lite_hybrid_input(context, op, &data->hybrid, v.input.data, batches, v.input.count / batches,
                                   true, &quantized));
        sink.scales = quantized.scales;
        input = (LiteGemmInput){kTfLiteInt8, quantized.values, quantized.zero_points, true};
    }
    LiteTileSink store = v.input.type == kTfLiteInt16 ? lite_conv_store_16 : lite_conv_store_8;
    if (data->is_hybrid) store = lite_conv_store_hybrid;
    const LiteTransposed shape = transposed(&v, params, v.output.shape.dims);
    return lite_phases_run(context, op, &data->phases, &shape, &input, store, &sink);
}

const LiteKernel lite_kernel_TRANSPOSE_CONV = {
    .init = transpose_init, .free = transpose_free, .prepare = transpose_prepare, .invoke = transpose_invoke};
