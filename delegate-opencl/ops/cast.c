// SPDX-License-Identifier: Apache-2.0
// Elements of one type to another: CAST, QUANTIZE, DEQUANTIZE, FAKE_QUANT.
#include <math.h>

#include "delegate-opencl/ops/ops.h"

// Which tensor may have scales for each channel: an operator's variant.
typedef enum Scaled { kNone, kInput, kOutput } Scaled;

// Scales of their own for each channel of a tensor; NULL when it has one, or none.
static const TfLiteAffineQuantization* channels_of(const LiteClTensor* tensor) {
    const TfLiteAffineQuantization* affine = tensor->affine;
    return affine != NULL && affine->scale != NULL && affine->scale->size > 1 ? affine : NULL;
}

static void write_scales(const void* state, float* packed) {
    const TfLiteAffineQuantization* affine = state;
    for (int i = 0; i < affine->scale->size; i++) packed[i] = affine->scale->data[i];
}

static void write_zeros(const void* state, float* packed) {
    const TfLiteAffineQuantization* affine = state;
    int32_t* zeros = (int32_t*)(void*)packed;
    for (int i = 0; i < affine->scale->size; i++)
        zeros[i] = affine->zero_point->data[affine->zero_point->size == 1 ? 0 : i];
}

static void add_channels(LiteClPlan* plan, const LiteClNode* node, const TfLiteAffineQuantization* affine,
                         LiteClCastArgs* args, LiteClLaunch* launch) {
    const LiteClAxis axis = lite_cl_axis(&node->inputs[0]->shape, affine->quantized_dimension);
    const size_t bytes = (size_t)axis.length * sizeof(float);
    args->channels = axis.length;
    args->inner = axis.inner;
    launch->kernel = "cast_channels";
    launch->buffers[launch->buffer_count++] =
        lite_cl_plan_constant(plan, node, 0, bytes, write_scales, affine);
    launch->buffers[launch->buffer_count++] =
        lite_cl_plan_constant(plan, node, 1, bytes, write_zeros, affine);
}

static TfLiteStatus lower_cast(LiteClPlan* plan, const LiteClNode* node, const char* conversion,
                               LiteClCastArgs* args) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    args->count = (int)lite_shape_elements(&in->shape);
    args->chunk = lite_cl_tune(plan->device->class)->chunk;
    const Scaled scaled = (Scaled)node->op->variant;
    const TfLiteAffineQuantization* channels =
        scaled == kNone ? NULL : channels_of(scaled == kInput ? in : out);
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", in->type);
    lite_cl_define_type(&prelude, "OUT_", out->type);
    lite_cl_define(&prelude, "QUANTIZED");
    if (channels != NULL) lite_cl_define(&prelude, "CHANNELS");
    lite_cl_define(&prelude, "CONVERSION(x) %s(x)", conversion);
    LiteClLaunch launch = {
        .family = "cast",
        .kernel = "cast",
        .prelude = prelude.text,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 2,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args->count, args->chunk), 1, 1},
    };
    if (channels != NULL) add_channels(plan, node, channels, args, &launch);
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_cast_storage(LiteClPlan* plan, int64_t count, TfLiteType from_type, int from,
                                  TfLiteType to_type, int to) {
    const LiteClCastArgs args = {.count = (int)count, .chunk = lite_cl_tune(plan->device->class)->chunk};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", from_type);
    lite_cl_define_type(&prelude, "OUT_", to_type);
    lite_cl_define(&prelude, "QUANTIZED");
    lite_cl_define(&prelude, "CONVERSION(x) PLAIN(x)");
    const LiteClLaunch launch = {
        .family = "cast",
        .kernel = "cast",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 2,
        .buffers = {from, to},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static bool is_real(TfLiteType type) {
    return lite_cl_is_float(type) || type == kTfLiteComplex64;
}

#define PACKED_TYPES (LITE_CL_TYPE(Int4) | LITE_CL_TYPE(UInt4) | LITE_CL_TYPE(Int2))
#define CAST_TYPES                                                                                           \
    (LITE_CL_INTS | LITE_CL_FLOATS | LITE_CL_TYPE(Bool) | LITE_CL_TYPE(UInt16) | LITE_CL_TYPE(UInt32) |      \
     LITE_CL_TYPE(BFloat16) | LITE_CL_TYPE(Complex64))

static bool cast_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    const TfLiteType from = node->inputs[0]->type, to = node->outputs[0]->type;
    if ((PACKED_TYPES >> from & 1u) != 0 && to != kTfLiteFloat32)
        return lite_cl_refuse(reason, "no kernel from %s to %s", TfLiteTypeGetName(from),
                              TfLiteTypeGetName(to));
    return (CAST_TYPES >> to & 1u) != 0 ||
           lite_cl_refuse(reason, "no kernel to type %s", TfLiteTypeGetName(to));
}

static TfLiteStatus cast_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteType from = node->inputs[0]->type, to = node->outputs[0]->type;
    LiteClCastArgs args = {0};
    if (from == kTfLiteComplex64 && to == from) { // kernels see the real part of a complex number only
        return lite_cl_cast_storage(plan, lite_shape_elements(&node->inputs[0]->shape), kTfLiteInt64,
                                    lite_cl_plan_tensor(plan, node->inputs[0]), kTfLiteInt64,
                                    lite_cl_plan_tensor(plan, node->outputs[0]));
    }
    return lower_cast(plan, node,
                      to == kTfLiteBool               ? "TRUTH"
                      : is_real(from) && !is_real(to) ? "SATURATED"
                                                      : "PLAIN",
                      &args);
}

