// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV: inputs output_shape [4], weights [out, height, width, in], input, bias.
//
// Output pixels whose coordinates agree modulo the strides see the same filter taps, and for them the
// operator is an ordinary convolution with stride 1 that walks the input backwards (dilation -1). So it is
// run as one convolution per such phase, each with its part of the weights.
#include <string.h>

#include "kernels-cpu/conv_sink.h"
#include "kernels-cpu/hybrid.h"

static const char op[] = "TRANSPOSE_CONV";

typedef struct TransposeData {
    int64_t phase_count; // phases_h * phases_w
    int32_t phases_h;    // phases that have taps
    int32_t phases_w;
    LiteGemm* phases;
    int scratch_tensor;
    const void* packed; // weights that the phases were packed from
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
    data->scratch_tensor = -1;
    data->hybrid.values = data->hybrid.scales = data->hybrid.zero_points = -1;
    return data;
}

static void free_phases(TransposeData* data) {
    for (int64_t i = 0; data->phases != NULL && i < data->phase_count; i++) lite_gemm_free(data->phases + i);
    lite_free(data->phases);
    data->phases = NULL;
    data->phase_count = 0;
    data->packed = NULL;
}

static void transpose_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    TransposeData* data = user_data;
    if (data == NULL) return;
    free_phases(data);
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

// Along one dimension: phase `first` has taps first, first + stride, … and the outputs from which on the
// first of them meets an input.
typedef struct Phase {
    int32_t taps;
    int32_t outputs;
    int32_t first_output;
    int32_t first_input; // that the first tap of the first output reads
} Phase;

static Phase phase_of(int32_t first, int32_t filter, int32_t stride, int32_t pad, int32_t out) {
    Phase phase = {.taps = (filter - first - 1) / stride + 1};
    phase.first_output = (int32_t)((((int64_t)first - pad) % stride + stride) % stride);
    phase.outputs = phase.first_output < out ? (out - phase.first_output - 1) / stride + 1 : 0;
    phase.first_input = (int32_t)(((int64_t)phase.first_output + pad - first) / stride);
    return phase;
}

// The convolution of a phase; its output is empty where `out` is NULL (only the weights matter).
static LiteConvShape shape_of(const TransposeViews* v, const TfLiteTransposeConvParams* p, int32_t phase_y,
                              int32_t phase_x, const int32_t* out, LiteGrid* grid) {
    const int32_t* in = v->input.shape.dims;
    const int32_t* w = v->weights.shape.dims;
    const int32_t out_h = out == NULL ? 0 : out[1];
    const int32_t out_w = out == NULL ? 0 : out[2];
    const int32_t pad_h = lite_window(p->padding, out_h, w[1], p->stride_height, 1).before;
    const int32_t pad_w = lite_window(p->padding, out_w, w[2], p->stride_width, 1).before;
    const Phase y = phase_of(phase_y, w[1], p->stride_height, pad_h, out_h);
    const Phase x = phase_of(phase_x, w[2], p->stride_width, pad_w, out_w);
    grid->pixel = (int64_t)p->stride_width * w[0];
    grid->line = (int64_t)p->stride_height * out_w * w[0];
    grid->batch = (int64_t)out_h * out_w * w[0];
    grid->first = ((int64_t)y.first_output * out_w + x.first_output) * w[0];
    const LiteConvShape shape = {
        .batches = in[0],
        .in_h = in[1],
        .in_w = in[2],
        .in_c = in[3],
        .filter_h = y.taps,
        .filter_w = x.taps,
        .out_h = y.outputs,
        .out_w = x.outputs,
        .out_c = w[0],
        .stride_h = 1,
        .stride_w = 1,
        .dilation_h = -1,
        .dilation_w = -1,
        .pad_h = -y.first_input,
        .pad_w = -x.first_input,
        .groups = 1,
    };
    return shape;
}

// The weights of one phase, its taps one after the other, [out][taps][in].
static void gather(const LiteView* weights, const TfLiteTransposeConvParams* p, int32_t phase_y,
                   int32_t phase_x, char* to) {
    const int32_t* w = weights->shape.dims;
    const size_t run = (size_t)w[3] * lite_type_size(weights->type);
    const char* from = weights->data;
    for (int32_t o = 0; o < w[0]; o++, from += run * (size_t)w[1] * (size_t)w[2]) {
        for (int64_t y = phase_y; y < w[1]; y += p->stride_height) {
            for (int64_t x = phase_x; x < w[2]; x += p->stride_width, to += run) {
                memcpy(to, from + (size_t)(y * w[2] + x) * run, run);
            }
        }
    }
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, TransposeData* data, const LiteView* weights,
                         const TfLiteTransposeConvParams* params) {
    char* part = lite_malloc(weights->bytes + 1);
    if (part == NULL) return lite_fail(context, "%s: out of memory for the weights", op);
    for (int64_t i = 0; i < data->phase_count; i++) {
        LiteGemm* gemm = data->phases + i;
        const size_t step = (size_t)gemm->taps * (size_t)gemm->depth;
        gather(weights, params, (int32_t)(i / data->phases_w), (int32_t)(i % data->phases_w), part);
        if (weights->type == kTfLiteFloat32) {
            lite_gemm_pack_f32(gemm, (const float*)(const void*)part, step, 1);
        } else {
            lite_gemm_pack_int(gemm, weights->type, part, step, 1,
                               weights->type == kTfLiteUInt8 ? weights->zero_point : 0);
        }
    }
    data->packed = weights->data;
    lite_free(part);
    return kTfLiteOk;
}

