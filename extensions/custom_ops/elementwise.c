// SPDX-License-Identifier: Apache-2.0
// Sign and Atan2 of FLOAT32 and FLOAT64. The sign of NaN is 0, other than that of the builtin operator SIGN.
#include <math.h>

#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"

static const char sign_op[] = "Sign";
static const char atan2_op[] = "Atan2";

static const uint32_t reals = 1u << kTfLiteFloat32 | 1u << kTfLiteFloat64;

static TfLiteStatus sign_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView input, output;
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, sign_op, 1, 1, 1));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, sign_op, 0, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, sign_op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, sign_op, "input", &input, reals));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, sign_op, "output", &output, 1u << input.type));
    return lite_custom_resize_like(context, sign_op, &output, &input);
}

static TfLiteStatus sign_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView input, output;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, sign_op, 0, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, sign_op, 0, &output));
    for (int64_t i = 0; i < output.count; i++) {
        if (output.type == kTfLiteFloat64) {
            const double x = ((const double*)input.data)[i];
            ((double*)output.data)[i] = (x > 0.0) - (x < 0.0);
        } else {
            const float x = ((const float*)input.data)[i];
            ((float*)output.data)[i] = (float)((x > 0.0f) - (x < 0.0f));
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus atan2_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView y, x, output;
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, atan2_op, 2, 2, 1));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, atan2_op, 0, &y));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, atan2_op, 1, &x));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, atan2_op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, atan2_op, "y", &y, reals));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, atan2_op, "x", &x, 1u << y.type));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, atan2_op, "output", &output, 1u << y.type));
    LITE_EXTENSION_TRY(lite_custom_check_same_shape(context, atan2_op, "y", &y, "x", &x));
    return lite_custom_resize_like(context, atan2_op, &output, &y);
}

static TfLiteStatus atan2_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView y, x, output;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, atan2_op, 0, &y));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, atan2_op, 1, &x));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, atan2_op, 0, &output));
    for (int64_t i = 0; i < output.count; i++) {
        if (output.type == kTfLiteFloat64) {
            ((double*)output.data)[i] = atan2(((const double*)y.data)[i], ((const double*)x.data)[i]);
        } else {
            ((float*)output.data)[i] = atan2f(((const float*)y.data)[i], ((const float*)x.data)[i]);
        }
    }
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_sign = {
    .name = sign_op, .prepare = sign_prepare, .invoke = sign_invoke};
const LiteExtensionOperator lite_custom_atan2 = {
    .name = atan2_op, .prepare = atan2_prepare, .invoke = atan2_invoke};
const LiteExtensionOperator lite_custom_atan2_too = {
    .name = "atan2", .prepare = atan2_prepare, .invoke = atan2_invoke};
