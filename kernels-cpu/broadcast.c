// SPDX-License-Identifier: Apache-2.0
// BROADCAST_TO, BROADCAST_ARGS, TILE, FILL, ZEROS_LIKE: one element in many places.
#include <string.h>

#include "kernels-cpu/support/elementwise.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

// Reads a vector of lengths: `what` of the operators here.
static TfLiteStatus read_lengths(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                 int index, int64_t lengths[LITE_MAX_RANK], int* count) {
    LiteView view;
    LITE_TRY(lite_kernel_input(context, node, op, index, &view));
    if (view.shape.rank != 1) {
        return lite_fail(context, "%s: input %d has %d dimensions, expected 1", op, index, view.shape.rank);
    }
    return lite_ints_read(context, op, "shape", &view, LITE_MAX_RANK, lengths, count);
}

static TfLiteStatus broadcast_to_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                      LiteShape* shape) {
    LiteView input;
    int64_t lengths[LITE_MAX_RANK];
    int rank;
    LITE_TRY(lite_kernel_input(context, node, "BROADCAST_TO", 0, &input));
    LITE_TRY(read_lengths(context, node, "BROADCAST_TO", 1, lengths, &rank));
    const int added = rank - input.shape.rank;
    if (added < 0) {
        return lite_fail(
            context,
            "BROADCAST_TO: from %d to %d dimensions: Output shape must be broadcastable from input "
            "shape.",
            input.shape.rank, rank);
    }
    for (int i = 0; i < rank; i++) {
        const int32_t length = i < added ? 1 : input.shape.dims[i - added];
        if (length != 1 && length != lengths[i]) {
            return lite_fail(context,
                             "BROADCAST_TO: dimension %d from %d to %lld: Output shape must be broadcastable "
                             "from input shape.",
                             i, length, (long long)lengths[i]);
        }
        LITE_TRY(lite_size_append(context, "BROADCAST_TO", shape, lengths[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus broadcast_to_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "BROADCAST_TO", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "BROADCAST_TO", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "BROADCAST_TO", 0, &output));
    LITE_TRY(lite_check_types(context, "BROADCAST_TO", "input", &input, LITE_TYPES_FIXED));
    LITE_TRY(lite_check_same_type(context, "BROADCAST_TO", &input, &output));
    return lite_size_output(context, node, "BROADCAST_TO", 1u << 1, broadcast_to_rule);
}

static TfLiteStatus broadcast_to_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    LITE_TRY(lite_kernel_input(context, node, "BROADCAST_TO", 0, &input));
    LITE_TRY(lite_size_output_view(context, node, "BROADCAST_TO", broadcast_to_rule, &output));
    lite_move_strides(&input.shape, from);
    lite_move_strides(&output.shape, to);
    const int added = output.shape.rank - input.shape.rank;
    LiteMove copy = {0};
    for (int i = 0; i < output.shape.rank; i++) {
        const bool repeated = i < added || input.shape.dims[i - added] == 1;
        lite_move_add(&copy, output.shape.dims[i], repeated ? 0 : from[i - added], to[i]);
    }
    return lite_move_tensor(context, "BROADCAST_TO", &copy, &input, 0, &output, 0);
}

const LiteKernel lite_kernel_BROADCAST_TO = {.prepare = broadcast_to_prepare, .invoke = broadcast_to_invoke};

static TfLiteStatus broadcast_args_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView a, b, output;
    LITE_TRY(lite_kernel_input(context, node, "BROADCAST_ARGS", 0, &a));
    LITE_TRY(lite_kernel_input(context, node, "BROADCAST_ARGS", 1, &b));
    LITE_TRY(lite_kernel_output(context, node, "BROADCAST_ARGS", 0, &output));
    for (int64_t i = 0; i < output.count; i++) {
        const int64_t in_a = i - (output.count - a.count), in_b = i - (output.count - b.count);
        const int64_t x = in_a < 0 ? 1 : lite_ints_at(&a, in_a), y = in_b < 0 ? 1 : lite_ints_at(&b, in_b);
        if (x != y && x != 1 && y != 1) {
            return lite_fail(context, "BROADCAST_ARGS: %lld and %lld do not broadcast", (long long)x,
                             (long long)y);
        }
        const int64_t length = x == 1 ? y : x;
        if (output.type == kTfLiteInt64) {
            ((int64_t*)output.data)[i] = length;
        } else {
            ((int32_t*)output.data)[i] = (int32_t)length;
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus broadcast_args_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView a, b, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "BROADCAST_ARGS", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "BROADCAST_ARGS", 0, &a));
    LITE_TRY(lite_kernel_input(context, node, "BROADCAST_ARGS", 1, &b));
    LITE_TRY(lite_kernel_output(context, node, "BROADCAST_ARGS", 0, &output));
    LITE_TRY(lite_check_types(context, "BROADCAST_ARGS", "input", &a, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_same_type(context, "BROADCAST_ARGS", &a, &b));
    LITE_TRY(lite_check_same_type(context, "BROADCAST_ARGS", &a, &output));
    if (a.shape.rank != 1 || b.shape.rank != 1) {
        return lite_fail(context, "BROADCAST_ARGS: inputs of %d and %d dimensions, expected 1", a.shape.rank,
                         b.shape.rank);
    }
    const int32_t rank = a.shape.dims[0] > b.shape.dims[0] ? a.shape.dims[0] : b.shape.dims[0];
    const LiteShape shape = {.rank = 1, .dims = {rank}};
    return lite_kernel_resize(context, output.tensor, &shape);
}

const LiteKernel lite_kernel_BROADCAST_ARGS = {
    .prepare = broadcast_args_prepare, .invoke = broadcast_args_invoke, .fold = kLiteFoldConstants};

static TfLiteStatus tile_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView input, view;
    int64_t multiples[LITE_MAX_RANK];
    int count;
    LITE_TRY(lite_kernel_input(context, node, "TILE", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "TILE", 1, &view)); // of any shape, as in the reference
    LITE_TRY(lite_ints_read(context, "TILE", "multiples", &view, LITE_MAX_RANK, multiples, &count));
    if (count != input.shape.rank) {
        return lite_fail(context, "TILE: %d multiples for %d dimensions", count, input.shape.rank);
    }
    for (int i = 0; i < count; i++) {
        if (multiples[i] < 0 || multiples[i] > INT32_MAX) {
            return lite_fail(context, "TILE: dimension %d is repeated %lld times%s", i,
                             (long long)multiples[i],
                             multiples[i] < 0 ? ": Multipliers must be non-negative." : "");
        }
        LITE_TRY(lite_size_append(context, "TILE", shape, input.shape.dims[i] * multiples[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus tile_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "TILE", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "TILE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "TILE", 0, &output));
    LITE_TRY(lite_check_types(context, "TILE", "input", &input, LITE_TYPES_FIXED | LITE_TYPE(String)));
    LITE_TRY(lite_check_same_type(context, "TILE", &input, &output));
    return lite_size_output(context, node, "TILE", 1u << 1, tile_rule);
}

static TfLiteStatus tile_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    LITE_TRY(lite_kernel_input(context, node, "TILE", 0, &input));
    LITE_TRY(lite_size_output_view(context, node, "TILE", tile_rule, &output));
    lite_move_strides(&input.shape, from);
    lite_move_strides(&output.shape, to);
    LiteMove copy = {0};
    for (int i = 0; i < input.shape.rank; i++) {
        const int64_t length = input.shape.dims[i];
        if (length > 0) lite_move_add(&copy, output.shape.dims[i] / length, 0, to[i] * length);
        lite_move_add(&copy, length, from[i], to[i]);
    }
    return lite_move_tensor(context, "TILE", &copy, &input, 0, &output, 0);
}

const LiteKernel lite_kernel_TILE = {
    .prepare = tile_prepare, .invoke = tile_invoke, .fold = kLiteFoldConstants};

static TfLiteStatus fill_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    int64_t lengths[LITE_MAX_RANK];
    int rank;
    LITE_TRY(read_lengths(context, node, "FILL", 0, lengths, &rank));
    for (int i = 0; i < rank; i++) {
        if (lengths[i] < 0) {
            return lite_fail(context, "FILL: dimension %d: Fill dimensions must be >= 0 got %lld", i,
                             (long long)lengths[i]);
        }
        LITE_TRY(lite_size_append(context, "FILL", shape, lengths[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus fill_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView value, output;
    LITE_TRY(lite_kernel_input(context, node, "FILL", 1, &value));
    LITE_TRY(lite_size_output_view(context, node, "FILL", fill_rule, &output));
    LiteMove copy = {0};
    lite_move_add(&copy, output.count, 0, 1);
    return lite_move_tensor(context, "FILL", &copy, &value, 0, &output, 0);
}

static TfLiteStatus fill_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView dims, value, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "FILL", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "FILL", 0, &dims));
    LITE_TRY(lite_kernel_input(context, node, "FILL", 1, &value));
    LITE_TRY(lite_kernel_output(context, node, "FILL", 0, &output));
    LITE_TRY(lite_check_types(context, "FILL", "dims", &dims, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_types(context, "FILL", "value", &value,
                              (LITE_TYPES_FIXED & ~LITE_TYPE(Complex128)) | LITE_TYPE(String)));
    LITE_TRY(lite_check_same_type(context, "FILL", &value, &output));
    LITE_TRY(lite_check_same_quantization(context, "FILL", &value, &output));
    if (value.shape.rank != 0)
        return lite_fail(context, "FILL: the value has %d dimensions: NumDimensions(value) != 0 (%d != 0)",
                         value.shape.rank, value.shape.rank);
    return lite_size_output(context, node, "FILL", 1u << 0, fill_rule);
}

const LiteKernel lite_kernel_FILL = {.prepare = fill_prepare, .invoke = fill_invoke, .fold = kLiteFoldSizes};

static TfLiteStatus zeros_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_elementwise_prepare_unary(context, node, "ZEROS_LIKE", &input, &output));
    if (input.type == kTfLiteFloat32 || input.type == kTfLiteInt32 || input.type == kTfLiteInt64) {
        return kTfLiteOk;
    }
    return lite_check_fail_type(context, "ZEROS_LIKE", input.type);
}

static TfLiteStatus zeros_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView output;
    LITE_TRY(lite_kernel_output(context, node, "ZEROS_LIKE", 0, &output));
    if (output.bytes != 0) memset(output.data, 0, output.bytes);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_ZEROS_LIKE = {.prepare = zeros_prepare, .invoke = zeros_invoke};
