// SPDX-License-Identifier: Apache-2.0
// QUANTIZE, also from one quantized type to another, and DEQUANTIZE.
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/convert.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/cast.h"

// Scales of their own for each channel of a tensor; NULL when it has one, or none.
static const TfLiteAffineQuantization* channels_of(const LiteClTensor* tensor) {
    const TfLiteAffineQuantization* affine = tensor->affine;
    return affine != NULL && affine->scale != NULL && affine->scale->size > 1 ? affine : NULL;
}

static bool check_channels(const LiteClTensor* tensor, const LiteShape* shape, LiteClReason* reason) {
    const TfLiteAffineQuantization* affine = channels_of(tensor);
    if (affine == NULL) return true;
    const int axis = affine->quantized_dimension;
    if (axis < 0 || axis >= shape->rank || shape->dims[axis] != affine->scale->size)
        return lite_cl_refuse(reason, "%d scales do not fit dimension %d", affine->scale->size, axis);
    const TfLiteIntArray* zeros = affine->zero_point;
    return (zeros != NULL && (zeros->size == 1 || zeros->size == affine->scale->size)) ||
           lite_cl_refuse(reason, "%d scales and %d zero points", affine->scale->size,
                          zeros != NULL ? zeros->size : 0);
}

static bool quantize_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    static const struct {
        TfLiteType from;
        unsigned to;
    } pairs[] = {
        {kTfLiteFloat32, LITE_TYPES_BYTE | LITE_TYPE(Int16)},
        {kTfLiteInt8, LITE_TYPES_BYTE | LITE_TYPE(Int16)},
        {kTfLiteUInt8, LITE_TYPES_BYTE | LITE_TYPE(Int16)},
        {kTfLiteInt16, LITE_TYPE(Int8) | LITE_TYPE(Int16) | LITE_TYPE(Int32)},
        {kTfLiteInt32, LITE_TYPE(Int8) | LITE_TYPE(Int16)},
    };
    bool known = false;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        known = known || (pairs[i].from == in->type && (pairs[i].to >> out->type & 1u) != 0);
    if (!known) {
        return lite_cl_refuse(reason, "no kernel from %s to %s", TfLiteTypeGetName(in->type),
                              TfLiteTypeGetName(out->type));
    }
    *output = in->shape;
    if (out->affine == NULL) return lite_cl_refuse(reason, "the output has no quantization");
    if (channels_of(out) != NULL) {
        if (in->type == kTfLiteFloat32) return check_channels(out, output, reason);
        return lite_cl_refuse(reason, "no kernel from %s to scales for each channel",
                              TfLiteTypeGetName(in->type));
    }
    if (!lite_cl_check_quantized(out, reason)) return false;
    if (in->type == kTfLiteInt16 && out->type == kTfLiteInt16)
        return lite_cl_check_symmetric(in, reason) && lite_cl_check_symmetric(out, reason);
    return in->type == kTfLiteFloat32 || lite_cl_check_quantized(in, reason);
}

static TfLiteStatus quantize_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    LiteClCastArgs args = {.scale = out->scale, .zero = out->zero_point, .input_zero = in->zero_point};
    lite_type_limits(out->type, &args.low, &args.high);
    if (in->type == kTfLiteFloat32)
        return lite_cl_convert(plan, node, "QUANTIZED_REAL", channels_of(out), &args);
    const LiteMultiplier m = lite_quantize_multiplier((double)in->scale / (double)out->scale);
    args.multiplier = lite_cl_multiplier(m);
    return lite_cl_convert(plan, node, "REQUANTIZED", NULL, &args);
}

const LiteClOp lite_cl_op_QUANTIZE = {.min_inputs = 1,
                                      .max_inputs = 1,
                                      .outputs = ".",
                                      .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int16) |
                                               LITE_TYPE(Int32),
                                      .infer = quantize_infer,
                                      .lower = quantize_lower};

static bool dequantize_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor* in = node->inputs[0];
    *output = in->shape;
    if (in->type == kTfLiteInt16 && channels_of(in) != NULL)
        return lite_cl_refuse(reason, "INT16 with scales for each channel");
    if (in->type == kTfLiteInt16 && in->zero_point != 0)
        return lite_cl_refuse(reason, "INT16 with zero point %d", in->zero_point);
    return check_channels(in, output, reason);
}

static TfLiteStatus dequantize_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* in = node->inputs[0];
    LiteClCastArgs args = {.scale = in->scale, .input_zero = in->zero_point};
    return lite_cl_convert(plan, node, in->type == kTfLiteFloat16 ? "PLAIN" : "DEQUANTIZED", channels_of(in),
                           &args);
}

const LiteClOp lite_cl_op_DEQUANTIZE = {.min_inputs = 1,
                                        .max_inputs = 1,
                                        .outputs = "f",
                                        .types = LITE_TYPES_BYTE | LITE_TYPE(Int16) | LITE_TYPE(Float16) |
                                                 LITE_TYPE(Int4) | LITE_TYPE(UInt4) | LITE_TYPE(Int2),
                                        .infer = dequantize_infer,
                                        .lower = dequantize_lower};