static TfLiteStatus prepare_phases(TfLiteOpaqueContext* context, TransposeData* data, const TransposeViews* v,
                                   const TfLiteTransposeConvParams* params) {
    const int32_t* w = v->weights.shape.dims;
    const int32_t phases_h = w[1] < params->stride_height ? w[1] : params->stride_height;
    const int32_t phases_w = w[2] < params->stride_width ? w[2] : params->stride_width;
    const bool same = data->phases != NULL && phases_h == data->phases_h && phases_w == data->phases_w;
    if (!same) {
        free_phases(data);
        data->phases_h = phases_h;
        data->phases_w = phases_w;
        data->phases = lite_calloc((size_t)phases_h * (size_t)phases_w + 1, sizeof(LiteGemm));
        if (data->phases == NULL) return lite_fail(context, "%s: out of memory for the weights", op);
        data->phase_count = (int64_t)phases_h * phases_w;
    }
    for (int64_t i = 0; i < data->phase_count; i++) {
        LiteGrid grid;
        const LiteConvShape shape =
            shape_of(v, params, (int32_t)(i / phases_w), (int32_t)(i % phases_w), NULL, &grid);
        const void* packed = data->phases[i].packed;
        LITE_TRY(lite_gemm_prepare_weights(context, op, data->phases + i, &shape,
                                           v->weights.type != kTfLiteFloat32));
        if (packed != data->phases[i].packed) data->packed = NULL;
    }
    return lite_gemm_prepare_scratch(context, op, data->phases, data->phase_count, &data->scratch_tensor);
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
    } else {
        lite_set_dynamic(v.output.tensor);
    }
    LITE_TRY(prepare_phases(context, data, &v, params));
    int temporaries[4] = {data->scratch_tensor};
    if (data->is_hybrid) {
        LITE_TRY(lite_hybrid_prepare(context, op, &data->hybrid, v.input.shape.dims[0], v.input.count,
                                     temporaries + 1));
    }
    LITE_TRY(TfLiteOpaqueNodeSetTemporaries(node, temporaries, data->is_hybrid ? 4 : 1));
    const bool packs = v.weights.constant && v.weights.data != NULL && data->packed != v.weights.data;
    return packs ? pack(context, data, &v.weights, params) : kTfLiteOk;
}

// Where the strides leave outputs without a tap, all outputs begin as products that are 0.
static void fill(const LiteConvSink* sink, const TransposeViews* v) {
    static const int32_t zeros[LITE_MICRO_MAX_PANEL];
    static const int64_t wide_zeros[LITE_MICRO_MAX_PANEL];
    const int32_t channels = v->weights.shape.dims[0];
    if (v->input.type == kTfLiteFloat32) {
        float* out = v->output.data;
        for (int64_t i = 0; i < v->output.count; i++) {
            const float x = sink->bias == NULL ? 0.0f : ((const float*)sink->bias)[i % channels];
            out[i] = x < sink->low ? sink->low : x > sink->high ? sink->high : x;
        }
        return;
    }
    LiteConvSink dense = *sink;
    dense.grid = NULL;
    LiteTile tile = {.rows = 1, .sums = zeros, .wide = wide_zeros, .step = LITE_MICRO_MAX_PANEL};
    for (; tile.row < v->output.count / channels; tile.row++) {
        for (tile.column = 0; tile.column < channels; tile.column += tile.step) {
            const int32_t left = channels - tile.column;
            tile.columns = left < tile.step ? left : tile.step;
            if (v->input.type == kTfLiteInt16) {
                lite_conv_store_16(&dense, &tile);
            } else {
                lite_conv_store_8(&dense, &tile);
            }
        }
    }
}

static TfLiteStatus run_phases(TfLiteOpaqueContext* context, TransposeData* data, const TransposeViews* v,
                               const TfLiteTransposeConvParams* params, const LiteGemmInput* input,
                               const LiteConvSink* common) {
    LiteConvSink sink = *common;
    LiteTileSink store = lite_conv_store_8;
    if (v->input.type == kTfLiteInt16) store = lite_conv_store_16;
    if (data->is_hybrid) store = lite_conv_store_hybrid;
    for (int64_t i = 0; i < data->phase_count; i++) {
        LiteGemm* gemm = data->phases + i;
        LiteGrid grid;
        gemm->shape = shape_of(v, params, (int32_t)(i / data->phases_w), (int32_t)(i % data->phases_w),
                               v->output.shape.dims, &grid);
        sink.gemm = gemm;
        sink.grid = &grid;
        if (gemm->integer) {
            LITE_TRY(lite_gemm_run_int(context, op, gemm, input, store, &sink));
        } else {
            lite_gemm_bias_f32(gemm, sink.bias);
            LITE_TRY(lite_gemm_run_f32(context, op, gemm, v->input.data, sink.low, sink.high, v->output.data,
                                       &grid));
        }
    }
    return kTfLiteOk;
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
    if (!v.weights.constant) LITE_TRY(pack(context, data, &v.weights, params));
    LiteConvSink sink = {.gemm = data->phases,
                         .quant = &data->quant,
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
    } else if (v.input.type != kTfLiteFloat32 && v.input.type != kTfLiteInt16) {
        lite_conv_quant_bias(&data->quant, v.bias.data);
    }
    const int32_t* w = v.weights.shape.dims;
    if (params->stride_height > w[1] || params->stride_width > w[2]) fill(&sink, &v);
    return run_phases(context, data, &v, params, &input, &sink);
}

const LiteKernel lite_kernel_TRANSPOSE_CONV = {
    .init = transpose_init, .free = transpose_free, .prepare = transpose_prepare, .invoke = transpose_invoke};
