// SPDX-License-Identifier: Apache-2.0
// SVDF: a fully connected layer as rank-1 filters in features and time. Each filter keeps its last `memory`
// feature products in a variable tensor [batch, filters * memory] and weighs them with weights_time.
#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/semantics/fixedpoint.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/conv/conv_quant.h"
#include "kernels-cpu/gemm/gemm_f32.h"
#include "kernels-cpu/gemm/gemm_int.h"
#include "kernels-cpu/gemm/gemm_pack.h"
#include "kernels-cpu/gemm/hybrid.h"
#include "kernels-cpu/support/activation.h"

static const char op[] = "SVDF";

typedef struct SvdfData {
    LiteGemm gemm; // inputs times weights_feature
    LiteHybrid hybrid;
    int products;             // temporary of the float form: [batch, filters]
    LiteMultiplier to_state;  // integer form: sums to state
    LiteMultiplier to_output; // integer form: sums over time to output
} SvdfData;

typedef struct SvdfViews {
    LiteView input;
    LiteView feature;
    LiteView time;
    LiteView bias;
    LiteView state;
    LiteView output;
    bool has_bias;
} SvdfViews;

static void* svdf_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    SvdfData* data = lite_calloc(1, sizeof(*data));
    if (data == NULL) return NULL;
    data->gemm.scratch_tensor = data->products = -1;
    data->hybrid.values = data->hybrid.scales = data->hybrid.zero_points = -1;
    return data;
}

static void svdf_free(TfLiteOpaqueContext* context, void* user_data) {
    (void)context;
    SvdfData* data = user_data;
    if (data == NULL) return;
    lite_gemm_free(&data->gemm);
    lite_free(data);
}

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, SvdfViews* v) {
    LITE_TRY(lite_kernel_input(context, node, op, 0, &v->input));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &v->feature));
    LITE_TRY(lite_kernel_input(context, node, op, 2, &v->time));
    v->has_bias = lite_kernel_has_input(node, 3);
    if (v->has_bias) LITE_TRY(lite_kernel_input(context, node, op, 3, &v->bias));
    LITE_TRY(lite_kernel_input(context, node, op, 4, &v->state));
    // A state that is declared with a wider type holds the elements that the kernel keeps.
    const TfLiteType kept = v->time.type == kTfLiteInt16 ? kTfLiteInt16 : kTfLiteFloat32;
    const bool other = v->input.type == kTfLiteFloat32 || kept == kTfLiteInt16;
    if (other && lite_type_size(v->state.type) >= lite_type_size(kept)) v->state.type = kept;
    return lite_kernel_output(context, node, op, 0, &v->output);
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, const SvdfViews* v) {
    const TfLiteType input = v->input.type;
    const TfLiteType feature = v->feature.type;
    const TfLiteType time = v->time.type;
    const TfLiteType bias = v->has_bias ? v->bias.type : kTfLiteNoType;
    bool right = false;
    if (input == kTfLiteFloat32) {
        right = (feature == kTfLiteFloat32 || feature == kTfLiteInt8 || feature == kTfLiteUInt8) &&
                time == feature && (!v->has_bias || bias == kTfLiteFloat32) &&
                v->state.type == kTfLiteFloat32 && v->output.type == kTfLiteFloat32;
    } else if (input == kTfLiteInt8) {
        right = feature == kTfLiteInt8 && (time == kTfLiteInt16 || time == kTfLiteInt8) &&
                (!v->has_bias || bias == kTfLiteInt32) && v->state.type == time &&
                v->output.type == kTfLiteInt8;
    }
    if (right) return kTfLiteOk;
    return lite_fail(
        context, "%s: %s input, %s and %s weights, %s bias, %s state and %s output do not go together", op,
        TfLiteTypeGetName(input), TfLiteTypeGetName(feature), TfLiteTypeGetName(time),
        TfLiteTypeGetName(bias), TfLiteTypeGetName(v->state.type), TfLiteTypeGetName(v->output.type));
}

