// SPDX-License-Identifier: Apache-2.0
// QUANTIZE (also from one quantization to another), DEQUANTIZE, and NumericVerify, a custom operator of
// LiteRT's debugger, which compares quantized tensors with what they were quantized from.
#include "core/base/cancel.h"
#include "kernels-cpu/loops/quantize_loops.h"

#include <math.h>

#include "kernels-cpu/quantized/byte_map.h"
#include "kernels-cpu/support/packed.h"
#include "kernels-cpu/support/types.h"
#include "oclite/flexbuffers.h"

static inline int32_t requantize_one(int32_t x, const LiteQuantize* p) {
    const int32_t scaled = lite_multiply(lite_wrapping_sub(x, p->input_zero), p->multiplier);
    return lite_clamp_i32(lite_wrapping_add(scaled, p->zero_point), p->low, p->high);
}

#define QUANTIZE_LOOP(NAME, IN, OUT)                                                                         \
    static void NAME(const LiteRow* row) {                                                                   \
        const LiteQuantize params = *(const LiteQuantize*)row->params;                                       \
        const IN* in = row->in[0];                                                                           \
        OUT* out = row->out;                                                                                 \
        for (int64_t i = 0; i < row->count; i++) out[i] = (OUT)requantize_one(in[i], &params);               \
    }

// 8 bits to 8 bits go through a map.
static void map_8(const LiteRow* row) {
    lite_map_bytes()(row->params, row->in[0], row->count, row->out);
}

typedef struct Quantize {
    bool is_made; // there is a map, for these parameters
    LiteQuantize params;
    LiteByteMap map;
} Quantize;

static void make_map(TfLiteType from, TfLiteType to, const LiteQuantize* params, Quantize* data) {
    const LiteQuantize* old = &data->params;
    if (data->is_made && old->multiplier.value == params->multiplier.value &&
        old->multiplier.shift == params->multiplier.shift && old->input_zero == params->input_zero &&
        old->zero_point == params->zero_point) {
        return;
    }
    int32_t first = 0, last = 0;
    lite_type_limits(from, &first, &last);
    for (int32_t x = first; x <= last; x++) {
        data->map.table[(uint8_t)x] = (uint8_t)requantize_one(x, params);
    }
    lite_byte_map_find_lines(&data->map, from == kTfLiteInt8, to == kTfLiteInt8, params->input_zero);
    data->params = *params;
    data->is_made = true;
}

QUANTIZE_LOOP(i8_to_i16, int8_t, int16_t)
QUANTIZE_LOOP(u8_to_i16, uint8_t, int16_t)
QUANTIZE_LOOP(i16_to_i8, int16_t, int8_t)
QUANTIZE_LOOP(i16_to_i16, int16_t, int16_t)
QUANTIZE_LOOP(i16_to_i32, int16_t, int32_t)
QUANTIZE_LOOP(i32_to_i8, int32_t, int8_t)
QUANTIZE_LOOP(i32_to_i16, int32_t, int16_t)

static LiteRowFunction quantize_loop(TfLiteType from, TfLiteType to) {
    static const struct {
        TfLiteType from;
        TfLiteType to;
        LiteRowFunction function;
    } loops[] = {
        {kTfLiteInt8, kTfLiteInt8, map_8},        {kTfLiteInt8, kTfLiteUInt8, map_8},
        {kTfLiteInt8, kTfLiteInt16, i8_to_i16},   {kTfLiteUInt8, kTfLiteInt8, map_8},
        {kTfLiteUInt8, kTfLiteUInt8, map_8},      {kTfLiteUInt8, kTfLiteInt16, u8_to_i16},
        {kTfLiteInt16, kTfLiteInt8, i16_to_i8},   {kTfLiteInt16, kTfLiteInt16, i16_to_i16},
        {kTfLiteInt16, kTfLiteInt32, i16_to_i32}, {kTfLiteInt32, kTfLiteInt8, i32_to_i8},
        {kTfLiteInt32, kTfLiteInt16, i32_to_i16},
    };
    for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
        if (loops[i].from == from && loops[i].to == to) return loops[i].function;
    }
    return from == kTfLiteFloat32 ? lite_quantize_loop(from, to, false) : NULL;
}

// Channels of per-channel quantization: elements are [outer][channels][inner].
typedef struct Channels {
    int count; // 1 when there is one scale, or none
    int64_t outer;
    int64_t inner;
} Channels;

