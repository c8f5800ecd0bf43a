// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: blocks of pixels into the batch and back.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/tensor.h"

static bool read_blocking(const LiteClNode* node, LiteBlocking* b, LiteClReason* reason) {
    const LiteClTensor* input = node->inputs[0];
    LiteClInts block, margins;
    if (!lite_cl_constant_ints(node, 1, &block, reason) || !lite_cl_constant_ints(node, 2, &margins, reason))
        return false;
    *b = (LiteBlocking){.space = input->shape.rank - 2, .blocks = 1};
    if (input->shape.rank < 3 || input->shape.rank > 4)
        return lite_cl_refuse(reason, "input has %d dimensions, not 3 or 4", input->shape.rank);
    const LiteShape* shape = &node->inputs[2]->shape;
    if (node->inputs[1]->shape.rank != 1 || block.count != b->space || shape->rank != 2 ||
        shape->dims[0] != b->space || shape->dims[1] != 2) {
        return lite_cl_refuse(reason, "block shape and margins do not fit %d dimensions", b->space);
    }
    for (int i = 0; i < b->space; i++) {
        b->block[i] = block.values[i];
        b->before[i] = margins.values[2 * i];
        b->after[i] = margins.values[2 * i + 1];
        if (b->block[i] < 1 || b->block[i] > INT16_MAX || b->before[i] < 0 || b->after[i] < 0 ||
            b->before[i] > INT32_MAX || b->after[i] > INT32_MAX) {
            return lite_cl_refuse(reason, "block %lld", (long long)b->block[i]);
        }
        b->blocks *= b->block[i];
    }
    return b->blocks <= 4096 || lite_cl_refuse(reason, "blocks of %lld elements", (long long)b->blocks);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor* input = node->inputs[0];
    const bool to_batch = node->op->variant == 1;
    LiteBlocking b;
    if (!read_blocking(node, &b, reason)) return false;
    if (!lite_cl_same_elements(input, node->outputs[0], reason)) return false;
    *output = input->shape;
    const int64_t batch = input->shape.dims[0];
    if (!to_batch && batch % b.blocks != 0) return lite_cl_refuse(reason, "no whole number of blocks");
    int64_t lengths[LITE_MAX_RANK] = {to_batch ? batch * b.blocks : batch / b.blocks};
    for (int i = 0; i < b.space; i++) {
        const int64_t margin = b.before[i] + b.after[i], length = input->shape.dims[i + 1];
        if (to_batch && (length + margin) % b.block[i] != 0)
            return lite_cl_refuse(reason, "no whole number of blocks");
        lengths[i + 1] = to_batch ? (length + margin) / b.block[i] : length * b.block[i] - margin;
    }
    for (int i = 0; i <= b.space; i++) {
        if (lengths[i] < 0 || lengths[i] > INT32_MAX)
            return lite_cl_refuse(reason, "length %lld", (long long)lengths[i]);
        output->dims[i] = (int32_t)lengths[i];
    }
    return true;
}

// One move per position in a block.
static TfLiteStatus move_position(LiteClPlan* plan, const LiteClNode* node, const LiteBlocking* b,
                                  int64_t position) {
    const bool to_batch = node->op->variant == 1;
    LiteClTensor *input = node->inputs[0], *output = node->outputs[0];
    LiteMove move;
    int64_t from, to;
    lite_move_block(b, &(to_batch ? input : output)->shape, &(to_batch ? output : input)->shape, position,
                    to_batch, &move, &from, &to);
    return lite_cl_move_tensor(plan, &move, input, from, output, to);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    LiteBlocking b = {0};
    lite_cl_agreed(read_blocking(node, &b, &(LiteClReason){0}));
    if (node->op->variant == 1) {
        const int value =
            lite_cl_scalar(plan, node, output->type, lite_cl_is_byte(output->type) ? output->zero_point : 0);
        LITE_TRY(lite_cl_fill(plan, output->type, value, lite_cl_plan_tensor(plan, output),
                              lite_shape_elements(&output->shape)));
    }
    for (int64_t position = 0; position < b.blocks; position++)
        LITE_TRY(move_position(plan, node, &b, position));
    return kTfLiteOk;
}

// `to_batch`: the variant.
#define SPACE_OP(NAME, to_batch)                                                                             \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = 3,                                                     \
                                        .max_inputs = 3,                                                     \
                                        .inputs = "TP",                                                      \
                                        .types = LITE_CL_ANY,                                                \
                                        .variant = (to_batch),                                               \
                                        .infer = infer,                                                      \
                                        .lower = lower};
SPACE_OP(SPACE_TO_BATCH_ND, 1)
SPACE_OP(BATCH_TO_SPACE_ND, 0)
