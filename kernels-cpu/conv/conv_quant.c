// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/conv_quant.h"

#include <math.h>
#include <string.h>

#include "core/base/sha256.h"

TfLiteStatus lite_check_scale(TfLiteOpaqueContext* context, const char* op, const char* what, float scale) {
    if (scale > 0.0f && isfinite(scale)) return kTfLiteOk;
    return lite_fail(context, "%s: the quantization scale of the %s is %g, expected a positive number", op,
                     what, (double)scale);
}

static TfLiteStatus check_zero_point(TfLiteOpaqueContext* context, const char* op, const char* what,
                                     const LiteView* view) {
    int32_t low, high;
    if (lite_type_limits(view->type, &low, &high) && (view->zero_point < low || view->zero_point > high)) {
        return lite_fail(context, "%s: zero point %d of the %s is outside its type %s", op, view->zero_point,
                         what, TfLiteTypeGetName(view->type));
    }
    return kTfLiteOk;
}

// One scale, or one per output channel with the channels where the operator has them.
static TfLiteStatus check_filter(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                 const LiteView* filter, int32_t channels) {
    const TfLiteAffineQuantization* affine = filter->affine;
    if (affine == NULL || affine->scale == NULL || affine->scale->size < 1) {
        return lite_fail(context, "%s: the filter has no quantization scale", op);
    }
    const int count = affine->scale->size;
    for (int i = 0; i < count; i++) {
        const float scale = affine->scale->data[i];
        if (!(scale >= 0.0f) || !isfinite(scale)) {
            return lite_fail(context, "%s: quantization scale %d of the filter is %g", op, i, (double)scale);
        }
    }
    if (count == 1) return kTfLiteOk;
    if (count != channels) {
        return lite_fail(context, "%s: the filter has %d quantization scales for %d channels", op, count,
                         channels);
    }
    const int axis = affine->quantized_dimension;
    if (axis < 0 || axis >= filter->shape.rank || filter->shape.dims[axis] != channels) {
        return lite_fail(context, "%s: the filter is quantized along dimension %d, which is not its channels",
                         op, axis);
    }
    if (input->type != kTfLiteInt8 && input->type != kTfLiteInt16) {
        return lite_fail(context, "%s: per-channel quantization needs INT8 or INT16 input, not %s", op,
                         TfLiteTypeGetName(input->type));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_check_bias_scale(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                   const LiteView* filter, const LiteView* bias, const LiteView* output) {
    const double product = (double)input->scale * (double)filter->scale;
    if (fabs(product - (double)bias->scale) / (double)output->scale <= 0.02) return kTfLiteOk;
    return lite_fail(context, "%s: the scale of the bias is %g, expected input times filter scale, %g", op,
                     (double)bias->scale, product);
}

// From sums to the output, for each channel.
typedef struct Scales {
    const LiteView* input;
    const LiteView* filter;
    const LiteView* output;
    int32_t channels;
} Scales;

static bool fill(void* argument, void* memory) {
    const Scales* s = argument;
    int32_t *multiplier = memory, *shift = multiplier + s->channels;
    for (int32_t c = 0; c < s->channels; c++) {
        // uint8 operators multiply the scales in single precision.
        const double product = s->input->type == kTfLiteUInt8
                                   ? (double)(s->input->scale * s->filter->scale)
                                   : (double)s->input->scale * (double)lite_channel_scale(s->filter, c);
        const LiteMultiplier m = lite_quantize_multiplier(product / (double)s->output->scale);
        multiplier[c] = m.value;
        shift[c] = m.shift;
    }
    return true;
}

// Small builds, which have few interpreters, do without the hash.
#ifndef LITE_HAS_SHARED_SCALES
#define LITE_HAS_SHARED_SCALES 1
#endif

// The scales are each tensor's own, and a program may replace them: blocks are found by their contents.
static TfLiteStatus get_multipliers(TfLiteOpaqueContext* context, const char* op, LiteConvQuant* quant,
                                    Scales* scales) {
    const TfLiteFloatArray* filter = scales->filter->affine->scale;
    const LiteBytes parts[] = {{&scales->input->scale, sizeof scales->input->scale},
                               {&scales->output->scale, sizeof scales->output->scale},
                               {filter->data, (size_t)filter->size * sizeof *filter->data}};
    union {
        unsigned char digest[LITE_SHA256_BYTES];
        int64_t numbers[LITE_SHA256_BYTES / sizeof(int64_t)];
    } key;
    memset(&key, 0, sizeof key);
    if (LITE_HAS_SHARED_SCALES) lite_sha256(parts, sizeof parts / sizeof *parts, key.digest);
    const int64_t numbers[] = {key.numbers[0], key.numbers[1], key.numbers[2], key.numbers[3],
                               scales->input->type == kTfLiteUInt8};
    const LiteSharedContents contents = {.key = numbers,
                                         .key_count = sizeof numbers / sizeof *numbers,
                                         .bytes = 2 * (size_t)scales->channels * sizeof(int32_t),
                                         .fill = fill,
                                         .argument = scales};
    LiteShared* shared = LITE_HAS_SHARED_SCALES ? lite_kernel_shared(context, scales->filter) : NULL;
    if (!lite_shared_replace(&quant->block, shared, &contents)) {
        lite_conv_quant_free(quant);
        return lite_fail(context, "%s: out of memory for %d channels", op, scales->channels);
    }
    quant->channels = scales->channels;
    quant->multiplier = lite_shared_memory(quant->block);
    quant->shift = quant->multiplier + scales->channels;
    return kTfLiteOk;
}

TfLiteStatus lite_conv_quant_prepare(TfLiteOpaqueContext* context, const char* op, LiteConvQuant* quant,
                                     const LiteView* input, const LiteView* filter, const LiteView* bias,
                                     const LiteView* output, TfLiteFusedActivation activation,
                                     int32_t channels) {
    LITE_TRY(lite_check_scale(context, op, "input", input->scale));
    LITE_TRY(lite_check_scale(context, op, "output", output->scale));
    LITE_TRY(check_filter(context, op, input, filter, channels));
    LITE_TRY(check_zero_point(context, op, "input", input));
    LITE_TRY(check_zero_point(context, op, "filter", filter));
    LITE_TRY(check_zero_point(context, op, "output", output));
    if (input->type == kTfLiteInt16 && (input->zero_point != 0 || output->zero_point != 0)) {
        return lite_fail(context, "%s: INT16 tensors have zero points %d and %d, expected 0", op,
                         input->zero_point, output->zero_point);
    }
    const bool is_uint8 = input->type == kTfLiteUInt8;
    if (is_uint8 && bias != NULL) LITE_TRY(lite_check_bias_scale(context, op, input, filter, bias, output));
    Scales scales = {input, filter, output, channels};
    LITE_TRY(get_multipliers(context, op, quant, &scales));
    quant->zero_point = output->zero_point;
    const bool clamps =
        activation == kTfLiteActRelu || activation == kTfLiteActRelu6 || activation == kTfLiteActReluN1To1;
    // As in the reference, activations that are not a range are not applied.
    return lite_activation_range_quantized(clamps ? activation : kTfLiteActNone, output->type, output->scale,
                                           output->zero_point, &quant->low, &quant->high);
}

void lite_conv_quant_free(LiteConvQuant* quant) {
    lite_shared_release(quant->block);
    memset(quant, 0, sizeof(*quant));
}

LiteRequantization lite_conv_quant_from(const LiteConvQuant* quant, int32_t first) {
    const LiteRequantization part = {
        .multiplier = quant->multiplier + first,
        .shift = quant->shift + first,
        .zero_point = quant->zero_point,
        .low = quant->low,
        .high = quant->high,
    };
    return part;
}

int16_t lite_conv_quant_i16(const LiteConvQuant* quant, int32_t channel, int64_t sum, TfLiteType bias_type,
                            const void* bias) {
    const LiteMultiplier m = {quant->multiplier[channel], quant->shift[channel]};
    int32_t scaled;
    if (bias_type == kTfLiteInt32) {
        const uint32_t add = bias == NULL ? 0 : ((const uint32_t*)bias)[channel];
        scaled = lite_multiply((int32_t)((uint32_t)sum + add), m);
    } else {
        const uint64_t add = bias == NULL ? 0 : ((const uint64_t*)bias)[channel];
        scaled = lite_multiply_i64((int64_t)((uint64_t)sum + add), m);
    }
    return (int16_t)lite_clamp_i32(scaled, quant->low, quant->high);
}

TfLiteStatus lite_check_bias(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                             const LiteView* bias, int32_t channels, int dimension) {
    const TfLiteType type = bias->type;
    bool right = type == input->type;
    if (input->type == kTfLiteUInt8 || input->type == kTfLiteInt8) right = type == kTfLiteInt32;
    if (input->type == kTfLiteInt16) right = type == kTfLiteInt32 || type == kTfLiteInt64;
    if (!right) {
        return lite_fail(context, "%s: bias of type %s does not go with input of type %s", op,
                         TfLiteTypeGetName(type), TfLiteTypeGetName(input->type));
    }
    if (bias->count != channels) {
        return lite_fail(context,
                         "%s: the bias has %lld elements for %d output channels: NumElements(bias) != "
                         "SizeOfDimension(filter, %d) (%lld != %d)",
                         op, (long long)bias->count, channels, dimension, (long long)bias->count, channels);
    }
    if (input->type != kTfLiteFloat32 && bias->zero_point != 0) {
        return lite_fail(context, "%s: the bias has zero point %d, expected 0", op, bias->zero_point);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_conv_check_axis(TfLiteOpaqueContext* context, const char* op, TfLitePadding padding,
                                  int32_t in, int32_t filter, int32_t stride, int32_t dilation) {
    if (padding != kTfLitePaddingSame && padding != kTfLitePaddingValid) {
        return lite_fail(context, "%s: padding %d is neither SAME nor VALID", op, (int)padding);
    }
    if (filter < 1) return lite_fail(context, "%s: the filter has %d rows or columns", op, filter);
    const int64_t effective = ((int64_t)filter - 1) * dilation + 1;
    if (padding == kTfLitePaddingSame || ((int64_t)in + stride - effective) / stride >= 0) return kTfLiteOk;
    return lite_fail(context, "%s: a filter %lld wide with its dilation does not fit into %d", op,
                     (long long)effective, in);
}

TfLiteStatus lite_check_bias_type(TfLiteOpaqueContext* context, const char* op, const LiteView* bias,
                                  TfLiteType quantized_bias_type, TfLiteType* accumulator) {
    const bool given = quantized_bias_type == kTfLiteInt32 || quantized_bias_type == kTfLiteInt64;
    *accumulator = bias != NULL ? bias->type : given ? quantized_bias_type : kTfLiteInt64;
    if (bias != NULL && given && bias->type != quantized_bias_type) {
        return lite_fail(context, "%s: the bias is %s, the parameters say %s", op,
                         TfLiteTypeGetName(bias->type), TfLiteTypeGetName(quantized_bias_type));
    }
    if (!given && quantized_bias_type != kTfLiteFloat32 && quantized_bias_type != kTfLiteNoType) {
        return lite_fail(context, "%s: quantized bias type %s is not supported", op,
                         TfLiteTypeGetName(quantized_bias_type));
    }
    return kTfLiteOk;
}
