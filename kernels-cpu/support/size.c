// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/size.h"

TfLiteStatus lite_size_append(TfLiteOpaqueContext* context, const char* op, LiteShape* shape,
                              int64_t length) {
    if (shape->rank >= LITE_MAX_RANK) {
        return lite_fail(context, "%s: the output has more than %d dimensions", op, LITE_MAX_RANK);
    }
    if (length < 0 || length > INT32_MAX) {
        return lite_fail(context, "%s: dimension %d of the output would be %lld", op, shape->rank,
                         (long long)length);
    }
    shape->dims[shape->rank++] = (int32_t)length;
    return kTfLiteOk;
}

TfLiteStatus lite_size_product(TfLiteOpaqueContext* context, const char* op, const LiteShape* shape,
                               int first, int end, int64_t* product) {
    *product = 1;
    for (int i = first; i < end; i++) {
        *product *= shape->dims[i];
        if (*product <= INT32_MAX) continue;
        return lite_fail(context, "%s: dimensions %d to %d of %s multiply to more than 32 bits", op, first,
                         end - 1, lite_shape_text(shape).text);
    }
    return kTfLiteOk;
}

static TfLiteStatus apply_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteShapeRule rule, LiteShape* shape) {
    int64_t count;
    *shape = (LiteShape){0};
    LITE_TRY(rule(context, node, shape));
    if (lite_shape_count(shape->dims, shape->rank, &count)) return kTfLiteOk;
    return lite_fail(context, "%s: the output would be too large", op);
}

TfLiteStatus lite_size_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                              uint32_t contents, LiteShapeRule rule) {
    LiteView output;
    LiteShape shape;
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    bool sized = output.type != kTfLiteString;
    for (int i = 0; i < 32 && contents >> i != 0; i++) {
        if ((contents >> i & 1u) == 0) continue;
        LiteView input;
        LITE_TRY(lite_kernel_input(context, node, op, i, &input));
        sized = sized && input.constant;
    }
    if (!sized) {
        lite_kernel_set_dynamic(output.tensor);
        return kTfLiteOk;
    }
    LITE_TRY(apply_rule(context, node, op, rule, &shape));
    return lite_kernel_resize(context, output.tensor, &shape);
}

TfLiteStatus lite_size_output_view(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   LiteShapeRule rule, LiteView* output) {
    LiteShape shape;
    LITE_TRY(lite_kernel_output(context, node, op, 0, output));
    if (!output->dynamic) return kTfLiteOk;
    LITE_TRY(apply_rule(context, node, op, rule, &shape));
    LITE_TRY(lite_kernel_resize(context, output->tensor, &shape));
    return lite_kernel_output(context, node, op, 0, output);
}
