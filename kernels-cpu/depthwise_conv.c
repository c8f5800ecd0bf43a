// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D: filter [1, height, width, out], where output channel ic * multiplier + m sees input
// channel ic only.
#include <math.h>
#include <string.h>

#include "kernels-cpu/conv/conv_node.h"
#include "kernels-cpu/conv/conv_shape.h"
#include "kernels-cpu/conv/depthwise.h"
#include "kernels-cpu/conv/depthwise_lines.h"
#include "kernels-cpu/loops/hybrid_loops.h"
#include "kernels-cpu/support/selected.h"

static const char op[] = "DEPTHWISE_CONV_2D";

typedef struct DepthwiseData {
    LiteConvNode node;
    LiteDepthwise core;       // without oneDNN
    LiteDepthwiseLines lines; // of an input that another node computes, or that is copied
    const float* copied;      // of this run: the latter
} DepthwiseData;

static void* depthwise_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    DepthwiseData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    lite_conv_node_init(&data->node);
    data->core.scratch_tensor = data->lines.scratch_tensor = -1;
    return data;
}

static void depthwise_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    DepthwiseData* data = user_data;
    if (data == NULL) return;
    lite_conv_node_free(&data->node);
    lite_depthwise_free(&data->core);
    lite_free(data);
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteConvViews* v) {
    const DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    const int bias = TfLiteOpaqueNodeNumberOfInputs(node) == 3 ? 2 : -1;
    LITE_TRY(lite_conv_views(context, node, op, 0, bias, v));
    return lite_conv_border_input(context, op, &data->node.border, &v->input);
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const LiteConvViews* v) {
    static const LiteConvTypes types = {.filter = "filter",
                                        .with_float = {kTfLiteFloat32, kTfLiteInt8},
                                        .with_int = {kTfLiteInt8, kTfLiteInt4}};
    LITE_TRY(lite_conv_check_types(context, op, &types, v));
    if (v->input.type == kTfLiteInt16 && v->has_bias && v->bias.type != kTfLiteInt64) {
        return lite_fail(context, "%s: bias of INT16 input is %s, expected INT64", op,
                         TfLiteTypeGetName(v->bias.type));
    }
    return kTfLiteOk;
}

// Checks the shapes and says what they amount to; *border NULL: the input has none.
static TfLiteStatus get_shape(TfLiteOpaqueContext* context, const LiteConvViews* v,
                              const TfLiteDepthwiseConvParams* p, const LiteConvBorder* border,
                              LiteConvShape* shape) {
    if (p->stride_height > 0xFFFF || p->stride_width > 0xFFFF) {
        return lite_fail(context, "%s: strides are %d and %d, expected at most 65535", op, p->stride_height,
                         p->stride_width);
    }
    if (p->dilation_height_factor > INT16_MAX || p->dilation_width_factor > INT16_MAX) {
        return lite_fail(context, "%s: dilations are %d and %d, expected at most 32767", op,
                         p->dilation_height_factor, p->dilation_width_factor);
    }
    const LiteConvStrides strides = {p->padding, p->stride_height, p->stride_width, p->dilation_height_factor,
                                     p->dilation_width_factor};
    LITE_TRY(lite_conv_shape(context, op, &v->input, &v->filter, &strides, shape));
    if (v->filter.shape.dims[0] != 1) {
        return lite_fail(context, "%s: dimension 0 of the filter is %d, expected 1", op,
                         v->filter.shape.dims[0]);
    }
    lite_conv_border_shape(border, shape);
    shape->out_c = v->filter.shape.dims[3];
    shape->groups = shape->in_c;
    if (shape->in_c < 1 || shape->out_c % shape->in_c != 0) {
        return lite_fail(context, "%s: %d output channels are no multiple of %d input channels", op,
                         shape->out_c, shape->in_c);
    }
    if (!v->has_bias) return kTfLiteOk;
    if (v->bias.shape.rank != 1) {
        return lite_fail(context, "%s: the bias has %d dimensions, expected 1", op, v->bias.shape.rank);
    }
    return lite_check_bias(context, op, &v->input, &v->bias, shape->out_c, 3);
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, DepthwiseData* data, const LiteView* filter) {
    return lite_depthwise_pack(context, op, &data->core, filter->type, filter->data,
                               filter->type == kTfLiteUInt8 ? filter->zero_point : 0);
}

