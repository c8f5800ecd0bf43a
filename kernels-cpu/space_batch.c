// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND move blocks of pixels into the batch and back.
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

static TfLiteStatus read_blocking(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  const LiteView* input, LiteBlocking* b) {
    LiteView block, margins;
    int64_t values[2 * LITE_MAX_RANK];
    int count;
    b->space = input->shape.rank - 2;
    LITE_TRY(lite_kernel_input(context, node, op, 1, &block));
    LITE_TRY(lite_kernel_input(context, node, op, 2, &margins));
    if (block.shape.rank != 1 || block.shape.dims[0] != b->space || margins.shape.rank != 2 ||
        margins.shape.dims[0] != b->space || margins.shape.dims[1] != 2) {
        return lite_fail(context, "%s: block shape of shape %s and margins of %s do not fit %d dimensions",
                         op, lite_shape_text(&block.shape).text, lite_shape_text(&margins.shape).text,
                         b->space);
    }
    LITE_TRY(lite_check_types(context, op, "block shape", &block, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, op, "margins", &margins, LITE_TYPE(Int32)));
    LITE_TRY(lite_ints_read(context, op, "block shape", &block, LITE_MAX_RANK, b->block, &count));
    LITE_TRY(lite_ints_read(context, op, "margins", &margins, 2 * LITE_MAX_RANK, values, &count));
    b->blocks = 1;
    for (int i = 0; i < b->space; i++) {
        b->before[i] = values[2 * i];
        b->after[i] = values[2 * i + 1];
        if (b->block[i] < 1 || b->block[i] > INT32_MAX || b->before[i] < 0 || b->after[i] < 0 ||
            b->before[i] > INT32_MAX || b->after[i] > INT32_MAX) {
            const bool is_crop =
                strcmp(op, "BATCH_TO_SPACE_ND") == 0 && (b->before[i] < 0 || b->after[i] < 0);
            return lite_fail(context, "%s: block %lld with margins %lld and %lld in dimension %d%s", op,
                             (long long)b->block[i], (long long)b->before[i], (long long)b->after[i], i,
                             is_crop ? ": crops[i] >= 0 was not true." : "");
        }
        b->blocks *= b->block[i];
        if (b->blocks > INT32_MAX) return lite_fail(context, "%s: the blocks are too large", op);
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_batch(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  LiteShapeRule rule) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 1));
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, LITE_TYPES_FIXED & ~LITE_TYPE(Complex128)));
    LITE_TRY(lite_check_same_elements(context, op, &input, &output));
    if (input.shape.rank < 3 || input.shape.rank > 4) {
        return lite_fail(context, "%s: input has %d dimensions, expected 3 or 4", op, input.shape.rank);
    }
    return lite_size_output(context, node, op, 1u << 1 | 1u << 2, rule);
}

static bool has_margins(const LiteBlocking* b) {
    int64_t margins = 0;
    for (int i = 0; i < b->space; i++) margins += b->before[i] + b->after[i];
    return margins > 0;
}

// The images of one position become what stands for zero; the zero points of types that are not 8 bits wide
// are 0.
static void clear_images(const LiteBlocking* b, LiteView* output, int64_t position) {
    const bool narrow = output->type == kTfLiteInt8 || output->type == kTfLiteUInt8;
    const size_t bytes = output->bytes / (size_t)b->blocks;
    memset((char*)output->data + (size_t)position * bytes, narrow ? output->zero_point : 0, bytes);
}

// One move for all, or with margins one per position in a block, whose images follow each other.
static TfLiteStatus move_batches(TfLiteOpaqueContext* context, const char* op, const LiteBlocking* b,
                                 const LiteView* input, LiteView* output, bool to_batch) {
    const LiteShape* wide = to_batch ? &input->shape : &output->shape;
    const LiteShape* deep = to_batch ? &output->shape : &input->shape;
    const bool clears = to_batch && output->bytes > 0 && has_margins(b);
    LiteMove all;
    if (lite_move_blocks(b, wide, deep, to_batch, &all)) {
        return lite_move_tensor(context, op, &all, input, 0, output, 0);
    }
    for (int64_t position = 0; position < b->blocks && !lite_cancelled(); position++) {
        LiteMove copy;
        int64_t from, to;
        if (clears) clear_images(b, output, position);
        lite_move_block(b, wide, deep, position, to_batch, &copy, &from, &to);
        LITE_TRY(lite_move_tensor(context, op, &copy, input, from, output, to));
    }
    return kTfLiteOk;
}

