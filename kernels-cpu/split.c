// SPDX-License-Identifier: Apache-2.0
// SPLIT (equal parts) and SPLIT_V (parts of given lengths) along one axis.
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/pieces.h"
#include "kernels-cpu/support/size.h"

// The two operators differ in the order of their inputs and in where the lengths come from.
typedef struct SplitForm {
    const char* op;
    int inputs;
    int value, sizes, axis; // input indices; sizes -1: equal parts
    uint32_t types;
} SplitForm;

static const SplitForm split_form = {
    "SPLIT", 2, 1, -1, 0, LITE_TYPE(Float32) | LITE_TYPE(Float16) | LITE_TYPES_INTEGER,
};
static const SplitForm split_v_form = {
    "SPLIT_V", 3, 0, 1, 2, LITE_TYPE(Float32) | LITE_TYPES_INTEGER,
};

// The length of part `index` along the axis of `length` elements, of `parts` in all.
static TfLiteStatus part_length(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const SplitForm* form,
                                int index, int parts, int64_t length, int64_t* part) {
    if (form->sizes < 0) {
        if (length % parts != 0) {
            return lite_fail(context,
                             "%s: %lld elements cannot be split into %d equal parts: Not an even split",
                             form->op, (long long)length, parts);
        }
        *part = length / parts;
        return kTfLiteOk;
    }
    LiteView sizes;
    LITE_TRY(lite_kernel_input(context, node, form->op, form->sizes, &sizes));
    int64_t known = 0;
    int open = 0;
    for (int i = 0; i < parts; i++) {
        const int64_t size = lite_ints_at(&sizes, i);
        if (size < -1 || size > INT32_MAX) {
            return lite_fail(context, "%s: part %d has %lld elements", form->op, i, (long long)size);
        }
        open += size == -1;
        known += size == -1 ? 0 : size;
    }
    if (open > 1 || known > length || (open == 0 && known != length)) {
        return lite_fail(
            context,
            "%s: the sizes of the parts do not make up %lld elements: The size_splits must sum to the "
            "dimension of value along axis.",
            form->op, (long long)length);
    }
    const int64_t size = lite_ints_at(&sizes, index);
    *part = size == -1 ? length - known : size;
    return kTfLiteOk;
}

static TfLiteStatus resolve_axis_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                       const SplitForm* form, int rank, int* axis) {
    LiteView view;
    int64_t value;
    LITE_TRY(lite_kernel_input(context, node, form->op, form->axis, &view));
    LITE_TRY(lite_ints_read_one(context, form->op, "axis", &view, &value));
    return lite_ints_axis(context, form->op, value, rank, axis);
}