static TfLiteStatus find_channels(TfLiteOpaqueContext* context, const char* op, const LiteView* view,
                                  Channels* channels) {
    *channels = (Channels){1, 1, view->count};
    const TfLiteAffineQuantization* affine = view->affine;
    if (affine == NULL || affine->scale == NULL || affine->scale->size <= 1) return kTfLiteOk;
    const int dimension = affine->quantized_dimension;
    if (dimension < 0 || dimension >= view->shape.rank ||
        view->shape.dims[dimension] != affine->scale->size) {
        return lite_fail(context, "%s: %d scales do not fit dimension %d", op, affine->scale->size,
                         dimension);
    }
    const TfLiteIntArray* zeros = affine->zero_point;
    if (zeros == NULL || (zeros->size != 1 && zeros->size != affine->scale->size)) {
        return lite_fail(context, "%s: %d zero points for %d scales", op, zeros == NULL ? 0 : zeros->size,
                         affine->scale->size);
    }
    channels->count = affine->scale->size;
    channels->inner = 1;
    for (int i = 0; i < dimension; i++) channels->outer *= view->shape.dims[i];
    for (int i = dimension + 1; i < view->shape.rank; i++) channels->inner *= view->shape.dims[i];
    return kTfLiteOk;
}

static void channel_params(const LiteView* view, const Channels* channels, int channel,
                           LiteQuantize* params) {
    params->scale = view->scale;
    params->zero_point = view->zero_point;
    if (channels->count == 1) return;
    const TfLiteIntArray* zeros = view->affine->zero_point;
    params->scale = view->affine->scale->data[channel];
    params->zero_point = zeros->data[zeros->size == 1 ? 0 : channel];
}

// Elements with a scale for each channel of `view`: scales and zero points are broadcast to them.
static TfLiteStatus run_channels(TfLiteOpaqueContext* context, const char* op, const LiteView* view,
                                 LiteRowFunction loop, const LiteQuantize* params, const LiteView* input,
                                 const LiteView* output) {
    const TfLiteAffineQuantization* affine = view->affine;
    LiteView inputs[3] = {*input, {.type = kTfLiteFloat32}, {.type = kTfLiteInt32}};
    for (int k = 1; k < 3; k++) {
        inputs[k].shape.rank = view->shape.rank;
        for (int i = 0; i < view->shape.rank; i++) inputs[k].shape.dims[i] = 1;
    }
    inputs[1].data = affine->scale->data;
    inputs[2].data = affine->zero_point->data;
    inputs[1].shape.dims[affine->quantized_dimension] = affine->scale->size;
    inputs[2].shape.dims[affine->quantized_dimension] = affine->zero_point->size;
    return lite_elementwise_run(context, op, loop, params, 1, output, inputs, 3);
}

static void* quantize_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)buffer;
    (void)length;
    return lite_calloc(1, sizeof(Quantize));
}

static void quantize_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus quantize_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "QUANTIZE", 1, 1, 1));
    LITE_TRY(lite_kernel_views(context, node, "QUANTIZE", &input, 1, &output));
    Quantize* data = TfLiteOpaqueNodeGetUserData(node);
    if (data == NULL) return lite_fail(context, "QUANTIZE: out of memory");
    data->is_made = false;
    const bool real = input.type == kTfLiteFloat32;
    const bool packed = output.type == kTfLiteInt4 || output.type == kTfLiteUInt4;
    if (!(real && packed) && quantize_loop(input.type, output.type) == NULL) {
        return lite_fail(context, "QUANTIZE: from %s to %s is not supported", TfLiteTypeGetName(input.type),
                         TfLiteTypeGetName(output.type));
    }
    if (output.affine == NULL) return lite_fail(context, "QUANTIZE: output has no quantization");
    LiteView sized = output; // the channels are those of the output's new shape
    sized.shape = input.shape;
    sized.count = input.count;
    Channels channels;
    LITE_TRY(find_channels(context, "QUANTIZE", &sized, &channels));
    if (channels.count > 1 && (!real || packed)) {
        return lite_fail(context, "QUANTIZE: per-channel quantization from %s to %s is not supported",
                         TfLiteTypeGetName(input.type), TfLiteTypeGetName(output.type));
    }
    if (channels.count == 1 && !packed)
        LITE_TRY(lite_check_quantized(context, "QUANTIZE", "output", &output));
    if (!real) LITE_TRY(lite_check_quantized(context, "QUANTIZE", "input", &input));
    if (input.type == kTfLiteInt16 && output.type == kTfLiteInt16) {
        LITE_TRY(lite_check_symmetric(context, "QUANTIZE", "input", &input));
        LITE_TRY(lite_check_symmetric(context, "QUANTIZE", "output", &output));
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static TfLiteStatus quantize_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, "QUANTIZE", &input, 1, &output));
    if (output.count == 0) return kTfLiteOk;
    Channels channels;
    LITE_TRY(find_channels(context, "QUANTIZE", &output, &channels));
    LiteQuantize params = {.input_zero = input.zero_point};
    if (input.type != kTfLiteFloat32) {
        params.multiplier = lite_quantize_multiplier((double)input.scale / (double)output.scale);
    }
    channel_params(&output, &channels, 0, &params);
    if (lite_is_packed(output.type)) {
        params.low = lite_packed_low(output.type);
        params.high = lite_packed_high(output.type);
        const float* in = input.data;
        for (int64_t i = 0; i < output.count && !lite_cancelled_at(i); i++) {
            lite_packed_set(output.data, output.type, i, lite_quantize_one(in[i], &params));
        }
        return kTfLiteOk;
    }
    lite_type_limits(output.type, &params.low, &params.high);
    const LiteRowFunction loop = quantize_loop(input.type, output.type);
    if (loop == map_8) {
        Quantize* data = TfLiteOpaqueNodeGetUserData(node);
        make_map(input.type, output.type, &params, data);
        return lite_elementwise_run(context, "QUANTIZE", loop, &data->map, 1, &output, &input, 1);
    }
    if (channels.count == 1)
        return lite_elementwise_run(context, "QUANTIZE", loop, &params, 1, &output, &input, 1);
    return run_channels(context, "QUANTIZE", &output, lite_quantize_loop(input.type, output.type, true),
                        &params, &input, &output);
}