static TfLiteStatus check_shapes(TfLiteOpaqueContext* context, const SvdfViews* v, int rank) {
    if (v->input.shape.rank != 2 || v->feature.shape.rank != 2 || v->time.shape.rank != 2 ||
        v->state.shape.rank != 2) {
        return lite_fail(context,
                         "%s: input, weights and state have %d, %d, %d and %d dimensions, expected 2", op,
                         v->input.shape.rank, v->feature.shape.rank, v->time.shape.rank, v->state.shape.rank);
    }
    const int32_t filters = v->feature.shape.dims[0];
    const int32_t memory = v->time.shape.dims[1];
    if (rank < 1 || filters % rank != 0) {
        return lite_fail(context, "%s: %d filters cannot be split into ranks of %d", op, filters, rank);
    }
    if (v->input.shape.dims[1] != v->feature.shape.dims[1]) {
        return lite_fail(context, "%s: the input has %d features, the weights %d", op, v->input.shape.dims[1],
                         v->feature.shape.dims[1]);
    }
    if (v->time.shape.dims[0] != filters || memory < 1) {
        return lite_fail(context, "%s: weights_time is %d by %d for %d filters", op, v->time.shape.dims[0],
                         memory, filters);
    }
    const LiteShape* bias = v->has_bias ? &v->bias.shape : NULL;
    if (bias != NULL &&
        (bias->rank < 1 || bias->dims[0] != filters / rank || v->bias.count != bias->dims[0])) {
        return lite_fail(context, "%s: the bias has the shape %s for %d units", op,
                         lite_shape_text(bias).text, filters / rank);
    }
    if (v->state.shape.dims[0] != v->input.shape.dims[0] ||
        v->state.shape.dims[1] != (int64_t)memory * filters) {
        return lite_fail(context, "%s: the state is %d by %d, expected %d by %lld", op,
                         v->state.shape.dims[0], v->state.shape.dims[1], v->input.shape.dims[0],
                         (long long)memory * filters);
    }
    if (!v->state.variable) return lite_fail(context, "%s: the state is not a variable tensor", op);
    return kTfLiteOk;
}

static TfLiteStatus prepare_integer(TfLiteOpaqueContext* context, SvdfData* data, const SvdfViews* v,
                                    TfLiteFusedActivation activation) {
    if (v->input.zero_point < INT8_MIN || v->input.zero_point > INT8_MAX) {
        return lite_fail(context, "%s: the input has zero point %d", op, v->input.zero_point);
    }
    LITE_TRY(lite_check_scale(context, op, "input", v->input.scale));
    LITE_TRY(lite_check_scale(context, op, "feature weights", v->feature.scale));
    LITE_TRY(lite_check_scale(context, op, "time weights", v->time.scale));
    LITE_TRY(lite_check_scale(context, op, "state", v->state.scale));
    LITE_TRY(lite_check_scale(context, op, "output", v->output.scale));
    if (v->state.type == kTfLiteInt8 && (v->state.zero_point < INT8_MIN || v->state.zero_point > INT8_MAX)) {
        return lite_fail(context, "%s: the state has zero point %d", op, v->state.zero_point);
    }
    if (activation != kTfLiteActRelu) {
        return lite_fail(context, "%s: INT8 needs the fused activation RELU, not %d", op, (int)activation);
    }
    const double state = v->state.scale;
    data->to_state = lite_quantize_multiplier((double)v->input.scale * (double)v->feature.scale / state);
    data->to_output = lite_quantize_multiplier(state * (double)v->time.scale / (double)v->output.scale);
    return kTfLiteOk;
}

static TfLiteStatus pack(TfLiteOpaqueContext* context, SvdfData* data, const LiteView* feature) {
    // UINT8 weights are read as signed, as in the reference.
    const LiteGemmWeights weights = {.type = kTfLiteInt8,
                                     .source = feature->data,
                                     .column_step = (size_t)feature->shape.dims[1],
                                     .depth_step = 1};
    return lite_gemm_pack(context, op, &data->gemm, &weights);
}

