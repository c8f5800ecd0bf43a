// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/sizing.h"

#include <string.h>

TfLiteStatus lite_set_integer_type(TfLiteOpaqueContext* context, const char* op, LiteView* output,
                                   TfLiteType type) {
    if (type != kTfLiteInt32 && type != kTfLiteInt64) {
        return lite_fail(context, "%s: output of type %s is not supported", op, TfLiteTypeGetName(type));
    }
    LITE_TRY(lite_check_types(context, op, "output", output, LITE_TYPES_FIXED));
    // The opaque tensor is the public one, of which the opaque API sets no type.
    ((TfLiteTensor*)(void*)output->tensor)->type = output->type = type;
    return kTfLiteOk;
}

TfLiteStatus lite_check_types(TfLiteOpaqueContext* context, const char* op, const char* what,
                              const LiteView* view, uint32_t types) {
    if ((unsigned)view->type < 32 && (types >> view->type & 1u) != 0) return kTfLiteOk;
    return lite_fail(context, "%s: %s of type %s is not supported", op, what, TfLiteTypeGetName(view->type));
}

TfLiteStatus lite_check_same_type(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                  const LiteView* b) {
    if (a->type == b->type) return kTfLiteOk;
    return lite_fail(context, "%s: element types %s and %s differ", op, TfLiteTypeGetName(a->type),
                     TfLiteTypeGetName(b->type));
}

TfLiteStatus lite_check_same_elements(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                      const LiteView* output) {
    LITE_TRY(lite_check_same_type(context, op, input, output));
    const bool narrow =
        input->type == kTfLiteInt8 || input->type == kTfLiteUInt8 || input->type == kTfLiteInt16;
    return narrow ? lite_check_same_quantization(context, op, input, output) : kTfLiteOk;
}

TfLiteStatus lite_check_same_quantization(TfLiteOpaqueContext* context, const char* op, const LiteView* a,
                                          const LiteView* b) {
    if (a->scale == b->scale && a->zero_point == b->zero_point) return kTfLiteOk;
    return lite_fail(context, "%s: quantizations differ: scale %g, zero point %d and scale %g, zero point %d",
                     op, (double)a->scale, a->zero_point, (double)b->scale, b->zero_point);
}

// Contents may lie at any address in a model file.
#define READ_AS(TYPE)                                                                                        \
    {                                                                                                        \
        TYPE value;                                                                                          \
        memcpy(&value, (const char*)view->data + index * (int64_t)sizeof value, sizeof value);               \
        return value;                                                                                        \
    }

int64_t lite_int_at(const LiteView* view, int64_t index) {
    switch (view->type) {
    case kTfLiteInt8:
        READ_AS(int8_t)
    case kTfLiteBool:
        return ((const uint8_t*)view->data)[index] != 0;
    case kTfLiteInt16:
        READ_AS(int16_t)
    case kTfLiteInt64:
        READ_AS(int64_t)
    default:
        READ_AS(int32_t)
    }
}

TfLiteStatus lite_read_ints(TfLiteOpaqueContext* context, const char* op, const char* what,
                            const LiteView* view, int capacity, int64_t* values, int* count) {
    LITE_TRY(lite_check_types(context, op, what, view, LITE_TYPE_BIT(Int32) | LITE_TYPE_BIT(Int64)));
    if (view->count > capacity) {
        return lite_fail(context, "%s: %s has %lld elements, at most %d are supported", op, what,
                         (long long)view->count, capacity);
    }
    if (view->count > 0 && view->data == NULL) return lite_fail(context, "%s: %s has no data", op, what);
    *count = (int)view->count;
    for (int i = 0; i < *count; i++) values[i] = lite_int_at(view, i);
    return kTfLiteOk;
}

TfLiteStatus lite_read_int(TfLiteOpaqueContext* context, const char* op, const char* what,
                           const LiteView* view, int64_t* value) {
    if (view->count != 1) {
        return lite_fail(context, "%s: %s has %lld elements, expected 1", op, what, (long long)view->count);
    }
    int count;
    return lite_read_ints(context, op, what, view, 1, value, &count);
}

TfLiteStatus lite_resolve_axis(TfLiteOpaqueContext* context, const char* op, int64_t axis, int rank,
                               int* resolved) {
    if (axis < -rank || axis >= rank) {
        return lite_fail(context, "%s: axis %lld is out of range for %d dimensions", op, (long long)axis,
                         rank);
    }
    *resolved = (int)(axis < 0 ? axis + rank : axis);
    return kTfLiteOk;
}

TfLiteStatus lite_append_dim(TfLiteOpaqueContext* context, const char* op, LiteShape* shape, int64_t length) {
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

bool lite_inputs_constant(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfInputs(node); i++) {
        LiteView input;
        if (!lite_has_input(node, i)) continue;
        if (lite_input(context, node, "", i, &input) != kTfLiteOk || !input.constant) return false;
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
    return lite_resize(context, tensor, shape);
}

TfLiteStatus lite_size_known(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             const LiteShape* shape, bool known, LiteInvoke invoke) {
    LiteView output;
    LITE_TRY(lite_output(context, node, op, 0, &output));
    if (!known || !can_fold(&output, shape)) return lite_resize(context, output.tensor, shape);
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
    LITE_TRY(lite_output(context, node, op, 0, &output));
    bool sized = output.type != kTfLiteString;
    for (int i = 0; i < 32 && contents >> i != 0; i++) {
        if ((contents >> i & 1u) == 0) continue;
        LiteView input;
        LITE_TRY(lite_input(context, node, op, i, &input));
        sized = sized && input.constant;
    }
    if (!sized) {
        lite_set_dynamic(output.tensor);
        return kTfLiteOk;
    }
    LITE_TRY(apply_rule(context, node, op, rule, &shape));
    return lite_size_known(context, node, op, &shape, invoke != NULL && lite_inputs_constant(context, node),
                           invoke);
}

TfLiteStatus lite_sized_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               LiteShapeRule rule, LiteView* output) {
    LiteShape shape;
    LITE_TRY(lite_output(context, node, op, 0, output));
    if (!output->dynamic) return kTfLiteOk;
    LITE_TRY(apply_rule(context, node, op, rule, &shape));
    LITE_TRY(lite_resize(context, output->tensor, &shape));
    return lite_output(context, node, op, 0, output);
}
