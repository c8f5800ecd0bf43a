// SPDX-License-Identifier: Apache-2.0
// ARG_MAX, ARG_MIN: where the largest or smallest element along an axis is; the first one among equals.
#include "kernels-cpu/sizing.h"
#include "kernels-cpu/types.h"

// Searches `count` elements `stride` apart.
typedef int64_t (*Search)(const void* data, int64_t count, int64_t stride);

#define GREATER(A, B) ((A) > (B))
#define LESS(A, B) ((A) < (B))
#define DEFINE_SEARCH(NAME, SUFFIX, BETTER)                                                                  \
    static int64_t NAME##_##SUFFIX(const void* data, int64_t count, int64_t stride) {                        \
        const stored_##SUFFIX* x = data;                                                                     \
        int64_t best = 0;                                                                                    \
        for (int64_t i = 1; i < count; i++) {                                                                \
            if (BETTER(load_##SUFFIX(x[i * stride]), load_##SUFFIX(x[best * stride]))) best = i;             \
        }                                                                                                    \
        return best;                                                                                         \
    }
#define DEFINE_BOTH(SUFFIX)                                                                                  \
    DEFINE_SEARCH(greatest, SUFFIX, GREATER)                                                                 \
    DEFINE_SEARCH(least, SUFFIX, LESS)

DEFINE_BOTH(f32)
DEFINE_BOTH(i8)
DEFINE_BOTH(u8)
DEFINE_BOTH(i32)
DEFINE_BOTH(b8)

static Search find_search(TfLiteType type, bool maximum) {
#define CASE(SUFFIX)                                                                                         \
    case type_##SUFFIX:                                                                                      \
        return maximum ? greatest_##SUFFIX : least_##SUFFIX;
    switch ((int)type) {
        CASE(f32)
        CASE(i8)
        CASE(u8)
        CASE(i32)
        CASE(b8)
    default:
        return NULL;
    }
}

static TfLiteStatus find_axis(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int rank,
                              int* axis) {
    LiteView view;
    int64_t value;
    LITE_TRY(lite_input(context, node, op, 1, &view));
    LITE_TRY(lite_read_int(context, op, "axis", &view, &value));
    return lite_resolve_axis(context, op, value, rank, axis);
}

static TfLiteStatus arg_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                              LiteShape* shape) {
    LiteView input;
    int axis;
    LITE_TRY(lite_input(context, node, op, 0, &input));
    LITE_TRY(find_axis(context, node, op, input.shape.rank, &axis));
    for (int i = 0; i < input.shape.rank; i++) {
        if (i != axis) LITE_TRY(lite_append_dim(context, op, shape, input.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_arg(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                LiteShapeRule rule) {
    LiteView input, axis, output;
    LITE_TRY(lite_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(lite_input(context, node, op, 0, &input));
    LITE_TRY(lite_input(context, node, op, 1, &axis));
    LITE_TRY(lite_output(context, node, op, 0, &output));
    if (find_search(input.type, true) == NULL) {
        return lite_fail(context, "%s: input of type %s is not supported", op, TfLiteTypeGetName(input.type));
    }
    LITE_TRY(lite_check_types(context, op, "output", &output, LITE_TYPE_BIT(Int32) | LITE_TYPE_BIT(Int64)));
    if (axis.count != 1) return lite_fail(context, "%s: %lld axes, expected 1", op, (long long)axis.count);
    return lite_size_output(context, node, op, 1u << 1, rule, NULL);
}

static TfLiteStatus invoke_arg(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               bool maximum, LiteShapeRule rule) {
    LiteView input, output;
    int axis;
    LITE_TRY(lite_input(context, node, op, 0, &input));
    LITE_TRY(lite_sized_output(context, node, op, rule, &output));
    LITE_TRY(find_axis(context, node, op, input.shape.rank, &axis));
    if (output.count == 0) return kTfLiteOk;
    const int64_t count = input.shape.dims[axis];
    if (count == 0) return lite_fail(context, "%s: axis %d is empty", op, axis);
    int64_t inner = 1;
    for (int i = axis + 1; i < input.shape.rank; i++) inner *= input.shape.dims[i];
    const Search search = find_search(input.type, maximum);
    const int64_t size = (int64_t)lite_type_size(input.type);
    for (int64_t i = 0; i < output.count; i++) {
        const int64_t first = i / inner * inner * count + i % inner;
        const int64_t found = search((const char*)input.data + first * size, count, inner);
        if (output.type == kTfLiteInt64) {
            ((int64_t*)output.data)[i] = found;
        } else {
            ((int32_t*)output.data)[i] = (int32_t)found;
        }
    }
    return kTfLiteOk;
}

#define DEFINE_ARG(NAME, MAXIMUM)                                                                            \
    static TfLiteStatus rule_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                    \
                                    LiteShape* shape) {                                                      \
        return arg_shape(context, node, #NAME, shape);                                                       \
    }                                                                                                        \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return prepare_arg(context, node, #NAME, rule_##NAME);                                               \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return invoke_arg(context, node, #NAME, MAXIMUM, rule_##NAME);                                       \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};

DEFINE_ARG(ARG_MAX, true)
DEFINE_ARG(ARG_MIN, false)