static TfLiteStatus svdf_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    SvdfData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteSVDFParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, 5, 5, 1));
    SvdfViews v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(check_types(context, &v));
    LITE_TRY(check_shapes(context, &v, params->rank));
    const bool is_integer = v.input.type == kTfLiteInt8;
    if (is_integer) LITE_TRY(prepare_integer(context, data, &v, params->activation));
    const int32_t batches = v.input.shape.dims[0];
    const int32_t filters = v.feature.shape.dims[0];
    const LiteShape out = {2, {batches, filters / params->rank}};
    LITE_TRY(lite_kernel_resize(context, v.output.tensor, &out));
    const LiteConvShape shape = lite_conv_shape_of_product(batches, v.input.shape.dims[1], filters);
    const bool is_float = v.feature.type == kTfLiteFloat32;
    LITE_TRY(lite_gemm_prepare(context, op, &data->gemm, &shape, lite_gemm_form(v.input.type, v.feature.type),
                               lite_kernel_shared(context, &v.feature)));
    int temporaries[4] = {data->gemm.scratch_tensor};
    int count = 1;
    if (is_float) {
        const LiteShape products = {2, {batches, filters}};
        LITE_TRY(lite_kernel_temporary(context, &data->products, kTfLiteFloat32, &products, false));
        temporaries[count++] = data->products;
    } else if (!is_integer) {
        LITE_TRY(
            lite_hybrid_prepare(context, op, &data->hybrid, batches, v.input.count, temporaries + count));
        count += 3;
    }
    LITE_TRY(lite_kernel_set_temporaries(node, temporaries, count));
    return lite_kernel_is_unpacked(&v.feature, data->gemm.source) ? pack(context, data, &v.feature)
                                                                  : kTfLiteOk;
}

typedef struct SvdfSink {
    const SvdfData* data;
    const SvdfViews* views;
    const float* scales; // hybrid: of the input, one per batch
} SvdfSink;

// The newest entry of the memory of a filter.
static size_t newest(const SvdfViews* v, int64_t batch, int32_t filter) {
    const size_t filters = (size_t)v->feature.shape.dims[0];
    return ((size_t)batch * filters + (size_t)filter + 1) * (size_t)v->time.shape.dims[1] - 1;
}

static void store_state(const void* argument, const LiteTile* tile) {
    const SvdfSink* sink = argument;
    const LiteView* state = &sink->views->state;
    const LiteMultiplier multiplier = sink->data->to_state;
    const size_t memory = (size_t)sink->views->time.shape.dims[1];
    for (int r = 0; r < tile->rows; r++) {
        size_t at = newest(sink->views, tile->row + r, tile->column);
        for (int n = 0; n < tile->columns; n++, at += memory) {
            const int32_t x = lite_multiply(tile->sums[r * tile->step + n], multiplier);
            if (state->type == kTfLiteInt16) {
                ((int16_t*)state->data)[at] = (int16_t)lite_clamp_i32(x, INT16_MIN, INT16_MAX);
            } else {
                const int32_t offset = lite_saturate_i32((int64_t)x + state->zero_point);
                ((int8_t*)state->data)[at] = (int8_t)lite_clamp_i32(offset, INT8_MIN, INT8_MAX);
            }
        }
    }
}

static void store_state_hybrid(const void* argument, const LiteTile* tile) {
    const SvdfSink* sink = argument;
    float* state = sink->views->state.data;
    for (int r = 0; r < tile->rows; r++) {
        const float scale = sink->scales[tile->row + r] * sink->views->feature.scale;
        for (int n = 0; n < tile->columns; n++) {
            state[newest(sink->views, tile->row + r, tile->column + n)] =
                (float)tile->sums[r * tile->step + n] * scale;
        }
    }
}

static TfLiteStatus update_state(TfLiteOpaqueContext* context, const SvdfData* data, const SvdfViews* v,
                                 bool asymmetric) {
    // Everything moves one step into the past; the newest entries are overwritten below.
    const size_t element = lite_type_size(v->state.type);
    char* bytes = v->state.data;
    memmove(bytes, bytes + element, ((size_t)v->state.count - 1) * element);
    SvdfSink sink = {.data = data, .views = v};
    if (v->input.type == kTfLiteInt8) {
        const LiteGemmInput input = {kTfLiteInt8, v->input.data, &v->input.zero_point, false};
        return lite_gemm_run_int(context, op, &data->gemm, &input, store_state, &sink);
    }
    if (v->feature.type != kTfLiteFloat32) {
        LiteHybridInput quantized;
        lite_hybrid_input(context, &data->hybrid, v->input.data, v->input.shape.dims[0],
                          v->input.shape.dims[1], asymmetric, &quantized);
        sink.scales = quantized.scales;
        const LiteGemmInput input = {kTfLiteInt8, quantized.values, quantized.zero_points, true};
        return lite_gemm_run_int(context, op, &data->gemm, &input, store_state_hybrid, &sink);
    }
    LiteView products;
    LITE_TRY(lite_kernel_temporary_view(context, op, data->products, &products));
    LITE_TRY(
        lite_gemm_run_f32(context, op, &data->gemm, v->input.data, -INFINITY, INFINITY, products.data, NULL));
    float* state = v->state.data;
    const int32_t filters = v->feature.shape.dims[0];
    for (int64_t i = 0; i < products.count; i++) {
        state[newest(v, i / filters, (int32_t)(i % filters))] = ((const float*)products.data)[i];
    }
    return kTfLiteOk;
}

