// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_DEPTH and DEPTH_TO_SPACE: blocks of pixels into channels and back.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"

// The parameters of both operators are the size of a block.

static int block_of(const LiteClNode* node) {
    return *(const int*)node->params;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    const int32_t* in = input->dims;
    const int block = block_of(node);
    if (input->rank != 4) return lite_cl_refuse(reason, "input has %d dimensions, not 4", input->rank);
    if (block < 1 || block > INT16_MAX) return lite_cl_refuse(reason, "blocks of %d", block);
    const int64_t area = (int64_t)block * block;
    const bool to_depth = node->op->variant == 1;
    if (to_depth ? in[1] % block != 0 || in[2] % block != 0 : in[3] % area != 0)
        return lite_cl_refuse(reason, "no whole number of blocks of %d", block);
    const int64_t dims[] = {in[0], to_depth ? in[1] / block : (int64_t)in[1] * block,
                            to_depth ? in[2] / block : (int64_t)in[2] * block,
                            to_depth ? in[3] * area : in[3] / area};
    output->rank = 4;
    for (int d = 0; d < 4; d++) {
        if (dims[d] > INT32_MAX) return lite_cl_refuse(reason, "the output would be too large");
        output->dims[d] = (int32_t)dims[d];
    }
    return true;
}

// Between the deep tensor and the wide one, in the dimensions batch, row, column, row in the block, column in
// the block, channel.
static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const bool to_depth = node->op->variant == 1;
    const int64_t block = block_of(node);
    LiteClTensor *wide = node->inputs[0], *deep = node->outputs[0];
    if (!to_depth) {
        deep = node->inputs[0];
        wide = node->outputs[0];
    }
    int64_t w[LITE_MAX_RANK], d[LITE_MAX_RANK];
    lite_move_strides(&wide->shape, w);
    lite_move_strides(&deep->shape, d);
    const int64_t channels = wide->shape.dims[3];
    const int32_t* outer = deep->shape.dims;
    const int64_t dims[6] = {outer[0], outer[1], outer[2], block, block, channels};
    const int64_t in_wide[6] = {w[0], w[1] * block, w[2] * block, w[1], w[2], w[3]};
    const int64_t in_deep[6] = {d[0], d[1], d[2], channels * block, channels, d[3]};
    LiteMove move = {0};
    for (int i = 0; i < 6; i++)
        lite_move_add(&move, dims[i], to_depth ? in_wide[i] : in_deep[i], to_depth ? in_deep[i] : in_wide[i]);
    return lite_cl_move_tensor(plan, &move, node->inputs[0], 0, node->outputs[0], 0);
}

#define DEPTH_OP(NAME, to_depth)                                                                             \
    const LiteClOp lite_cl_op_##NAME = {.params_size = sizeof(int),                                          \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .types = LITE_TYPES_FLOAT | LITE_TYPES_BYTE | LITE_TYPE(Int32) |     \
                                                 LITE_TYPE(Int64),                                           \
                                        .variant = (to_depth),                                               \
                                        .infer = infer,                                                      \
                                        .lower = lower};
DEPTH_OP(SPACE_TO_DEPTH, 1)
DEPTH_OP(DEPTH_TO_SPACE, 0)
