// SPDX-License-Identifier: Apache-2.0
// CONCATENATION puts its inputs side by side along an axis.
#include "core/semantics/quant.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/pieces.h"
#include "kernels-cpu/support/size.h"

static const uint32_t concatenation_types = LITE_TYPES_INTEGER | LITE_TYPES_HALF | LITE_TYPE(Float32) |
                                            LITE_TYPE(UInt32) | LITE_TYPE(Bool) | LITE_TYPE(Int4);

// Constants without dimensions count as vectors of one element.
static TfLiteStatus part(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int index, LiteView* input) {
    LITE_TRY(lite_kernel_input(context, node, "CONCATENATION", index, input));
    if (input->shape.rank == 0 && input->constant) input->shape = (LiteShape){1, {1}};
    return kTfLiteOk;
}

static TfLiteStatus concatenation_axis(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                       const LiteView* first, int* axis) {
    const TfLiteConcatenationParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "CONCATENATION: no parameters");
    if (params->activation != kTfLiteActNone) {
        return lite_fail(context, "CONCATENATION: fused activation %d is not supported",
                         (int)params->activation);
    }
    return lite_ints_axis(context, "CONCATENATION", params->axis, first->shape.rank, axis);
}

// UINT8 inputs are rescaled to the output; other types must agree.
static TfLiteStatus check_quantization(TfLiteOpaqueContext* context, const LiteView* input,
                                       const LiteView* output) {
    if (input->type == kTfLiteInt8) {
        return lite_check_same_quantization(context, "CONCATENATION", input, output);
    }
    if (input->type == kTfLiteInt16 && (input->zero_point != 0 || output->zero_point != 0)) {
        return lite_fail(context, "CONCATENATION: INT16 needs zero points of 0, got %d and %d",
                         input->zero_point, output->zero_point);
    }
    return kTfLiteOk;
}

// `rows` runs of `length` values each, `stride` apart in the output, requantized.
static void rescale_rows(const LiteView* input, const LiteView* output, int64_t rows, int64_t length,
                         int64_t offset, int64_t stride) {
    uint8_t table[256];
    lite_rescale_table(input->scale, input->zero_point, output->scale, output->zero_point, table);
    for (int64_t r = 0; r < rows; r++) {
        const uint8_t* from = (const uint8_t*)input->data + r * length;
        uint8_t* to = (uint8_t*)output->data + offset + r * stride;
        for (int64_t i = 0; i < length; i++) to[i] = table[from[i]];
    }
}

// Copies the inputs, or with `places` tells what they are.
static TfLiteStatus move_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    LiteView input, output;
    int axis;
    LITE_TRY(lite_kernel_output(context, node, "CONCATENATION", 0, &output));
    LITE_TRY(concatenation_axis(context, node, &output, &axis));
    if (output.count == 0) return kTfLiteOk;
    int64_t rows = 1;
    for (int i = 0; i < axis; i++) rows *= output.shape.dims[i];
    const int64_t stride = output.count / rows, size = lite_pieces_size(&output);
    LitePieces pieces = {.whole = output.data,
                         .rows = rows,
                         .step = stride * size,
                         .joins = true,
                         .threads = lite_kernel_num_threads(context)};
    int64_t offset = 0;
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfInputs(node); i++) {
        LITE_TRY(part(context, node, i, &input));
        const int64_t length = input.count / rows;
        if (input.type == kTfLiteUInt8 &&
            (input.scale != output.scale || input.zero_point != output.zero_point)) {
            if (places == NULL) rescale_rows(&input, &output, rows, length, offset, stride);
            if (places != NULL) places->is_partly = true;
        } else if (places == NULL && lite_pieces_suit(rows, stride * size, length * size)) {
            lite_pieces_add(&pieces, (LitePiece){input.data, length * size, offset * size});
        } else {
            LiteMove copy = {0};
            lite_move_add(&copy, rows, length, stride);
            lite_move_add(&copy, length, 1, 1);
            LITE_TRY(lite_move_or_place(context, "CONCATENATION", places, &copy, &input, 0, &output, offset));
        }
        offset += length;
    }
    lite_pieces_end(&pieces);
    return kTfLiteOk;
}

static TfLiteStatus concatenation_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return move_inputs(context, node, NULL);
}

static bool concatenation_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    return move_inputs(context, node, places) == kTfLiteOk;
}

// Constants without dimensions go together only, along an axis that does not count from the end.
static TfLiteStatus check_ranks(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, TfLiteType type,
                                int axis) {
    int rank = 0;
    for (int i = 0; i < TfLiteOpaqueNodeNumberOfInputs(node); i++) {
        LiteView input;
        LITE_TRY(lite_kernel_input(context, node, "CONCATENATION", i, &input));
        if (i == 0) rank = input.shape.rank;
        if (input.shape.rank != rank) {
            return lite_fail(context,
                             "CONCATENATION: input %d has %d dimensions, input 0 has %d: t->dims->size != "
                             "t0->dims->size (%d != %d)",
                             i, input.shape.rank, rank, input.shape.rank, rank);
        }
    }
    if (rank == 0 && type == kTfLiteInt4) {
        return lite_fail(context, "CONCATENATION: INT4 inputs of 0 dimensions are not supported");
    }
    if (rank > 0 || axis >= 0) return kTfLiteOk;
    return lite_fail(context, "CONCATENATION: axis %d is out of range for 0 dimensions", axis);
}

static TfLiteStatus concatenation_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const int inputs = TfLiteOpaqueNodeNumberOfInputs(node);
    LiteView first, output;
    int axis;
    LITE_TRY(lite_kernel_check_counts(context, node, "CONCATENATION", 1, INT32_MAX, 1));
    LITE_TRY(part(context, node, 0, &first));
    LITE_TRY(lite_kernel_output(context, node, "CONCATENATION", 0, &output));
    LITE_TRY(lite_check_types(context, "CONCATENATION", "input", &first, concatenation_types));
    LITE_TRY(lite_check_same_type(context, "CONCATENATION", &first, &output));
    LITE_TRY(concatenation_axis(context, node, &first, &axis));
    const TfLiteConcatenationParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LITE_TRY(check_ranks(context, node, first.type, params->axis));
    int64_t length = 0;
    for (int i = 0; i < inputs; i++) {
        LiteView input;
        LITE_TRY(part(context, node, i, &input));
        LITE_TRY(lite_check_same_type(context, "CONCATENATION", &first, &input));
        LITE_TRY(check_quantization(context, &input, &output));
        length += axis < input.shape.rank ? input.shape.dims[axis] : 0;
        LiteShape expected = first.shape;
        if (axis < input.shape.rank) expected.dims[axis] = input.shape.dims[axis];
        if (!lite_shape_equal(&expected, &input.shape)) {
            return lite_fail(context, "CONCATENATION: input %d differs from input 0 beyond axis %d", i, axis);
        }
    }
    LiteShape shape = {.rank = axis};
    for (int i = 0; i < axis; i++) shape.dims[i] = first.shape.dims[i];
    LITE_TRY(lite_size_append(context, "CONCATENATION", &shape, length));
    for (int i = axis + 1; i < first.shape.rank; i++) {
        LITE_TRY(lite_size_append(context, "CONCATENATION", &shape, first.shape.dims[i]));
    }
    return lite_kernel_resize(context, output.tensor, &shape);
}

static const LiteLines concatenation_lines = {.find_places = concatenation_places};
const LiteKernel lite_kernel_CONCATENATION = {.prepare = concatenation_prepare,
                                              .invoke = concatenation_invoke,
                                              .lines = &concatenation_lines,
                                              .fold = kLiteFoldConstants};
