// SPDX-License-Identifier: Apache-2.0
// WHERE: the coordinates of the elements that are not 0, as rows of int64.
#include "kernels-cpu/elementwise.h"
#include "kernels-cpu/types.h"

static bool supported(TfLiteType type) {
    return type == kTfLiteBool || type == kTfLiteFloat32 || type == kTfLiteInt8 || type == kTfLiteUInt8 ||
           type == kTfLiteInt32 || type == kTfLiteUInt32 || type == kTfLiteInt64;
}

static bool is_set(const LiteView* view, int64_t index) {
    switch ((int)view->type) {
#define CASE(SUFFIX, CODE, STORED, VALUE, LOW, HIGH)                                                         \
    case CODE:                                                                                               \
        return ((const STORED*)view->data)[index] != 0;
        LITE_INTEGER_TYPES(CASE)
        CASE(f32, kTfLiteFloat32, float, float, , )
    default:
        return false;
    }
}

static int64_t count_set(const LiteView* view) {
    int64_t count = 0;
    for (int64_t i = 0; i < view->count; i++) count += is_set(view, i);
    return count;
}

static TfLiteStatus resize_output(TfLiteOpaqueContext* context, const LiteView* input,
                                  const LiteView* output) {
    const int64_t count = count_set(input);
    if (count > INT32_MAX) return lite_fail(context, "WHERE: too many elements");
    const LiteShape shape = {2, {(int32_t)count, input->shape.rank}};
    return lite_resize(context, output->tensor, &shape);
}

static TfLiteStatus where_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_check_counts(context, node, "WHERE", 1, 1, 1));
    LITE_TRY(lite_views(context, node, "WHERE", &input, 1, &output));
    LITE_TRY(lite_check_type(context, "WHERE", "output", &output, kTfLiteInt64));
    if (!supported(input.type)) return lite_fail_type(context, "WHERE", input.type);
    if (input.shape.rank < 1) return lite_fail(context, "WHERE: the input is a scalar");
    if (input.constant) return resize_output(context, &input, &output);
    lite_set_dynamic(output.tensor);
    return kTfLiteOk;
}

static TfLiteStatus where_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_views(context, node, "WHERE", &input, 1, &output));
    if (output.dynamic) {
        LITE_TRY(resize_output(context, &input, &output));
        LITE_TRY(lite_output(context, node, "WHERE", 0, &output));
    }
    const int rank = input.shape.rank;
    int64_t* coordinates = output.data;
    for (int64_t i = 0; i < input.count && output.count != 0; i++) {
        if (!is_set(&input, i)) continue;
        int64_t rest = i;
        for (int d = rank - 1; d >= 0; d--) {
            coordinates[d] = rest % input.shape.dims[d];
            rest /= input.shape.dims[d];
        }
        coordinates += rank;
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_WHERE = {.prepare = where_prepare, .invoke = where_invoke};