static TfLiteStatus resize_parts(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                 const SplitForm* form) {
    LiteView value, output;
    int axis;
    LITE_TRY(lite_kernel_input(context, node, form->op, form->value, &value));
    LITE_TRY(resolve_axis_input(context, node, form, value.shape.rank, &axis));
    const int parts = TfLiteOpaqueNodeNumberOfOutputs(node);
    for (int i = 0; i < parts; i++) {
        int64_t length = 0;
        LITE_TRY(lite_kernel_output(context, node, form->op, i, &output));
        LITE_TRY(part_length(context, node, form, i, parts, value.shape.dims[axis], &length));
        LiteShape shape = value.shape;
        shape.dims[axis] = (int32_t)length;
        LITE_TRY(lite_kernel_resize(context, output.tensor, &shape));
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_form(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const SplitForm* form,
                                 int parts) {
    LiteView value, axis, sizes, output;
    if (parts < 1) return lite_fail(context, "%s: splits into %d parts", form->op, parts);
    LITE_TRY(lite_kernel_check_counts(context, node, form->op, form->inputs, form->inputs, parts));
    LITE_TRY(lite_kernel_input(context, node, form->op, form->value, &value));
    LITE_TRY(lite_kernel_input(context, node, form->op, form->axis, &axis));
    LITE_TRY(lite_check_types(context, form->op, "input", &value, form->types));
    bool known = axis.constant;
    if (form->sizes >= 0) {
        LITE_TRY(lite_kernel_input(context, node, form->op, form->sizes, &sizes));
        LITE_TRY(lite_check_types(context, form->op, "sizes", &sizes, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
        if (sizes.shape.rank != 1 || sizes.count != parts) {
            return lite_fail(context, "%s: %lld sizes for %d parts", form->op, (long long)sizes.count, parts);
        }
        known = known && sizes.constant;
    }
    for (int i = 0; i < parts; i++) {
        LITE_TRY(lite_kernel_output(context, node, form->op, i, &output));
        LITE_TRY(lite_check_same_type(context, form->op, &value, &output));
        if (!known) lite_kernel_set_dynamic(output.tensor);
    }
    return known ? resize_parts(context, node, form) : kTfLiteOk;
}

// Copies the parts, or with `places` tells what they are.
static TfLiteStatus move_parts(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const SplitForm* form,
                               LitePlaces* places) {
    LiteView value, output;
    int axis;
    LITE_TRY(lite_kernel_input(context, node, form->op, form->value, &value));
    LITE_TRY(resolve_axis_input(context, node, form, value.shape.rank, &axis));
    if (value.count == 0) return kTfLiteOk;
    int64_t rows = 1;
    for (int i = 0; i < axis; i++) rows *= value.shape.dims[i];
    const int64_t stride = value.count / rows, size = lite_pieces_size(&value);
    LitePieces pieces = {.whole = value.data,
                         .rows = rows,
                         .step = stride * size,
                         .threads = lite_kernel_num_threads(context)};
    int64_t offset = 0;
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfOutputs(node); i++) {
        LITE_TRY(lite_kernel_output(context, node, form->op, i, &output));
        const int64_t length = output.count / rows;
        if (places == NULL && lite_pieces_suit(rows, stride * size, length * size)) {
            lite_pieces_add(&pieces, (LitePiece){output.data, length * size, offset * size});
        } else {
            LiteMove copy = {0};
            lite_move_add(&copy, rows, stride, length);
            lite_move_add(&copy, length, 1, 1);
            LITE_TRY(lite_move_or_place(context, form->op, places, &copy, &value, offset, &output, 0));
        }
        offset += length;
    }
    lite_pieces_end(&pieces);
    return kTfLiteOk;
}

static TfLiteStatus invoke_form(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const SplitForm* form) {
    LiteView output;
    LITE_TRY(lite_kernel_output(context, node, form->op, 0, &output));
    if (output.dynamic) LITE_TRY(resize_parts(context, node, form));
    return move_parts(context, node, form, NULL);
}

static bool find_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const SplitForm* form,
                        LitePlaces* places) {
    LiteView output;
    if (lite_kernel_output(context, node, form->op, 0, &output) != kTfLiteOk || output.dynamic) return false;
    return move_parts(context, node, form, places) == kTfLiteOk;
}

static TfLiteStatus split_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteSplitParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "SPLIT: no parameters");
    return prepare_form(context, node, &split_form, params->num_splits);
}

static TfLiteStatus split_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return invoke_form(context, node, &split_form);
}

static bool split_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    return find_places(context, node, &split_form, places);
}

static const LiteLines split_lines = {.find_places = split_places};
const LiteKernel lite_kernel_SPLIT = {
    .prepare = split_prepare, .invoke = split_invoke, .lines = &split_lines};

static TfLiteStatus split_v_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteSplitVParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "SPLIT_V: no parameters");
    return prepare_form(context, node, &split_v_form, params->num_splits);
}

static TfLiteStatus split_v_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return invoke_form(context, node, &split_v_form);
}

static bool split_v_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    return find_places(context, node, &split_v_form, places);
}

static const LiteLines split_v_lines = {.find_places = split_v_places};
const LiteKernel lite_kernel_SPLIT_V = {
    .prepare = split_v_prepare, .invoke = split_v_invoke, .lines = &split_v_lines};
