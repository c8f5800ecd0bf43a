// SPDX-License-Identifier: Apache-2.0
// CONV_2D: input [batch, height, width, channels], filter [out, height, width, channels / groups], bias
// [out].

#include "kernels-cpu/conv/conv_node.h"
#include "kernels-cpu/conv/conv_shape.h"
#include "kernels-cpu/conv/conv_sink.h"
#include "kernels-cpu/conv/winograd.h"
#include "kernels-cpu/conv/winograd_bytes.h"
#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/gemm/gemm_pack.h"
#include "kernels-cpu/support/selected.h"

static const char op[] = "CONV_2D";

typedef struct ConvData {
    LiteConvNode node;
    LiteWinograd* winograd;      // FLOAT32, where that is faster; NULL: it has never been
    LiteWinogradOfBytes* bytes;  // the same of INT8 and UINT8
    LiteGemm gemm;               // without these and oneDNN
    bool asymmetric;             // hybrid: quantizes inputs with a zero point
    TfLiteType accumulator_bias; // int16 inputs: INT32 or INT64
    LiteGemmF32 parts;           // of the present inference, when another node asks for parts of it
} ConvData;

static void* conv_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    ConvData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    lite_conv_node_init(&data->node);
    data->gemm.scratch_tensor = -1;
    return data;
}

static void conv_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    ConvData* data = user_data;
    if (data == NULL) return;
    lite_conv_node_free(&data->node);
    lite_winograd_destroy(data->winograd);
    if (LITE_HAS_BYTE_WINOGRAD) lite_winograd_bytes_destroy(data->bytes);
    lite_gemm_free(&data->gemm);
    lite_free(data);
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteConvViews* views) {
    const ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    LITE_TRY(lite_conv_views(context, node, op, 0, 2, views));
    return lite_conv_border_input(context, op, &data->node.border, &views->input);
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const LiteConvViews* v) {
    static const LiteConvTypes types = {
        .filter = "filter",
        .with_float = {kTfLiteFloat32, kTfLiteInt8, kTfLiteUInt8, kTfLiteInt4},
        .with_int = {kTfLiteInt8, kTfLiteInt4}};
    LITE_TRY(lite_conv_check_types(context, op, &types, v));
    if (v->input.type != kTfLiteInt8 && v->input.type != kTfLiteInt16) return kTfLiteOk;
    const TfLiteIntArray* zero_points = v->filter.affine == NULL ? NULL : v->filter.affine->zero_point;
    for (int i = 0; zero_points != NULL && i < zero_points->size; i++) {
        if (zero_points->data[i] != 0) {
            return lite_fail(context, "%s: the filter has zero point %d, expected 0", op,
                             zero_points->data[i]);
        }
    }
    return kTfLiteOk;
}

// Checks the shapes and says what they amount to; *border NULL: the input has none.
static TfLiteStatus get_shape(TfLiteOpaqueContext* context, const LiteConvViews* v, const TfLiteConvParams* p,
                              const LiteConvBorder* border, LiteConvShape* shape) {
    const LiteConvStrides strides = {p->padding, p->stride_height, p->stride_width, p->dilation_height_factor,
                                     p->dilation_width_factor};
    LITE_TRY(lite_conv_shape(context, op, &v->input, &v->filter, &strides, shape));
    const int32_t most = INT16_MAX;
    if (strides.stride_h > most || strides.stride_w > most || strides.dilation_h > most ||
        strides.dilation_w > most) {
        return lite_fail(context, "%s: strides %d and %d, dilations %d and %d, expected at most %d", op,
                         strides.stride_h, strides.stride_w, strides.dilation_h, strides.dilation_w, most);
    }
    const int32_t filter_c = v->filter.shape.dims[3];
    if (filter_c < 1 || shape->in_c < 1 || shape->in_c % filter_c != 0) {
        return lite_fail(context, "%s: %d input channels are no multiple of %d filter channels", op,
                         shape->in_c, filter_c);
    }
    lite_conv_border_shape(border, shape);
    shape->out_c = v->filter.shape.dims[0];
    shape->groups = shape->in_c / filter_c;
    if (shape->out_c % shape->groups != 0) {
        return lite_fail(context, "%s: %d output channels cannot be split into %d groups", op, shape->out_c,
                         shape->groups);
    }
    return lite_check_bias(context, op, &v->input, &v->bias, shape->out_c, 0);
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, ConvData* data, const LiteView* filter) {
    // Hybrid weights are symmetric whatever their zero point says.
    const bool is_unsigned = filter->type == kTfLiteUInt8 && !data->node.is_hybrid;
    const LiteGemmWeights weights = {
        .type = data->node.is_hybrid && filter->type == kTfLiteUInt8 ? kTfLiteInt8 : filter->type,
        .source = filter->data,
        .column_step = (size_t)data->gemm.taps * (size_t)data->gemm.depth,
        .depth_step = 1,
        .zero_point = is_unsigned ? filter->zero_point : 0};
    return lite_gemm_pack(context, op, &data->gemm, &weights);
}

