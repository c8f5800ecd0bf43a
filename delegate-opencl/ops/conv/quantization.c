// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/quantization.h"

#include <math.h>
#include <string.h>

#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/hybrid.h"

static bool has_scale(const LiteClTensor* tensor, LiteClReason* reason) {
    return (tensor->scale > 0.0f && isfinite(tensor->scale)) ||
           lite_cl_refuse(reason, "a tensor has no scale");
}

float lite_cl_channel_scale(const LiteClTensor* weights, int channel) {
    const TfLiteFloatArray* scales = weights->affine->scale;
    return scales->data[scales->size == 1 ? 0 : channel];
}

static bool check_weights(const LiteClTensor* weights, int channels, bool is_uint8, LiteClReason* reason) {
    const TfLiteAffineQuantization* affine = weights->affine;
    if (affine == NULL || affine->scale == NULL || affine->scale->size < 1)
        return lite_cl_refuse(reason, "the weights have no scale");
    const int count = affine->scale->size;
    for (int i = 0; i < count; i++) {
        if (!(affine->scale->data[i] >= 0.0f) || !isfinite(affine->scale->data[i]))
            return lite_cl_refuse(reason, "scale %d of the weights", i);
    }
    const int axis = affine->quantized_dimension;
    if (count > 1 && (is_uint8 || count != channels || axis < 0 || axis >= weights->shape.rank ||
                      weights->shape.dims[axis] != channels)) {
        return lite_cl_refuse(reason, "%d scales of the weights for %d channels", count, channels);
    }
    for (int i = 0; !is_uint8 && affine->zero_point != NULL && i < affine->zero_point->size; i++) {
        if (affine->zero_point->data[i] != 0) return lite_cl_refuse(reason, "weights with a zero point");
    }
    return true;
}

bool lite_cl_check_weight_type(const LiteClNode* node, int input, unsigned hybrid, unsigned narrow,
                               LiteClReason* reason) {
    const LiteClTensor* weights = node->inputs[1];
    const TfLiteType type = node->inputs[input]->type;
    unsigned types = 1u << type;
    if (type == kTfLiteFloat32) types |= hybrid;
    if (type == kTfLiteInt8 || type == kTfLiteInt16) types = narrow;
    if ((types >> weights->type & 1u) == 0)
        return lite_cl_refuse(reason, "weights of type %s", TfLiteTypeGetName(weights->type));
    return weights->data != NULL || (!lite_cl_is_packed(weights) && !node->as_float16) ||
           lite_cl_refuse(reason, "the weights are not constant");
}

bool lite_cl_check_conv_quantization(const LiteClTensor* input, const LiteClTensor* weights,
                                     const LiteClTensor* bias, const LiteClTensor* output, int channels,
                                     LiteClReason* reason) {
    const bool is_uint8 = input->type == kTfLiteUInt8;
    if (!lite_cl_is_quantized(input->type)) return lite_cl_hybrid_check(input, weights, channels, reason);
    if (!has_scale(input, reason) || !has_scale(output, reason) ||
        !check_weights(weights, channels, is_uint8, reason) || !lite_cl_check_symmetric(input, reason) ||
        !lite_cl_check_symmetric(output, reason)) {
        return false;
    }
    if (bias == NULL) return true;
    if (bias->type != kTfLiteInt32 && !(input->type == kTfLiteInt16 && bias->type == kTfLiteInt64))
        return lite_cl_refuse(reason, "bias of type %s", TfLiteTypeGetName(bias->type));
    if (weights->affine->scale->size > 1 && !is_uint8) return true;
    const double product = (double)input->scale * (double)weights->scale;
    return fabs(product - (double)bias->scale) / (double)output->scale <= 0.02 ||
           lite_cl_refuse(reason, "the bias has not the scale of the products");
}

static bool has_no_sign(const LiteClTensor* tensor) {
    return tensor->type == kTfLiteUInt8;
}

int32_t lite_cl_weight(const LiteClQuantization* q, size_t i) {
    const uint8_t* data = q->weights->data;
    // Several in a byte, the lowest bits first.
    if (q->weights->type == kTfLiteInt4) return (((data[i / 2] >> (i % 2 * 4)) & 15) ^ 8) - 8;
    if (q->weights->type == kTfLiteInt2) return (((data[i / 4] >> (i % 4 * 2)) & 3) ^ 2) - 2;
    return has_no_sign(q->weights) ? data[i] - q->weights->zero_point : (int8_t)data[i];
}

int32_t lite_cl_folded_bias(const LiteClQuantization* q, size_t channel, uint32_t weight_sum) {
    int32_t bias = 0;
    if (q->bias != NULL) memcpy(&bias, (const char*)q->bias->data + channel * sizeof bias, sizeof bias);
    return (int32_t)((uint32_t)bias - (uint32_t)q->input->zero_point * weight_sum);
}

LiteMultiplier lite_cl_channel_multiplier(const LiteClQuantization* q, size_t channel) {
    const double product =
        q->coarse || has_no_sign(q->input)
            ? (double)(q->input->scale * q->weights->scale)
            : (double)q->input->scale * (double)lite_cl_channel_scale(q->weights, (int)channel);
    return lite_quantize_multiplier(product / (double)q->output->scale);
}

double lite_cl_channel_factor(const LiteClQuantization* q, size_t channel) {
    return (double)q->input->scale * (double)lite_cl_channel_scale(q->weights, (int)channel) /
           (double)q->output->scale;
}

void lite_cl_define_factors(LiteClPrelude* prelude, const LiteClDevice* device) {
    lite_cl_define(prelude, "DOUBLE_FACTORS");
    if (!device->doubles) lite_cl_define(prelude, "FACTOR_BITS");
}

static void pack_factors(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    for (int c = 0; c < q->channels; c++) ((double*)(void*)packed)[c] = lite_cl_channel_factor(q, (size_t)c);
}

static void pack_multipliers(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    for (int c = 0; c < q->channels; c++)
        ((int32_t*)(void*)packed)[c] = lite_cl_channel_multiplier(q, (size_t)c).value;
}

static void pack_shifts(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    for (int c = 0; c < q->channels; c++)
        ((int32_t*)(void*)packed)[c] = lite_cl_channel_multiplier(q, (size_t)c).shift;
}

void lite_cl_add_scaling(LiteClPlan* plan, const LiteClNode* node, const LiteClQuantization* q,
                         LiteClLaunch* launch) {
    const size_t bytes = (size_t)q->channels * sizeof(int32_t);
    int* buffers = launch->buffers + launch->buffer_count;
    if (q->once) {
        buffers[0] = lite_cl_plan_constant(
            plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleFactors}, 2 * bytes, pack_factors, q);
        launch->buffer_count++;
        return;
    }
    buffers[0] = lite_cl_plan_constant(
        plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleMultipliers}, bytes, pack_multipliers, q);
    buffers[1] = lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleShifts},
                                       bytes, pack_shifts, q);
    launch->buffer_count += 2;
}

typedef struct Zeros {
    int value;
    size_t bytes;
} Zeros;

static void pack_zeros(const void* state, float* packed) {
    const Zeros* zeros = state;
    memset(packed, zeros->value, zeros->bytes);
}

int lite_cl_zeros(LiteClPlan* plan, const LiteClTensor* input, size_t count) {
    const Zeros zeros = {lite_cl_is_byte(input->type) ? (uint8_t)input->zero_point : 0,
                         count * lite_type_size(input->type)};
    return lite_cl_plan_constant(plan, (LiteClConstantKey){.role = kLiteClRoleZeros, .layout = zeros.value},
                                 zeros.bytes, pack_zeros, &zeros);
}