const LiteKernel lite_kernel_QUANTIZE = {
    .init = quantize_init, .free = quantize_free, .prepare = quantize_prepare, .invoke = quantize_invoke};

static void f16_to_f32(const LiteRow* row) {
    const uint16_t* in = row->in[0];
    float* out = row->out;
    for (int64_t i = 0; i < row->count; i++) out[i] = lite_f16_to_f32(in[i]);
}

static LiteRowFunction dequantize_loop(TfLiteType type) {
    return type == kTfLiteFloat16 ? f16_to_f32 : lite_quantize_loop(type, kTfLiteFloat32, false);
}

static TfLiteStatus dequantize_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "DEQUANTIZE", 1, 1, 1));
    LITE_TRY(lite_kernel_views(context, node, "DEQUANTIZE", &input, 1, &output));
    LITE_TRY(lite_check_type(context, "DEQUANTIZE", "output", &output, kTfLiteFloat32));
    if (dequantize_loop(input.type) == NULL && !lite_is_packed(input.type)) {
        return lite_check_fail_type(context, "DEQUANTIZE", input.type);
    }
    Channels channels;
    LITE_TRY(find_channels(context, "DEQUANTIZE", &input, &channels));
    if (channels.count > 1 && input.type == kTfLiteInt16) {
        return lite_fail(context, "DEQUANTIZE: per-channel INT16 is not supported");
    }
    LITE_TRY(lite_check_symmetric(context, "DEQUANTIZE", "input", &input));
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static TfLiteStatus dequantize(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                               const LiteView* output) {
    if (output->count == 0) return kTfLiteOk;
    Channels channels;
    LITE_TRY(find_channels(context, op, input, &channels));
    LiteQuantize params = {0};
    channel_params(input, &channels, 0, &params);
    const LiteRowFunction loop = dequantize_loop(input->type);
    float* out = output->data;
    if (channels.count == 1 && loop != NULL) {
        return lite_elementwise_run(context, op, loop, &params, 1, output, input, 1);
    }
    if (loop != NULL) {
        const LiteRowFunction by_channel = lite_quantize_loop(input->type, kTfLiteFloat32, true);
        // FLOAT16 has no use for scales.
        if (by_channel == NULL) return lite_elementwise_run(context, op, loop, &params, 1, output, input, 1);
        return run_channels(context, op, input, by_channel, &params, input, output);
    }
    for (int64_t i = 0; i < channels.outer * channels.count; i++) {
        channel_params(input, &channels, (int)(i % channels.count), &params);
        for (int64_t j = i * channels.inner; j < (i + 1) * channels.inner && !lite_cancelled_at(j); j++) {
            out[j] = lite_dequantize_one(lite_packed_get(input->data, input->type, j), &params);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus dequantize_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, "DEQUANTIZE", &input, 1, &output));
    return dequantize(context, "DEQUANTIZE", &input, &output);
}

const LiteKernel lite_kernel_DEQUANTIZE = {
    .prepare = dequantize_prepare, .invoke = dequantize_invoke, .fold = kLiteFoldConstants};

