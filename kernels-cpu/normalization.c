// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION: the channels of a pixel divided by their length.
// LOCAL_RESPONSE_NORMALIZATION: each channel divided by a power of what its neighbours add up to.
#include <math.h>

#include "kernels-cpu/fixedpoint.h"
#include "kernels-cpu/sizing.h"

static TfLiteStatus l2_norm_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_check_counts(context, node, "L2_NORMALIZATION", 1, 1, 1));
    LITE_TRY(lite_input(context, node, "L2_NORMALIZATION", 0, &input));
    LITE_TRY(lite_output(context, node, "L2_NORMALIZATION", 0, &output));
    LITE_TRY(lite_check_types(context, "L2_NORMALIZATION", "input", &input,
                              LITE_TYPE_BIT(Float32) | LITE_TYPE_BIT(Int8) | LITE_TYPE_BIT(UInt8)));
    LITE_TRY(lite_check_same_type(context, "L2_NORMALIZATION", &input, &output));
    const TfLiteL2NormParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params != NULL && params->activation != kTfLiteActNone) {
        return lite_fail(context, "L2_NORMALIZATION: fused activation %d is not supported",
                         (int)params->activation);
    }
    if (input.shape.rank < 1 || input.shape.rank > 4) {
        return lite_fail(context, "L2_NORMALIZATION: input has %d dimensions, expected 1 to 4",
                         input.shape.rank);
    }
    int32_t low = 0, high = 0;
    lite_type_limits(input.type, &low, &high);
    if (input.zero_point < low || input.zero_point > high) {
        return lite_fail(context, "L2_NORMALIZATION: zero point %d is out of range", input.zero_point);
    }
    const int32_t zero_point = input.type == kTfLiteUInt8 ? 128 : 0;
    if (input.type != kTfLiteFloat32 && (output.scale != 1.0f / 128.0f || output.zero_point != zero_point)) {
        return lite_fail(context, "L2_NORMALIZATION: output scale %g, zero point %d, expected 1/128 and %d",
                         (double)output.scale, output.zero_point, zero_point);
    }
    return lite_resize(context, output.tensor, &input.shape);
}

static void l2_norm_f32(const float* from, float* to, int64_t depth) {
    float sum = 0.0f;
    for (int64_t i = 0; i < depth; i++) sum += from[i] * from[i];
    // The reference's guard against a division by zero.
    const float norm = fmaxf(sqrtf(sum), 1e-6f);
    for (int64_t i = 0; i < depth; i++) to[i] = from[i] / norm;
}

// The output's scale, 1 / 128, is in BEFORE or in AFTER, as the reference rounds either type.
#define DEFINE_L2_NORM(NAME, TYPE, LOW, HIGH, BEFORE, AFTER)                                                 \
    static void NAME(const LiteView* input, const LiteView* output, int64_t first, int64_t depth) {          \
        const TYPE* from = (const TYPE*)input->data + first;                                                 \
        TYPE* to = (TYPE*)output->data + first;                                                              \
        uint32_t sum = 0;                                                                                    \
        for (int64_t i = 0; i < depth; i++) {                                                                \
            const int32_t difference = from[i] - input->zero_point;                                          \
            sum += (uint32_t)(difference * difference);                                                      \
        }                                                                                                    \
        LiteMultiplier m = lite_inverse_sqrt((int32_t)sum);                                                  \
        m.shift += (AFTER);                                                                                  \
        for (int64_t i = 0; i < depth; i++) {                                                                \
            const int32_t difference = from[i] - input->zero_point;                                          \
            const int32_t scaled = lite_multiply(difference * (BEFORE), m);                                  \
            to[i] = (TYPE)lite_clamp_i32(scaled + output->zero_point, LOW, HIGH);                            \
        }                                                                                                    \
    }

DEFINE_L2_NORM(l2_norm_i8, int8_t, INT8_MIN, INT8_MAX, 1, 7)
DEFINE_L2_NORM(l2_norm_u8, uint8_t, 0, UINT8_MAX, 128, 0)

static TfLiteStatus l2_norm_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_input(context, node, "L2_NORMALIZATION", 0, &input));
    LITE_TRY(lite_output(context, node, "L2_NORMALIZATION", 0, &output));
    const int64_t depth = input.shape.dims[input.shape.rank - 1];
    for (int64_t first = 0; first < input.count; first += depth) {
        if (input.type == kTfLiteFloat32) {
            l2_norm_f32((const float*)input.data + first, (float*)output.data + first, depth);
        } else if (input.type == kTfLiteInt8) {
            l2_norm_i8(&input, &output, first, depth);
        } else {
            l2_norm_u8(&input, &output, first, depth);
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_L2_NORMALIZATION = {.prepare = l2_norm_prepare, .invoke = l2_norm_invoke};

static TfLiteStatus lrn_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const char op[] = "LOCAL_RESPONSE_NORMALIZATION";
    LiteView input, output;
    LITE_TRY(lite_check_counts(context, node, op, 1, 1, 1));
    LITE_TRY(lite_input(context, node, op, 0, &input));
    LITE_TRY(lite_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, LITE_TYPE_BIT(Float32)));
    LITE_TRY(lite_check_same_type(context, op, &input, &output));
    if (TfLiteOpaqueNodeGetBuiltinData(node) == NULL) return lite_fail(context, "%s: no parameters", op);
    if (input.shape.rank != 4) {
        return lite_fail(context, "%s: input has %d dimensions, expected 4", op, input.shape.rank);
    }
    return lite_resize(context, output.tensor, &input.shape);
}

static TfLiteStatus lrn_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteLocalResponseNormParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_input(context, node, "LOCAL_RESPONSE_NORMALIZATION", 0, &input));
    LITE_TRY(lite_output(context, node, "LOCAL_RESPONSE_NORMALIZATION", 0, &output));
    const int64_t depth = input.shape.dims[3], radius = params->radius;
    for (int64_t first = 0; first < input.count; first += depth) {
        const float* from = (const float*)input.data + first;
        float* to = (float*)output.data + first;
        for (int64_t c = 0; c < depth; c++) {
            const int64_t begin = c - radius > 0 ? c - radius : 0;
            // The reference leaves out the neighbour at the radius on this side.
            const int64_t end = c + radius < depth ? c + radius : depth;
            float sum = 0.0f;
            for (int64_t i = begin; i < end; i++) sum += from[i] * from[i];
            to[c] = from[c] * powf(params->bias + params->alpha * sum, -params->beta);
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_LOCAL_RESPONSE_NORMALIZATION = {.prepare = lrn_prepare, .invoke = lrn_invoke};