// As the reference: different scales per channel, or groups, make the inputs asymmetric.
static TfLiteStatus check_hybrid(TfLiteOpaqueContext* context, ConvData* data, const LiteConvViews* v) {
    const TfLiteAffineQuantization* affine = v->filter.affine;
    const int32_t channels = data->gemm.shape.out_c;
    if (affine == NULL || affine->scale == NULL ||
        (affine->scale->size != 1 && affine->scale->size != channels)) {
        return lite_fail(context, "%s: the filter has no scale for each of %d output channels", op, channels);
    }
    data->asymmetric = data->gemm.shape.groups != 1;
    for (int i = 1; i < affine->scale->size; i++) {
        if (affine->scale->data[i] != affine->scale->data[0]) data->asymmetric = true;
    }
    if (data->asymmetric && affine->scale->size != channels) {
        return lite_fail(context, "%s: a grouped filter has %d scales for %d output channels", op,
                         affine->scale->size, channels);
    }
    return kTfLiteOk;
}

static bool computes_bytes(const ConvData* data) {
    return LITE_HAS_BYTE_WINOGRAD && lite_winograd_bytes_computes(data->bytes);
}

// Gets ready what computes the shape.
static TfLiteStatus prepare_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                  const LiteConvShape* shape) {
    ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    if (LITE_HAS_TYPE(kTfLiteFloat32)) {
        LITE_TRY(lite_winograd_prepare(context, &data->winograd, shape, &v.input, &v.filter));
    }
    if (lite_winograd_computes(data->winograd)) {
        lite_onednn_free(&data->node.onednn);
        lite_gemm_free(&data->gemm);
        return lite_kernel_set_temporaries(node, &data->winograd->scratch_tensor, 1);
    }
    if (LITE_HAS_BYTE_WINOGRAD)
        LITE_TRY(lite_winograd_bytes_prepare(context, &data->bytes, shape, &v.input, &v.filter));
    if (computes_bytes(data)) {
        lite_onednn_free(&data->node.onednn);
        lite_gemm_free(&data->gemm);
        return lite_kernel_set_temporaries(node, &data->bytes->scratch_tensor, 1);
    }
    const LiteOnednnProblem problem = lite_conv_node_problem(&v, shape, params->activation);
    LITE_TRY(lite_onednn_prepare(context, &data->node.onednn, &problem));
    if (data->node.onednn.plan != NULL) {
        lite_gemm_free(&data->gemm);
        return lite_kernel_set_temporaries(node, &data->node.onednn.scratch_tensor, 1);
    }
    LITE_TRY(lite_gemm_prepare(context, op, &data->gemm, shape, lite_gemm_form(v.input.type, v.filter.type),
                               lite_kernel_shared(context, &v.filter)));
    if (LITE_HAS_HYBRID && data->node.is_hybrid) LITE_TRY(check_hybrid(context, data, &v));
    LITE_TRY(lite_conv_node_temporaries(context, node, op, &data->node, &v.input, data->gemm.scratch_tensor));
    return lite_kernel_is_unpacked(&v.filter, data->gemm.source) ? pack(context, data, &v.filter) : kTfLiteOk;
}