// ---- NumericVerify ----

enum { kQuantized, kReal, kVerifyInputs };

typedef struct VerifyOptions {
    float tolerance; // in steps of the quantization
    bool fails;      // a difference beyond the tolerance is an error
} VerifyOptions;

static void* verify_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    OcliteFlex map, value;
    double tolerance = 0.0;
    VerifyOptions* options = lite_calloc(1, sizeof(*options));
    if (options == NULL || buffer == NULL || !oclite_flex_root(buffer, length, &map)) return options;
    if (oclite_flex_map_find(map, "tolerance", &value)) oclite_flex_float(value, &tolerance);
    if (oclite_flex_map_find(map, "log_if_failed", &value)) oclite_flex_bool(value, &options->fails);
    options->tolerance = (float)tolerance;
    return options;
}

static void verify_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus verify_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView inputs[kVerifyInputs], output;
    Channels channels;
    LITE_TRY(lite_kernel_check_counts(context, node, "NumericVerify", kVerifyInputs, kVerifyInputs, 1));
    if (TfLiteOpaqueNodeGetUserData(node) == NULL) return lite_fail(context, "NumericVerify: out of memory");
    LITE_TRY(lite_kernel_views(context, node, "NumericVerify", inputs, kVerifyInputs, &output));
    LITE_TRY(lite_check_types(context, "NumericVerify", "input", &inputs[kQuantized],
                              LITE_TYPE(UInt8) | LITE_TYPE(Int8) | LITE_TYPE(Int16) | LITE_TYPE(Float16)));
    LITE_TRY(lite_check_types(context, "NumericVerify", "reference", &inputs[kReal], LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, "NumericVerify", "output", &output, LITE_TYPE(Float32)));
    LITE_TRY(find_channels(context, "NumericVerify", &inputs[kQuantized], &channels));
    if (inputs[kQuantized].count != inputs[kReal].count) {
        return lite_fail(context, "NumericVerify: the input is %s, the reference %s",
                         lite_shape_text(&inputs[kQuantized].shape).text,
                         lite_shape_text(&inputs[kReal].shape).text);
    }
    return lite_kernel_resize(context, output.tensor, &inputs[kQuantized].shape);
}

// Says how large the differences are. This is what the operator is there for, and no error.
static void report_differences(TfLiteOpaqueContext* context, const LiteView* input, const LiteView* output) {
    const float* differences = output->data;
    double sum = 0.0, squares = 0.0, largest = 0.0;
    for (int64_t i = 0; i < output->count; i++) sum += (double)differences[i];
    const double mean = sum / (double)output->count;
    for (int64_t i = 0; i < output->count; i++) {
        const double distance = (double)differences[i] - mean;
        largest = fmax(largest, fabs((double)differences[i]));
        squares += distance * distance;
    }
    TfLiteOpaqueContextReportError(context, "std: %f, mean: %f, max_diff: %f (scale: %f, zero_point: %d).",
                                   sqrt(squares / (double)output->count), mean, largest, (double)input->scale,
                                   input->zero_point);
}

static TfLiteStatus verify_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const VerifyOptions* options = TfLiteOpaqueNodeGetUserData(node);
    LiteView inputs[kVerifyInputs], output;
    LITE_TRY(lite_kernel_views(context, node, "NumericVerify", inputs, kVerifyInputs, &output));
    LITE_TRY(dequantize(context, "NumericVerify", &inputs[kQuantized], &output));
    if (lite_cancelled()) return kTfLiteOk; // there is nothing to compare yet
    const bool fails = options->fails && (double)options->tolerance >= 0.1;
    const float limit = options->tolerance * inputs[kQuantized].scale;
    const float* reference = inputs[kReal].data;
    float* out = output.data;
    for (int64_t i = 0; i < output.count; i++) {
        const float value = out[i];
        out[i] = value - reference[i];
        if (!fails || !(fabsf(out[i]) > limit)) continue;
        return lite_fail(
            context,
            "NumericVerify: Mismatch: element %lld is %f, and %f with scale %f and zero point %d; "
            "the difference %f is beyond %f, a tolerance of %f steps",
            (long long)i, (double)reference[i], (double)value, (double)inputs[kQuantized].scale,
            inputs[kQuantized].zero_point, (double)out[i], (double)limit, (double)options->tolerance);
    }
    if (!fails && output.count > 0) report_differences(context, &inputs[kQuantized], &output);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_NumericVerify = {
    .init = verify_init, .free = verify_free, .prepare = verify_prepare, .invoke = verify_invoke};