static TfLiteStatus space_to_batch_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                        LiteShape* shape) {
    LiteView input;
    LiteBlocking b;
    LITE_TRY(lite_kernel_input(context, node, "SPACE_TO_BATCH_ND", 0, &input));
    LITE_TRY(read_blocking(context, node, "SPACE_TO_BATCH_ND", &input, &b));
    LITE_TRY(lite_size_append(context, "SPACE_TO_BATCH_ND", shape, input.shape.dims[0] * b.blocks));
    for (int i = 0; i < b.space; i++) {
        const int64_t padded = input.shape.dims[i + 1] + b.before[i] + b.after[i];
        if (padded % b.block[i] != 0) {
            return lite_fail(context, "SPACE_TO_BATCH_ND: %lld padded elements in blocks of %lld",
                             (long long)padded, (long long)b.block[i]);
        }
        LITE_TRY(lite_size_append(context, "SPACE_TO_BATCH_ND", shape, padded / b.block[i]));
    }
    return lite_size_append(context, "SPACE_TO_BATCH_ND", shape, input.shape.dims[b.space + 1]);
}

static TfLiteStatus space_to_batch_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return prepare_batch(context, node, "SPACE_TO_BATCH_ND", space_to_batch_rule);
}

static TfLiteStatus space_to_batch_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LiteBlocking b;
    LITE_TRY(lite_kernel_input(context, node, "SPACE_TO_BATCH_ND", 0, &input));
    LITE_TRY(read_blocking(context, node, "SPACE_TO_BATCH_ND", &input, &b));
    LITE_TRY(lite_size_output_view(context, node, "SPACE_TO_BATCH_ND", space_to_batch_rule, &output));
    return move_batches(context, "SPACE_TO_BATCH_ND", &b, &input, &output, true);
}

const LiteKernel lite_kernel_SPACE_TO_BATCH_ND = {.prepare = space_to_batch_prepare,
                                                  .invoke = space_to_batch_invoke};

static TfLiteStatus batch_to_space_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                        LiteShape* shape) {
    LiteView input;
    LiteBlocking b;
    LITE_TRY(lite_kernel_input(context, node, "BATCH_TO_SPACE_ND", 0, &input));
    LITE_TRY(read_blocking(context, node, "BATCH_TO_SPACE_ND", &input, &b));
    if (input.shape.dims[0] % b.blocks != 0) {
        return lite_fail(context, "BATCH_TO_SPACE_ND: a batch of %d in blocks of %lld", input.shape.dims[0],
                         (long long)b.blocks);
    }
    LITE_TRY(lite_size_append(context, "BATCH_TO_SPACE_ND", shape, input.shape.dims[0] / b.blocks));
    for (int i = 0; i < b.space; i++) {
        const int64_t length = input.shape.dims[i + 1] * b.block[i] - b.before[i] - b.after[i];
        LITE_TRY(lite_size_append(context, "BATCH_TO_SPACE_ND", shape, length));
    }
    return lite_size_append(context, "BATCH_TO_SPACE_ND", shape, input.shape.dims[b.space + 1]);
}

static TfLiteStatus batch_to_space_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return prepare_batch(context, node, "BATCH_TO_SPACE_ND", batch_to_space_rule);
}

static TfLiteStatus batch_to_space_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LiteBlocking b;
    LITE_TRY(lite_kernel_input(context, node, "BATCH_TO_SPACE_ND", 0, &input));
    LITE_TRY(read_blocking(context, node, "BATCH_TO_SPACE_ND", &input, &b));
    LITE_TRY(lite_size_output_view(context, node, "BATCH_TO_SPACE_ND", batch_to_space_rule, &output));
    return move_batches(context, "BATCH_TO_SPACE_ND", &b, &input, &output, false);
}

const LiteKernel lite_kernel_BATCH_TO_SPACE_ND = {.prepare = batch_to_space_prepare,
                                                  .invoke = batch_to_space_invoke};
