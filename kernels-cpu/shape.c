// SPDX-License-Identifier: Apache-2.0
// SHAPE and RANK tell what is known of a tensor without its contents.
#include <string.h>

#include "kernels-cpu/support/size.h"

static TfLiteStatus shape_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "SHAPE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "SHAPE", 0, &output));
    if (output.count != input.shape.rank)
        return lite_fail(context, "SHAPE: the rank of the input has changed");
    for (int i = 0; i < input.shape.rank; i++) {
        if (output.type == kTfLiteInt64) {
            ((int64_t*)output.data)[i] = input.shape.dims[i];
        } else {
            ((int32_t*)output.data)[i] = input.shape.dims[i];
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus shape_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteShapeParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "SHAPE: no parameters");
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "SHAPE", 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, "SHAPE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "SHAPE", 0, &output));
    LITE_TRY(lite_check_types(context, "SHAPE", "output", &output, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_type(context, "SHAPE", "output", &output, params->out_type));
    const LiteShape shape = {.rank = 1, .dims = {input.shape.rank}};
    return lite_kernel_resize(context, output.tensor, &shape);
}

const LiteKernel lite_kernel_SHAPE = {
    .prepare = shape_prepare, .invoke = shape_invoke, .fold = kLiteFoldShapes};

static TfLiteStatus rank_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "RANK", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "RANK", 0, &output));
    *(int32_t*)output.data = input.shape.rank;
    return kTfLiteOk;
}

static TfLiteStatus rank_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "RANK", 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, "RANK", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "RANK", 0, &output));
    LITE_TRY(lite_check_types(context, "RANK", "output", &output, LITE_TYPE(Int32)));
    return lite_kernel_resize(context, output.tensor, &(LiteShape){.rank = 0});
}

const LiteKernel lite_kernel_RANK = {.prepare = rank_prepare, .invoke = rank_invoke, .fold = kLiteFoldShapes};
