// SPDX-License-Identifier: Apache-2.0
// DENSIFY makes a sparse constant dense. The graph folds it, so operators that read the output can pack it as
// weights.
#include "kernels-cpu/support/size.h"
#include "kernels-cpu/support/sparse.h"

static const uint32_t densify_types = LITE_TYPE(Float32) | LITE_TYPE(Float16) | LITE_TYPE(Int8);

static TfLiteStatus densify_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_sparse_input(context, node, "DENSIFY", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "DENSIFY", 0, &output));
    return lite_sparse_view_expand(context, "DENSIFY", &input, output.data);
}

static TfLiteStatus densify_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "DENSIFY", 1, 1, 1));
    LITE_TRY(lite_kernel_sparse_input(context, node, "DENSIFY", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "DENSIFY", 0, &output));
    LITE_TRY(lite_check_types(context, "DENSIFY", "input", &input, densify_types));
    LITE_TRY(lite_check_same_type(context, "DENSIFY", &input, &output));
    if (!input.constant || lite_kernel_sparsity(&input) == NULL) {
        return lite_fail(context, "DENSIFY: the input is not a sparse constant");
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

const LiteKernel lite_kernel_DENSIFY = {
    .prepare = densify_prepare, .invoke = densify_invoke, .fold = kLiteFoldConstants};
