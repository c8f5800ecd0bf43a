// SPDX-License-Identifier: Apache-2.0
// Elements of one type to another: CAST, QUANTIZE, DEQUANTIZE, FAKE_QUANT.
#include <math.h>

#include "delegate-opencl/ops/ops.h"

static TfLiteStatus lower_cast(LiteClPlan* plan, const LiteClNode* node, const char* conversion,
                               LiteClCastArgs* args) {
    args->count = (int)lite_shape_elements(&node->inputs[0]->shape);
    args->chunk = lite_cl_tune(plan->device->class)->chunk;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define_type(&prelude, "OUT_", node->outputs[0]->type);
    lite_cl_define(&prelude, "QUANTIZED");
    lite_cl_define(&prelude, "CONVERSION(x) %s(x)", conversion);
    const LiteClLaunch launch = {
        .family = "cast",
        .kernel = "cast",
        .prelude = prelude.text,
        .args = args,
        .args_size = sizeof *args,
        .items = {lite_cl_chunks(args->count, args->chunk), 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

static bool is_real(TfLiteType type) {
    return type == kTfLiteFloat32 || type == kTfLiteFloat16;
}

#define CAST_TYPES                                                                                           \
    (LITE_CL_INTS | LITE_CL_FLOATS | LITE_CL_TYPE(Bool) | LITE_CL_TYPE(UInt16) | LITE_CL_TYPE(UInt32))

static bool cast_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    const TfLiteType to = node->outputs[0]->type;
    return (CAST_TYPES >> to & 1u) != 0 ||
           lite_cl_refuse(reason, "no kernel to type %s", TfLiteTypeGetName(to));
}

static TfLiteStatus cast_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteType from = node->inputs[0]->type, to = node->outputs[0]->type;
    LiteClCastArgs args = {0};
    return lower_cast(plan, node,
                      to == kTfLiteBool               ? "TRUTH"
                      : is_real(from) && !is_real(to) ? "SATURATED"
                                                      : "PLAIN",
                      &args);
}

const LiteClOp lite_cl_op_CAST = {.min_inputs = 1,
                                  .max_inputs = 1,
                                  .outputs = ".",
                                  .types = CAST_TYPES,
                                  .infer = cast_infer,
                                  .lower = cast_lower};

static bool check_per_tensor(const LiteClTensor* tensor, LiteClReason* reason) {
    const TfLiteAffineQuantization* affine = tensor->affine;
    return affine == NULL || affine->scale == NULL || affine->scale->size <= 1 ||
           lite_cl_refuse(reason, "scales for each channel");
}

static bool quantize_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    static const struct {
        TfLiteType from;
        unsigned to;
    } pairs[] = {
        {kTfLiteFloat32, LITE_CL_BYTES | LITE_CL_TYPE(Int16)},
        {kTfLiteInt8, LITE_CL_BYTES | LITE_CL_TYPE(Int16)},
        {kTfLiteUInt8, LITE_CL_BYTES},
        {kTfLiteInt16, LITE_CL_TYPE(Int8) | LITE_CL_TYPE(Int16)},
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
    if (!check_per_tensor(out, reason) || !lite_cl_check_quantized(out, reason)) return false;
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
                                      .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES | LITE_CL_TYPE(Int16),
                                      .infer = quantize_infer,
                                      .lower = quantize_lower};

static bool dequantize_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    return check_per_tensor(node->inputs[0], reason);
}

static TfLiteStatus dequantize_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* in = node->inputs[0];
    LiteClCastArgs args = {.scale = in->scale, .input_zero = in->zero_point};
    return lower_cast(plan, node, in->type == kTfLiteFloat16 ? "PLAIN" : "DEQUANTIZED", &args);
}

const LiteClOp lite_cl_op_DEQUANTIZE = {.min_inputs = 1,
                                        .max_inputs = 1,
                                        .outputs = "f",
                                        .types = LITE_CL_BYTES | LITE_CL_TYPE(Int16) | LITE_CL_TYPE(Float16),
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
