// SPDX-License-Identifier: Apache-2.0
// Elements in another order: TRANSPOSE permutes dimensions, REVERSE_V2 reverses some.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/move.h"

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
    lite_cl_agreed(read_permutation(node, &permutation, &(LiteClReason){0}));
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
    unsigned reversed;
    lite_cl_agreed(read_reversed(node, &reversed, &(LiteClReason){0}));
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
                                        .types = LITE_TYPES_INTEGER | LITE_TYPES_FLOAT | LITE_TYPE(BFloat16) |
                                                 LITE_TYPE(Bool),
                                        .infer = reverse_infer,
                                        .lower = reverse_lower};
