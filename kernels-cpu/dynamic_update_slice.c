// SPDX-License-Identifier: Apache-2.0
// DYNAMIC_UPDATE_SLICE copies a tensor and replaces a part of it.
#include <string.h>

#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

enum { kOperand, kUpdate, kStart };

static TfLiteStatus update_slice_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const char op[] = "DYNAMIC_UPDATE_SLICE";
    LiteView operand, update, start, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 1));
    LITE_TRY(lite_kernel_input(context, node, op, kOperand, &operand));
    LITE_TRY(lite_kernel_input(context, node, op, kUpdate, &update));
    LITE_TRY(lite_kernel_input(context, node, op, kStart, &start));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "operand", &operand, LITE_TYPES_FIXED | LITE_TYPE(Int4)));
    LITE_TRY(lite_check_types(context, op, "start", &start, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_same_type(context, op, &operand, &update));
    LITE_TRY(lite_check_same_type(context, op, &operand, &output));
    if (update.shape.rank != operand.shape.rank || start.shape.rank != 1 ||
        start.count != operand.shape.rank) {
        return lite_fail(
            context, "%s: operand of %d dimensions, update of %d, %lld start indices: %s was not true.", op,
            operand.shape.rank, update.shape.rank, (long long)start.count,
            update.shape.rank != operand.shape.rank ? "NumDimensions(update) == NumDimensions(operand)"
            : start.shape.rank != 1                 ? "NumDimensions(start_indices) == 1"
                                    : "SizeOfDimension(start_indices, 0) == NumDimensions(operand)");
    }
    for (int i = 0; i < operand.shape.rank; i++) {
        if (update.shape.dims[i] > operand.shape.dims[i]) {
            return lite_fail(
                context,
                "%s: dimension %d of the update is %d, of the operand %d: SizeOfDimension(update, "
                "i) <= SizeOfDimension(operand, i) was not true.",
                op, i, update.shape.dims[i], operand.shape.dims[i]);
        }
    }
    return lite_kernel_resize(context, output.tensor, &operand.shape);
}

static TfLiteStatus update_slice_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const char op[] = "DYNAMIC_UPDATE_SLICE";
    LiteView operand, update, start, output;
    LITE_TRY(lite_kernel_input(context, node, op, kOperand, &operand));
    LITE_TRY(lite_kernel_input(context, node, op, kUpdate, &update));
    LITE_TRY(lite_kernel_input(context, node, op, kStart, &start));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (output.bytes > 0 && output.data != operand.data) memcpy(output.data, operand.data, output.bytes);
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK], offset = 0;
    lite_move_strides(&update.shape, from);
    lite_move_strides(&output.shape, to);
    LiteMove copy = {0};
    for (int i = 0; i < output.shape.rank; i++) {
        // The update is moved inside, as far as it would stick out.
        const int64_t most = output.shape.dims[i] - update.shape.dims[i], wanted = lite_ints_at(&start, i);
        offset += (wanted < 0 ? 0 : wanted > most ? most : wanted) * to[i];
        lite_move_add(&copy, update.shape.dims[i], from[i], to[i]);
    }
    return lite_move_tensor(context, op, &copy, &update, 0, &output, offset);
}

const LiteKernel lite_kernel_DYNAMIC_UPDATE_SLICE = {.prepare = update_slice_prepare,
                                                     .invoke = update_slice_invoke};
