// SPDX-License-Identifier: Apache-2.0
// Elements in another order: dimensions permuted or reversed, blocks of pixels into channels and back.
#include "delegate-opencl/ops/move.h"

static bool read_permutation(const LiteClNode* node, LiteClInts* permutation, LiteClReason* reason) {
    const int rank = node->inputs[0]->shape.rank;
    unsigned seen = 0;
    if (!lite_cl_constant_ints(node, 1, permutation, reason)) return false;
    if (permutation->count != rank || node->inputs[1]->shape.rank != 1) {
        return lite_cl_refuse(reason, "a permutation of %d for %d dimensions", permutation->count, rank);
    }
    for (int d = 0; d < rank; d++) {
        int64_t* axis = &permutation->values[d];
        if (*axis < -rank || *axis >= rank) return lite_cl_refuse(reason, "axis %lld", (long long)*axis);
        if (*axis < 0) *axis += rank;
        if ((seen >> *axis & 1u) != 0) return lite_cl_refuse(reason, "axis %lld twice", (long long)*axis);
        seen |= 1u << *axis;
    }
    return true;
}

static bool transpose_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClInts permutation;
    if (!read_permutation(node, &permutation, reason)) return false;
    output->rank = permutation.count;
    for (int d = 0; d < output->rank; d++)
        output->dims[d] = node->inputs[0]->shape.dims[permutation.values[d]];
    return true;
}

static TfLiteStatus transpose_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClInts permutation;
    LiteClReason reason;
    (void)read_permutation(node, &permutation, &reason); // infer has agreed to it
    const LiteShape* output = &node->outputs[0]->shape;
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    lite_move_strides(&node->inputs[0]->shape, from);
    lite_move_strides(output, to);
    LiteMove move = {0};
    for (int d = 0; d < output->rank; d++)
        lite_move_add(&move, output->dims[d], from[permutation.values[d]], to[d]);
    return lite_cl_move_tensor(plan, &move, node->inputs[0], 0, node->outputs[0], 0);
}

const LiteClOp lite_cl_op_TRANSPOSE = {.min_inputs = 2,
                                       .max_inputs = 2,
                                       .inputs = "Tp",
                                       .types = LITE_CL_ANY,
                                       .infer = transpose_infer,
                                       .lower = transpose_lower};

// Which dimensions are reversed, as bits: neighbours, as in the reference.
static bool read_reversed(const LiteClNode* node, unsigned* reversed, LiteClReason* reason) {
    const int rank = node->inputs[0]->shape.rank;
    LiteClInts axes;
    *reversed = 0;
    if (!lite_cl_constant_ints(node, 1, &axes, reason)) return false;
    if (node->inputs[1]->shape.rank != 1 || axes.count > rank)
        return lite_cl_refuse(reason, "%d axes", axes.count);
    for (int i = 0; i < axes.count; i++) {
        const int64_t axis = axes.values[i];
        if (axis < -rank || axis >= rank) return lite_cl_refuse(reason, "axis %lld", (long long)axis);
        *reversed |= 1u << (axis < 0 ? axis + rank : axis);
    }
    unsigned run = *reversed;
    while (run != 0 && (run & 1u) == 0) run >>= 1;
    return run == (1u << axes.count) - 1 || lite_cl_refuse(reason, "the axes are not neighbours");
}

static bool reverse_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    unsigned reversed;
    *output = node->inputs[0]->shape;
    return read_reversed(node, &reversed, reason);
}

static TfLiteStatus reverse_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape* shape = &node->inputs[0]->shape;
    LiteClReason reason;
    unsigned reversed;
    (void)read_reversed(node, &reversed, &reason);
    int64_t strides[LITE_MAX_RANK], offset = 0;
    lite_move_strides(shape, strides);
    LiteMove move = {0};
    for (int d = 0; d < shape->rank; d++) {
        const bool backwards = (reversed >> d & 1u) != 0;
        lite_move_add(&move, shape->dims[d], backwards ? -strides[d] : strides[d], strides[d]);
        if (backwards) offset += (shape->dims[d] - 1) * strides[d];
    }
    return lite_cl_move_tensor(plan, &move, node->inputs[0], offset, node->outputs[0], 0);
}

const LiteClOp lite_cl_op_REVERSE_V2 = {.min_inputs = 2,
                                        .max_inputs = 2,
                                        .inputs = "Tp",
                                        .types = LITE_CL_INTS | LITE_CL_FLOATS | LITE_CL_TYPE(BFloat16) |
                                                 LITE_CL_TYPE(Bool),
                                        .infer = reverse_infer,
                                        .lower = reverse_lower};

// The parameters of both operators are the size of a block.
static int block_of(const LiteClNode* node) {
    return *(const int*)node->params;
}

static bool depth_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
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
static TfLiteStatus depth_lower(LiteClPlan* plan, const LiteClNode* node) {
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
                                        .types = LITE_CL_FLOATS | LITE_CL_BYTES | LITE_CL_TYPE(Int32) |      \
                                                 LITE_CL_TYPE(Int64),                                        \
                                        .variant = (to_depth),                                               \
                                        .infer = depth_infer,                                                \
                                        .lower = depth_lower};
DEPTH_OP(SPACE_TO_DEPTH, 1)
DEPTH_OP(DEPTH_TO_SPACE, 0)