static TfLiteStatus prepare_onednn(TfLiteOpaqueContext* context, DepthwiseData* data, const LiteConvViews* v,
                                   TfLiteFusedActivation activation, const LiteConvShape* shape) {
    LiteOnednnProblem problem = lite_conv_node_problem(v, shape, activation);
    problem.out_stride = problem.in_stride = 1;
    problem.row_stride = (int64_t)shape->filter_w * shape->out_c;
    problem.column_stride = shape->out_c;
    return lite_onednn_prepare(context, &data->node.onednn, &problem);
}

static TfLiteStatus check_hybrid(TfLiteOpaqueContext* context, const LiteConvViews* v) {
    const TfLiteAffineQuantization* affine = v->filter.affine;
    if (affine == NULL || affine->scale == NULL || affine->quantized_dimension < 0 ||
        affine->quantized_dimension > 3 ||
        affine->scale->size != v->filter.shape.dims[affine->quantized_dimension]) {
        return lite_fail(context, "%s: the filter has no scale for each channel of its quantized dimension",
                         op);
    }
    if (affine->scale->size != 1 && affine->scale->size != v->filter.shape.dims[3]) {
        return lite_fail(context, "%s: the filter has %d scales for %d output channels", op,
                         affine->scale->size, v->filter.shape.dims[3]);
    }
    return kTfLiteOk;
}

static TfLiteStatus begin_copies(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    data->copied = v.input.data;
    return kTfLiteOk;
}

static void copy_lines(const TfLiteOpaqueNode* node, const LiteLineBlock* what, void* scratch, float* out) {
    (void)scratch;
    const DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    lite_depthwise_copy_lines(&data->core.shape, data->copied, what, out);
}

// Lines are copied first.
static TfLiteStatus prepare_copies(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                   const LiteConvShape* shape) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    data->lines.source = (LiteLineSource){
        .node = node, .begin = begin_copies, .block = LITE_DEPTHWISE_COPIED, .compute_lines = copy_lines};
    LITE_TRY(lite_depthwise_lines_prepare(context, op, shape, &data->lines));
    const int temporaries[] = {data->core.scratch_tensor, data->lines.scratch_tensor};
    return lite_kernel_set_temporaries(node, temporaries, 2);
}

// Gets ready what computes the shape.
static TfLiteStatus prepare_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                  const LiteConvShape* shape) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteDepthwiseConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    data->lines.source.begin = NULL;
    LITE_TRY(prepare_onednn(context, data, &v, params->activation, shape));
    if (data->node.onednn.plan != NULL) {
        lite_depthwise_free(&data->core);
        return lite_kernel_set_temporaries(node, &data->node.onednn.scratch_tensor, 1);
    }
    const TfLiteType computed = data->node.is_hybrid ? kTfLiteInt8 : v.input.type;
    LITE_TRY(lite_depthwise_prepare(context, op, &data->core, shape, computed,
                                    lite_kernel_shared(context, &v.filter)));
    if (LITE_HAS_HYBRID && data->node.is_hybrid) LITE_TRY(check_hybrid(context, &v));
    LITE_TRY(lite_conv_node_temporaries(context, node, op, &data->node, &v.input, data->core.scratch_tensor));
    if (LITE_HAS_COPIED_LINES && v.filter.type == kTfLiteFloat32 && !lite_cpu_path_compares() &&
        lite_depthwise_lines_copied(shape))
        return prepare_copies(context, node, shape);
    const bool packs =
        v.filter.type != kTfLiteFloat32 && lite_kernel_is_unpacked(&v.filter, data->core.source);
    return packs ? pack(context, data, &v.filter) : kTfLiteOk;
}