static TfLiteStatus conv_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 1));
    data->node.border = (LiteConvBorder){0};
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(check_types(context, &v));
    LiteConvShape shape;
    LITE_TRY(get_shape(context, &v, params, NULL, &shape));
    LITE_TRY(lite_conv_node_prepare(context, op, &data->node, &v, params->activation, shape.out_c));
    if (v.input.type == kTfLiteInt16) {
        LITE_TRY(
            lite_check_bias_type(context, op, &v.bias, params->quantized_bias_type, &data->accumulator_bias));
    }
    const LiteShape out = {4, {shape.batches, shape.out_h, shape.out_w, shape.out_c}};
    LITE_TRY(lite_kernel_resize(context, v.output.tensor, &out));
    return prepare_shape(context, node, &shape);
}

static TfLiteStatus invoke_hybrid(TfLiteOpaqueContext* context, ConvData* data, const LiteConvViews* v,
                                  LiteConvSink* sink) {
    LiteHybridInput quantized;
    lite_conv_node_quantize(context, &data->node, &v->input, data->asymmetric, &quantized);
    sink->scales = quantized.scales;
    const LiteGemmInput input = {kTfLiteInt8, quantized.values, quantized.zero_points, true};
    return lite_gemm_run_int(context, op, &data->gemm, &input, lite_conv_store_hybrid, sink);
}

static TfLiteStatus invoke_winograd(TfLiteOpaqueContext* context, const ConvData* data,
                                    TfLiteFusedActivation activation, const LiteConvViews* v) {
    LiteWinogradRun run = {.input = v->input.data,
                           .weights = v->filter.data,
                           .bias = v->bias.data,
                           .output = v->output.data,
                           .epilogue = data->node.epilogue};
    lite_activation_range_f32(activation, &run.low, &run.high);
    return lite_winograd_run(context, op, data->winograd, &run);
}

static TfLiteStatus invoke_bytes(TfLiteOpaqueContext* context, const ConvData* data, const LiteConvViews* v) {
    LiteWinogradBytesRun run = {
        .input = &v->input, .scale = lite_conv_quant_from(&data->node.quant, 0), .output = v->output.data};
    run.scale.start = v->bias.data;
    return lite_winograd_bytes_run(context, op, data->bytes, &run);
}

static TfLiteStatus conv_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    if (v.output.count == 0) return kTfLiteOk;
    if (LITE_HAS_TYPE(kTfLiteFloat32) && lite_winograd_computes(data->winograd))
        return invoke_winograd(context, data, params->activation, &v);
    if (computes_bytes(data)) return invoke_bytes(context, data, &v);
    if (data->node.onednn.plan != NULL) return lite_conv_node_run_onednn(context, op, &data->node, &v);
    if (!v.filter.constant) LITE_TRY(pack(context, data, &v.filter));
    LiteConvSink sink = {.gemm = &data->gemm,
                         .quant = &data->node.quant,
                         .filter = &v.filter,
                         .bias = v.bias.data,
                         .bias_type = data->accumulator_bias,
                         .output = v.output.data};
    lite_activation_range_f32(params->activation, &sink.low, &sink.high);
    if (lite_is_float32(v.input.type)) {
        if (LITE_HAS_HYBRID && data->node.is_hybrid) return invoke_hybrid(context, data, &v, &sink);
        lite_gemm_bias_f32(&data->gemm, v.bias.data);
        data->gemm.epilogue = data->node.epilogue;
        return lite_gemm_run_f32(context, op, &data->gemm, v.input.data, sink.low, sink.high, v.output.data,
                                 NULL);
    }
    const LiteGemmInput input = {v.input.type, v.input.data, &v.input.zero_point, false};
    if (v.input.type == kTfLiteInt16) {
        return lite_gemm_run_int(context, op, &data->gemm, &input, lite_conv_store_16, &sink);
    }
    data->gemm.add = v.bias.data;
    const LiteGemmOutput output = {lite_conv_quant_from(&data->node.quant, 0), v.output.data};
    return lite_gemm_run_8(context, op, &data->gemm, &input, &output);
}