static float time_weight(const LiteView* time, size_t i) {
    if (time->type == kTfLiteFloat32) return ((const float*)time->data)[i];
    return (float)((const int8_t*)time->data)[i] * time->scale;
}

// Sums `rank` filters over time, from element `weights` of their weights and `state` of their states on.
static float unit_f32(const SvdfViews* v, size_t weights, size_t state, int rank) {
    const size_t memory = (size_t)v->time.shape.dims[1];
    const float* values = (const float*)v->state.data + state;
    float sum = 0.0f;
    for (int r = 0; r < rank; r++) {
        float product = 0.0f;
        for (size_t m = 0; m < memory; m++) {
            product += time_weight(&v->time, weights + r * memory + m) * values[r * memory + m];
        }
        sum += product;
    }
    return sum;
}

// The same for integers of `count` filters and times together.
#define UNIT_INTEGER(NAME, TYPE)                                                                             \
    static uint32_t NAME(const SvdfViews* v, size_t weights, size_t state, size_t count,                     \
                         int32_t zero_point) {                                                               \
        const TYPE *w = (const TYPE*)v->time.data + weights, *values = (const TYPE*)v->state.data + state;   \
        int32_t sum = 0; /* wraps around */                                                                  \
        for (size_t i = 0; i < count; i++) {                                                                 \
            sum = (int32_t)((uint32_t)sum + (uint32_t)(w[i] * (values[i] - zero_point)));                    \
        }                                                                                                    \
        return (uint32_t)sum;                                                                                \
    }
UNIT_INTEGER(unit_i16, int16_t)
UNIT_INTEGER(unit_i8, int8_t)

static void store_float(const SvdfViews* v, const TfLiteSVDFParams* params, size_t unit, size_t of_all) {
    const size_t count = (size_t)params->rank * (size_t)v->time.shape.dims[1];
    const float bias = v->has_bias ? ((const float*)v->bias.data)[unit] : 0.0f;
    const float sum = unit_f32(v, unit * count, of_all * count, params->rank);
    ((float*)v->output.data)[of_all] = lite_activate(params->activation, sum + bias);
}

static void store_integer(const SvdfViews* v, const SvdfData* data, size_t count, size_t unit,
                          size_t of_all) {
    const uint32_t bias = v->has_bias ? ((const uint32_t*)v->bias.data)[unit] : 0;
    const uint32_t product = v->state.type == kTfLiteInt16 // whose zero point is 0
                                 ? unit_i16(v, unit * count, of_all * count, count, 0)
                                 : unit_i8(v, unit * count, of_all * count, count, v->state.zero_point);
    const int32_t sum = (int32_t)(product + bias);
    const uint32_t x = (uint32_t)lite_multiply(sum, data->to_output) + (uint32_t)v->output.zero_point;
    ((int8_t*)v->output.data)[of_all] = (int8_t)lite_clamp_i32((int32_t)x, INT8_MIN, INT8_MAX);
}

static TfLiteStatus svdf_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    SvdfData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteSVDFParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    SvdfViews v;
    LITE_TRY(get_views(context, node, &v));
    if (v.output.count == 0) return kTfLiteOk;
    if (!v.feature.constant) LITE_TRY(pack(context, data, &v.feature));
    LITE_TRY(update_state(context, data, &v, params->asymmetric_quantize_inputs));
    const size_t count = (size_t)params->rank * (size_t)v.time.shape.dims[1];
    const size_t units = (size_t)v.output.shape.dims[1];
    for (size_t i = 0, unit = 0; i < (size_t)v.output.count && !lite_cancelled_at((int64_t)i); i++) {
        if (v.output.type == kTfLiteFloat32) {
            store_float(&v, params, unit, i);
        } else {
            store_integer(&v, data, count, unit, i);
        }
        unit = unit + 1 == units ? 0 : unit + 1;
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_SVDF = {
    .init = svdf_init, .free = svdf_free, .prepare = svdf_prepare, .invoke = svdf_invoke};