static TfLiteStatus depthwise_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteDepthwiseConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    data->node.border = (LiteConvBorder){0};
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 3, 1));
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(check_types(context, &v));
    LiteConvShape shape;
    LITE_TRY(get_shape(context, &v, params, NULL, &shape));
    LITE_TRY(lite_conv_node_prepare(context, op, &data->node, &v, params->activation, shape.out_c));
    const LiteShape out = {4, {shape.batches, shape.out_h, shape.out_w, shape.out_c}};
    LITE_TRY(lite_kernel_resize(context, v.output.tensor, &out));
    return prepare_shape(context, node, &shape);
}

typedef struct DepthwiseSink {
    const DepthwiseData* data;
    const LiteView* filter;
    const void* bias;
    const LiteHybridInput* quantized;
    LiteHybridLoops loops;
    float low;
    float high;
    void* output;
} DepthwiseSink;

// The sums are of bytes as they are, and so of the zero point, too.
static void store_hybrid(const void* argument, int64_t pixel, int32_t batch, const int32_t* sums) {
    enum { kSome = 256 }; // channels at a time
    const DepthwiseSink* sink = argument;
    const LiteDepthwise* core = &sink->data->core;
    const TfLiteFloatArray* scales = sink->filter->affine->scale;
    int32_t differences[kSome];
    LiteHybridSums row = {.rows = 1,
                          .sums = differences,
                          .scales = sink->quantized->scales + batch,
                          .weights = scales->data,
                          .is_per_channel = scales->size > 1,
                          .bias = sink->bias,
                          .low = sink->low,
                          .high = sink->high,
                          .out = (float*)sink->output + pixel * core->shape.out_c};
    for (int32_t c = 0; c < core->shape.out_c; c += row.columns) {
        row.columns = core->shape.out_c - c < kSome ? core->shape.out_c - c : kSome;
        memcpy(differences, sums + c, (size_t)row.columns * sizeof *differences);
        sink->loops.subtract(1, row.columns, sink->quantized->zero_points + batch, core->sums + c,
                             differences, kSome);
        sink->loops.scale(&row);
        row.out += row.columns;
        if (row.is_per_channel) row.weights += row.columns;
        if (row.bias != NULL) row.bias += row.columns;
    }
}

static void store_16(const void* argument, int64_t pixel, const int64_t* sums) {
    const DepthwiseSink* sink = argument;
    const int32_t out_c = sink->data->core.shape.out_c;
    int16_t* out = (int16_t*)sink->output + pixel * out_c;
    for (int32_t c = 0; c < out_c; c++) {
        out[c] = lite_conv_quant_i16(&sink->data->node.quant, c, sums[c], kTfLiteInt64, sink->bias);
    }
}

static TfLiteStatus depthwise_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteDepthwiseConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    if (v.output.count == 0) return kTfLiteOk;
    if (data->node.onednn.plan != NULL) return lite_conv_node_run_onednn(context, op, &data->node, &v);
    DepthwiseSink sink = {.data = data, .filter = &v.filter, .bias = v.bias.data, .output = v.output.data};
    lite_activation_range_f32(params->activation, &sink.low, &sink.high);
    if (lite_is_float32(v.filter.type)) {
        const LiteDepthwiseF32 job = {.input = v.input.data,
                                      .weights = v.filter.data,
                                      .tap = (size_t)data->core.shape.out_c,
                                      .bias = v.bias.data,
                                      .low = sink.low,
                                      .high = sink.high,
                                      .output = v.output.data,
                                      .column = (size_t)data->core.shape.in_c,
                                      .epilogue = data->node.epilogue};
        if (data->lines.source.begin != NULL) {
            return lite_depthwise_lines_run(context, op, &data->core, &data->lines, &job);
        }
        return lite_depthwise_run_f32(context, &data->core, &job);
    }
    if (!v.filter.constant) LITE_TRY(pack(context, data, &v.filter));
    LiteDepthwiseInt job = {.input = {v.input.type, v.input.data, &v.input.zero_point, false},
                            .argument = &sink};
    if (v.input.type == kTfLiteInt16) {
        job.sink_wide = store_16;
        return lite_depthwise_run_int(context, op, &data->core, &job);
    }
    LiteHybridInput quantized;
    if (LITE_HAS_HYBRID && lite_is_float32(v.input.type)) {
        lite_conv_node_quantize(context, &data->node, &v.input, true, &quantized);
        const LiteGemmInput input = {kTfLiteInt8, quantized.values, quantized.zero_points, true};
        sink.quantized = &quantized;
        sink.loops = lite_hybrid_loops();
        job.input = input;
        job.sink = store_hybrid;
        return lite_depthwise_run_int(context, op, &data->core, &job);
    }
    const LiteRequantization scale = lite_conv_quant_from(&data->node.quant, 0);
    job.scale = &scale;
    job.bias = v.bias.data;
    job.output = v.output.data;
    return lite_depthwise_run_int(context, op, &data->core, &job);
}

