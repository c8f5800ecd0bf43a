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

enum { kFoldedElements = 64 }; // more than this is hardly a shape

bool lite_size_inputs_constant(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfInputs(node); i++) {
        LiteView input;
        if (!lite_kernel_has_input(node, i)) continue;
        if (lite_kernel_input(context, node, "", i, &input) != kTfLiteOk || !input.constant) return false;
    }
    return true;
}

// May the tensor become a constant? Not when it has memory of another kind already.
static bool can_fold(const LiteView* output, const LiteShape* shape) {
    int64_t count;
    const TfLiteAllocationType allocation = TfLiteOpaqueTensorGetAllocationType(output->tensor);
    return (output->type == kTfLiteInt32 || output->type == kTfLiteInt64) &&
           lite_shape_count(shape->dims, shape->rank, &count) && count <= kFoldedElements &&
           (allocation == kTfLitePersistentRo || (allocation == kTfLiteArenaRw && output->data == NULL));
}

TfLiteStatus lite_size_constant(TfLiteOpaqueContext* context, TfLiteOpaqueTensor* tensor,
                                const LiteShape* shape) {
    // The opaque API has no call for it; the opaque types are the public structs.
    ((TfLiteTensor*)(void*)tensor)->allocation_type = kTfLitePersistentRo;
    return lite_kernel_resize(context, tensor, shape);
}

TfLiteStatus lite_size_known(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             const LiteShape* shape, bool known, LiteInvoke invoke) {
    LiteView output;
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (!known || !can_fold(&output, shape)) return lite_kernel_resize(context, output.tensor, shape);
    LITE_TRY(lite_size_constant(context, output.tensor, shape));
    return invoke(context, node);
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
                              uint32_t contents, LiteShapeRule rule, LiteInvoke invoke) {
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
    return lite_size_known(context, node, op, &shape,
                           invoke != NULL && lite_size_inputs_constant(context, node), invoke);
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