static TfLiteStatus begin_parts(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    lite_gemm_bias_f32(&data->gemm, v.bias.data);
    data->parts.input = v.input.data;
    lite_activation_range_f32(params->activation, &data->parts.low, &data->parts.high);
    return kTfLiteOk;
}

static void compute_lines(const TfLiteOpaqueNode* node, const LiteLineBlock* what, void* scratch,
                          float* out) {
    const ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    const LiteConvShape* s = &data->gemm.shape;
    const int64_t line = (int64_t)what->image * s->out_h;
    lite_gemm_panel_f32(&data->gemm, &data->parts, what->block, (line + what->first) * s->out_w,
                        (line + what->end) * s->out_w, scratch, out);
    if (data->node.epilogue == NULL) return;
    const int64_t rows = (int64_t)(what->end - what->first) * s->out_w;
    lite_epilogue_run_anywhere(data->node.epilogue, out, rows, data->gemm.micro->panel);
}

// Floats, with weights that are packed once. oneDNN has no part in it.
static TfLiteStatus conv_offer(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteLineSource* source) {
    ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    if (!lite_is_float32(v.input.type) || v.filter.type != kTfLiteFloat32) return kTfLiteOk;
    if (!v.filter.constant || v.filter.data == NULL) return kTfLiteOk;
    LiteConvShape shape;
    LITE_TRY(get_shape(context, &v, params, &data->node.border, &shape));
    // Whether nodes are joined depends on the number of threads, and what they compute must not.
    if (shape.groups != 1 || lite_winograd_computes(data->winograd)) return kTfLiteOk;
    lite_onednn_free(&data->node.onednn);
    LITE_TRY(lite_gemm_prepare(context, op, &data->gemm, &shape, kLiteGemmFloat,
                               lite_kernel_shared(context, &v.filter)));
    LITE_TRY(lite_kernel_set_temporaries(node, &data->gemm.scratch_tensor, 1));
    LITE_TRY(get_views(context, node, &v));
    if (lite_kernel_is_unpacked(&v.filter, data->gemm.source)) LITE_TRY(pack(context, data, &v.filter));
    if (data->gemm.is_x3) return kTfLiteOk; // lines would be split again for each panel
    *source = (LiteLineSource){.node = node,
                               .scratch = data->gemm.scratch,
                               .begin = begin_parts,
                               .block = data->gemm.micro->panel,
                               .compute_lines = compute_lines};
    return kTfLiteOk;
}

// An input with a border of zeros. Dynamic-range quantization counts these among its inputs.
static TfLiteStatus conv_join(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int input,
                              const LiteLines* lines, TfLiteOpaqueNode* producer, bool* joined) {
    ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    *joined = false;
    if (input != 0 || data->node.is_hybrid) return kTfLiteOk;
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    LiteConvBorder border;
    lite_conv_border_find(context, op, &v.input, lines, producer, &border);
    if (border.node == NULL) return kTfLiteOk;
    LiteConvShape shape;
    LITE_TRY(get_shape(context, &v, params, &border, &shape));
    if (!lite_conv_border_is_usual(&shape)) return kTfLiteOk;
    LITE_TRY(prepare_shape(context, node, &shape));
    data->node.border = border;
    *joined = true;
    return kTfLiteOk;
}

static bool conv_take(TfLiteOpaqueNode* node, const LiteEpilogue* epilogue) {
    ConvData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data->node.is_hybrid) return false;
    data->node.epilogue = epilogue;
    return true;
}

static const LiteLines conv_lines = {.offer = conv_offer, .join = conv_join, .take = conv_take};

const LiteKernel lite_kernel_CONV_2D = {.init = conv_init,
                                        .free = conv_free,
                                        .prepare = conv_prepare,
                                        .invoke = conv_invoke,
                                        .lines = LITE_HAS_TYPE(kTfLiteFloat32) ? &conv_lines : NULL};
