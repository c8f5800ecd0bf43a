// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE and REVERSE_V2 change the order or the direction of dimensions.
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

static TfLiteStatus read_permutation(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int rank,
                                     int64_t permutation[LITE_MAX_RANK]) {
    LiteView view;
    int count;
    unsigned seen = 0;
    LITE_TRY(lite_kernel_input(context, node, "TRANSPOSE", 1, &view));
    LITE_TRY(lite_check_types(context, "TRANSPOSE", "permutation", &view, LITE_TYPE(Int32)));
    if (view.shape.rank != 1) {
        return lite_fail(context, "TRANSPOSE: permutation has %d dimensions, expected 1", view.shape.rank);
    }
    LITE_TRY(lite_ints_read(context, "TRANSPOSE", "permutation", &view, LITE_MAX_RANK, permutation, &count));
    if (count != rank) {
        return lite_fail(context, "TRANSPOSE: a permutation of %d for %d dimensions (%d != %d)", count, rank,
                         count, rank);
    }
    for (int i = 0; i < rank; i++) {
        if (permutation[i] < -rank || permutation[i] >= rank) {
            return lite_fail(
                context,
                "TRANSPOSE: %lld is not one of %d dimensions: Transpose op permutations array is "
                "out of bounds.",
                (long long)permutation[i], rank);
        }
        if (permutation[i] < 0) permutation[i] += rank;
        if ((seen >> permutation[i] & 1u) != 0) {
            return lite_fail(context, "TRANSPOSE: dimension %lld comes twice", (long long)permutation[i]);
        }
        seen |= 1u << permutation[i];
    }
    return kTfLiteOk;
}

static TfLiteStatus transpose_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input;
    int64_t permutation[LITE_MAX_RANK];
    LITE_TRY(lite_kernel_input(context, node, "TRANSPOSE", 0, &input));
    LITE_TRY(read_permutation(context, node, input.shape.rank, permutation));
    shape->rank = input.shape.rank;
    for (int i = 0; i < shape->rank; i++) shape->dims[i] = input.shape.dims[permutation[i]];
    return kTfLiteOk;
}

static TfLiteStatus transpose_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "TRANSPOSE", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "TRANSPOSE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "TRANSPOSE", 0, &output));
    LITE_TRY(
        lite_check_types(context, "TRANSPOSE", "input", &input,
                         (LITE_TYPES_FIXED & ~LITE_TYPE(Complex128)) | LITE_TYPE(Int4) | LITE_TYPE(UInt4)));
    LITE_TRY(lite_check_same_type(context, "TRANSPOSE", &input, &output));
    return lite_size_output(context, node, "TRANSPOSE", 1u << 1, transpose_rule);
}

// Copies the elements, or with `places` tells that they are in the same order as before.
static TfLiteStatus move_elements(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    LiteView input, output;
    int64_t permutation[LITE_MAX_RANK], from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    LITE_TRY(lite_kernel_input(context, node, "TRANSPOSE", 0, &input));
    LITE_TRY(read_permutation(context, node, input.shape.rank, permutation));
    LITE_TRY(lite_size_output_view(context, node, "TRANSPOSE", transpose_rule, &output));
    lite_move_strides(&input.shape, from);
    lite_move_strides(&output.shape, to);
    LiteMove copy = {0};
    for (int i = 0; i < output.shape.rank; i++) {
        lite_move_add(&copy, output.shape.dims[i], from[permutation[i]], to[i]);
    }
    return lite_move_or_place(context, "TRANSPOSE", places, &copy, &input, 0, &output, 0);
}

static TfLiteStatus transpose_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return move_elements(context, node, NULL);
}

static bool transpose_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    LiteView output;
    return lite_kernel_output(context, node, "TRANSPOSE", 0, &output) == kTfLiteOk && !output.dynamic &&
           move_elements(context, node, places) == kTfLiteOk;
}

static const LiteLines transpose_lines = {.find_places = transpose_places};
const LiteKernel lite_kernel_TRANSPOSE = {
    .prepare = transpose_prepare, .invoke = transpose_invoke, .lines = &transpose_lines};

static TfLiteStatus reverse_v2_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, axes, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "REVERSE_V2", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_V2", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_V2", 1, &axes));
    LITE_TRY(lite_kernel_output(context, node, "REVERSE_V2", 0, &output));
    LITE_TRY(lite_check_types(context, "REVERSE_V2", "input", &input,
                              LITE_TYPES_INTEGER | LITE_TYPES_HALF | LITE_TYPE(Float32) | LITE_TYPE(Bool)));
    LITE_TRY(lite_check_types(context, "REVERSE_V2", "axes", &axes, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_same_type(context, "REVERSE_V2", &input, &output));
    if (axes.shape.rank != 1 || axes.count > input.shape.rank) {
        return lite_fail(context, "REVERSE_V2: %lld axes for %d dimensions", (long long)axes.count,
                         input.shape.rank);
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static TfLiteStatus reverse_v2_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, axes, output;
    int64_t numbers[LITE_MAX_RANK], strides[LITE_MAX_RANK], offset = 0;
    int count;
    unsigned reversed = 0;
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_V2", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_V2", 1, &axes));
    LITE_TRY(lite_kernel_output(context, node, "REVERSE_V2", 0, &output));
    LITE_TRY(lite_ints_read(context, "REVERSE_V2", "axes", &axes, LITE_MAX_RANK, numbers, &count));
    for (int i = 0; i < count; i++) {
        int axis;
        LITE_TRY(lite_ints_axis(context, "REVERSE_V2", numbers[i], input.shape.rank, &axis));
        reversed |= 1u << axis;
    }
    const unsigned run = reversed == 0 ? 0 : reversed >> __builtin_ctz(reversed);
    if (run != (1u << count) - 1)
        return lite_fail(context,
                         "REVERSE_V2: the %d axes are not neighbours: Non-contiguous `axes` not supported",
                         count);
    lite_move_strides(&input.shape, strides);
    LiteMove copy = {0};
    for (int i = 0; i < input.shape.rank; i++) {
        const bool backwards = (reversed >> i & 1u) != 0;
        lite_move_add(&copy, input.shape.dims[i], backwards ? -strides[i] : strides[i], strides[i]);
        if (backwards) offset += (input.shape.dims[i] - 1) * strides[i];
    }
    return lite_move_tensor(context, "REVERSE_V2", &copy, &input, offset, &output, 0);
}

const LiteKernel lite_kernel_REVERSE_V2 = {.prepare = reverse_v2_prepare, .invoke = reverse_v2_invoke};
