// SPDX-License-Identifier: Apache-2.0
// REVERSE_SEQUENCE reverses, in each entry of a batch, the first elements of a sequence.
#include "core/base/cancel.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

static TfLiteStatus sequence_axes(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const LiteView* input,
                                  int* sequence, int* batch) {
    const TfLiteReverseSequenceParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "REVERSE_SEQUENCE: no parameters");
    const int rank = input->shape.rank;
    *sequence = params->seq_dim;
    *batch = params->batch_dim;
    if (*sequence < 0 || *sequence >= rank || *batch < 0 || *batch >= rank || *sequence == *batch) {
        return lite_fail(context, "REVERSE_SEQUENCE: sequence dimension %d and batch dimension %d of %d",
                         *sequence, *batch, rank);
    }
    return kTfLiteOk;
}

static TfLiteStatus reverse_sequence_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, lengths, output;
    int sequence, batch;
    LITE_TRY(lite_kernel_check_counts(context, node, "REVERSE_SEQUENCE", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_SEQUENCE", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_SEQUENCE", 1, &lengths));
    LITE_TRY(lite_kernel_output(context, node, "REVERSE_SEQUENCE", 0, &output));
    LITE_TRY(lite_check_types(context, "REVERSE_SEQUENCE", "input", &input,
                              LITE_TYPE(Float32) | LITE_TYPE(UInt8) | LITE_TYPE(Int16) | LITE_TYPE(Int32) |
                                  LITE_TYPE(Int64)));
    LITE_TRY(lite_check_types(context, "REVERSE_SEQUENCE", "lengths", &lengths,
                              LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_same_type(context, "REVERSE_SEQUENCE", &input, &output));
    LITE_TRY(sequence_axes(context, node, &input, &sequence, &batch));
    if (lengths.shape.rank != 1 || lengths.shape.dims[0] != input.shape.dims[batch]) {
        return lite_fail(context, "REVERSE_SEQUENCE: %lld lengths for a batch of %d",
                         (long long)lengths.count, input.shape.dims[batch]);
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static TfLiteStatus reverse_sequence_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, lengths, output;
    int sequence, batch;
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_SEQUENCE", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "REVERSE_SEQUENCE", 1, &lengths));
    LITE_TRY(lite_kernel_output(context, node, "REVERSE_SEQUENCE", 0, &output));
    LITE_TRY(sequence_axes(context, node, &input, &sequence, &batch));
    int64_t strides[LITE_MAX_RANK];
    lite_move_strides(&input.shape, strides);
    for (int64_t entry = 0; entry < input.shape.dims[batch] && !lite_cancelled(); entry++) {
        const int64_t length = lite_ints_at(&lengths, entry), whole = input.shape.dims[sequence];
        if (length < 0 || length > whole) {
            return lite_fail(context, "REVERSE_SEQUENCE: length %lld of a sequence of %lld",
                             (long long)length, (long long)whole);
        }
        LiteMove reversed = {0}, rest = {0};
        for (int i = 0; i < input.shape.rank; i++) {
            if (i == batch) continue;
            const int64_t stride = strides[i];
            lite_move_add(&reversed, i == sequence ? length : input.shape.dims[i],
                          i == sequence ? -stride : stride, stride);
            lite_move_add(&rest, i == sequence ? whole - length : input.shape.dims[i], stride, stride);
        }
        const int64_t begin = entry * strides[batch], middle = begin + length * strides[sequence];
        LITE_TRY(lite_move_tensor(context, "REVERSE_SEQUENCE", &reversed, &input, middle - strides[sequence],
                                  &output, begin));
        LITE_TRY(lite_move_tensor(context, "REVERSE_SEQUENCE", &rest, &input, middle, &output, middle));
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_REVERSE_SEQUENCE = {.prepare = reverse_sequence_prepare,
                                                 .invoke = reverse_sequence_invoke};