const LiteClOp lite_cl_op_CAST = {.min_inputs = 1,
                                  .max_inputs = 1,
                                  .outputs = ".",
                                  .types = CAST_TYPES | PACKED_TYPES,
                                  .infer = cast_infer,
                                  .lower = cast_lower};

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
        {kTfLiteFloat32, LITE_CL_BYTES | LITE_CL_TYPE(Int16)},
        {kTfLiteInt8, LITE_CL_BYTES | LITE_CL_TYPE(Int16)},
        {kTfLiteUInt8, LITE_CL_BYTES | LITE_CL_TYPE(Int16)},
        {kTfLiteInt16, LITE_CL_TYPE(Int8) | LITE_CL_TYPE(Int16) | LITE_CL_TYPE(Int32)},
        {kTfLiteInt32, LITE_CL_TYPE(Int8) | LITE_CL_TYPE(Int16)},
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
    if (in->type == kTfLiteFloat32) return lower_cast(plan, node, "QUANTIZED_REAL", &args);
    const LiteMultiplier m = lite_quantize_multiplier((double)in->scale / (double)out->scale);
    args.multiplier = lite_cl_multiplier(m);
    return lower_cast(plan, node, "REQUANTIZED", &args);
}

const LiteClOp lite_cl_op_QUANTIZE = {.min_inputs = 1,
                                      .max_inputs = 1,
                                      .outputs = ".",
                                      .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES | LITE_CL_TYPE(Int16) |
                                               LITE_CL_TYPE(Int32),
                                      .variant = kOutput,
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
    return lower_cast(plan, node, in->type == kTfLiteFloat16 ? "PLAIN" : "DEQUANTIZED", &args);
}

const LiteClOp lite_cl_op_DEQUANTIZE = {.min_inputs = 1,
                                        .max_inputs = 1,
                                        .outputs = "f",
                                        .types = LITE_CL_BYTES | LITE_CL_TYPE(Int16) | LITE_CL_TYPE(Float16) |
                                                 PACKED_TYPES,
                                        .variant = kInput,
                                        .infer = dequantize_infer,
                                        .lower = dequantize_lower};

// The range, moved so that 0 is one of its steps.
static bool fake_quant_range(const LiteClNode* node, LiteClCastArgs* args, LiteClReason* reason) {
    const TfLiteFakeQuantParams* params = node->params;
    if (params->num_bits < 2 || params->num_bits > 16)
        return lite_cl_refuse(reason, "%d bits", params->num_bits);
    if (params->narrow_range) return lite_cl_refuse(reason, "a narrow range");
    if (!(params->max > params->min) || !isfinite(params->max - params->min))
        return lite_cl_refuse(reason, "range from %g to %g", (double)params->min, (double)params->max);
    const float last = (float)((1 << params->num_bits) - 1);
    args->scale = (params->max - params->min) / last;
    const float exact_zero = 0.0f - params->min / args->scale;
    const float zero = exact_zero < 0.0f ? 0.0f : exact_zero > last ? last : roundf(exact_zero);
    args->real_low = (0.0f - zero) * args->scale;
    args->real_high = (last - zero) * args->scale;
    args->inverse_scale = 1.0f / args->scale;
    return true;
}

static bool fake_quant_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClCastArgs args = {0};
    *output = node->inputs[0]->shape;
    return fake_quant_range(node, &args, reason);
}

static TfLiteStatus fake_quant_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClReason reason;
    LiteClCastArgs args = {0};
    (void)fake_quant_range(node, &args, &reason); // infer has agreed to it
    return lower_cast(plan, node, "FAKE_QUANTIZED", &args);
}

const LiteClOp lite_cl_op_FAKE_QUANT = {.params_size = sizeof(TfLiteFakeQuantParams),
                                        .min_inputs = 1,
                                        .max_inputs = 1,
                                        .infer = fake_quant_infer,
                                        .lower = fake_quant_lower};