// Padding is left out of sums of floats, in which zeros times infinity would be NaN.
static bool is_finite(const LiteView* filter) {
    if (!filter->constant || filter->data == NULL) return false;
    const float* weights = filter->data;
    bool finite = true;
    for (int64_t i = 0; i < filter->count; i++) finite &= isfinite(weights[i]) != 0;
    return finite;
}

// An input with a border of zeros. Dynamic-range quantization counts these among its inputs.
static TfLiteStatus join_border(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const LiteLines* lines,
                                TfLiteOpaqueNode* producer, bool* joined) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteDepthwiseConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    if (data->node.is_hybrid || (lite_is_float32(v.input.type) && !is_finite(&v.filter))) return kTfLiteOk;
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

// Of floats, except where another path is asked for by name: there each node is on its own.
static TfLiteStatus depthwise_join(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int input,
                                   const LiteLines* lines, TfLiteOpaqueNode* producer, bool* joined) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteDepthwiseConvParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    *joined = false;
    if (input != 0 || lite_cpu_path_compares()) return kTfLiteOk;
    if (lines->find_border != NULL) return join_border(context, node, lines, producer, joined);
    if (lines->offer == NULL) return kTfLiteOk;
    LiteConvViews v;
    LITE_TRY(get_views(context, node, &v));
    if (!lite_is_float32(v.input.type) || v.filter.type != kTfLiteFloat32) return kTfLiteOk;
    LiteConvShape shape;
    LITE_TRY(get_shape(context, &v, params, &data->node.border, &shape));
    if (!lite_depthwise_lines_wanted(&shape, lite_kernel_num_threads(context))) return kTfLiteOk;
    LiteLineSource source = {.begin = NULL};
    LITE_TRY(lines->offer(context, producer, &source));
    if (source.begin == NULL) return kTfLiteOk;
    data->lines.source = source;
    lite_onednn_free(&data->node.onednn);
    LITE_TRY(lite_depthwise_prepare(context, op, &data->core, &shape, kTfLiteFloat32,
                                    lite_kernel_shared(context, &v.filter)));
    LITE_TRY(lite_depthwise_lines_prepare(context, op, &shape, &data->lines));
    const int temporaries[] = {data->core.scratch_tensor, data->lines.scratch_tensor};
    *joined = true;
    return lite_kernel_set_temporaries(node, temporaries, 2);
}

static bool depthwise_take(TfLiteOpaqueNode* node, const LiteEpilogue* epilogue) {
    DepthwiseData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data->node.is_hybrid) return false;
    data->node.epilogue = epilogue;
    return true;
}

static const LiteLines depthwise_lines = {.join = depthwise_join, .take = depthwise_take};

const LiteKernel lite_kernel_DEPTHWISE_CONV_2D = {.init = depthwise_init,
                                                  .free = depthwise_free,
                                                  .prepare = depthwise_prepare,
                                                  .invoke = depthwise_invoke,
                                                  .lines = LITE_HAS_TYPE(kTfLiteFloat32) ? &depthwise_lines
                                                                                         : NULL};
