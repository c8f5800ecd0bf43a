// SPDX-License-Identifier: Apache-2.0
// One element in many places, and tensors of which shapes alone say the contents.
#include "delegate-opencl/ops/move.h"

// A vector of lengths at input `index`.
static bool read_lengths(const LiteClNode* node, int index, LiteClInts* lengths, LiteClReason* reason) {
    if (!lite_cl_constant_ints(node, index, lengths, reason)) return false;
    if (node->inputs[index]->shape.rank != 1 || lengths->count > LITE_MAX_RANK)
        return lite_cl_refuse(reason, "input %d is not a shape", index);
    for (int d = 0; d < lengths->count; d++) {
        if (lengths->values[d] < 0 || lengths->values[d] > INT32_MAX)
            return lite_cl_refuse(reason, "length %lld", (long long)lengths->values[d]);
    }
    return true;
}

static bool broadcast_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts lengths;
    if (!read_lengths(node, 1, &lengths, reason)) return false;
    const int added = lengths.count - input->rank;
    if (added < 0) return lite_cl_refuse(reason, "from %d to %d dimensions", input->rank, lengths.count);
    output->rank = lengths.count;
    for (int d = 0; d < output->rank; d++) {
        const int32_t length = d < added ? 1 : input->dims[d - added];
        if (length != 1 && length != lengths.values[d])
            return lite_cl_refuse(reason, "from %d to %lld", length, (long long)lengths.values[d]);
        output->dims[d] = (int32_t)lengths.values[d];
    }
    return true;
}

static TfLiteStatus broadcast_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape *input = &node->inputs[0]->shape, *output = &node->outputs[0]->shape;
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    lite_move_strides(input, from);
    lite_move_strides(output, to);
    const int added = output->rank - input->rank;
    LiteMove move = {0};
    for (int d = 0; d < output->rank; d++) {
        const bool repeated = d < added || input->dims[d - added] == 1;
        lite_move_add(&move, output->dims[d], repeated ? 0 : from[d - added], to[d]);
    }
    return lite_cl_move_tensor(plan, &move, node->inputs[0], 0, node->outputs[0], 0);
}

static bool tile_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts multiples;
    if (!read_lengths(node, 1, &multiples, reason)) return false;
    if (multiples.count != input->rank)
        return lite_cl_refuse(reason, "%d multiples for %d dimensions", multiples.count, input->rank);
    output->rank = input->rank;
    for (int d = 0; d < output->rank; d++) {
        const int64_t length = input->dims[d] * multiples.values[d];
        if (length > INT32_MAX) return lite_cl_refuse(reason, "the output would be too large");
        output->dims[d] = (int32_t)length;
    }
    return true;
}

static TfLiteStatus tile_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape *input = &node->inputs[0]->shape, *output = &node->outputs[0]->shape;
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    lite_move_strides(input, from);
    lite_move_strides(output, to);
    LiteMove move = {0};
    for (int d = 0; d < input->rank; d++) {
        const int64_t length = input->dims[d];
        if (length > 0) lite_move_add(&move, output->dims[d] / length, 0, to[d] * length);
        lite_move_add(&move, length, from[d], to[d]);
    }
    return lite_cl_move_tensor(plan, &move, node->inputs[0], 0, node->outputs[0], 0);
}

static bool fill_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClInts lengths;
    if (!read_lengths(node, 0, &lengths, reason)) return false;
    if (node->inputs[1]->shape.rank != 0) return lite_cl_refuse(reason, "the value is not a scalar");
    if (!lite_cl_same_quantization(node->inputs[1], node->outputs[0], reason)) return false;
    output->rank = lengths.count;
    for (int d = 0; d < output->rank; d++) output->dims[d] = (int32_t)lengths.values[d];
    return true;
}

static TfLiteStatus fill_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    return lite_cl_fill(plan, output->type, lite_cl_plan_tensor(plan, node->inputs[1]),
                        lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape));
}

static bool zeros_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    (void)reason;
    *output = node->inputs[0]->shape;
    return true;
}

static TfLiteStatus zeros_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    return lite_cl_fill(plan, output->type, lite_cl_scalar(plan, node, output->type, 0),
                        lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape));
}

static bool shape_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    (void)reason;
    *output = (LiteShape){.rank = 1, .dims = {node->inputs[0]->shape.rank}};
    return true;
}

static bool shape_check(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteShapeParams* params = node->params;
    return lite_cl_is_output_type(node, params->out_type, reason);
}

// Each length is a constant of its own, so that a new shape does not need new constants often.
static TfLiteStatus shape_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    const LiteShape* input = &node->inputs[0]->shape;
    LiteMove one = {0};
    for (int d = 0; d < input->rank; d++) {
        LITE_TRY(lite_cl_move_storage(plan, &one, output->type,
                                      lite_cl_scalar(plan, node, output->type, input->dims[d]), 0,
                                      lite_cl_plan_tensor(plan, output), d));
    }
    return kTfLiteOk;
}

static bool rank_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    (void)node, (void)reason;
    *output = (LiteShape){0};
    return true;
}

static TfLiteStatus rank_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    const int value = lite_cl_scalar(plan, node, output->type, node->inputs[0]->shape.rank);
    return lite_cl_fill(plan, output->type, value, lite_cl_plan_tensor(plan, output), 1);
}

#define BROADCAST_OP(NAME, count, in, out, element_types, function)                                          \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = (count),                                               \
                                        .max_inputs = (count),                                               \
                                        .inputs = (in),                                                      \
                                        .outputs = (out),                                                    \
                                        .types = (element_types),                                            \
                                        .infer = function##_infer,                                           \
                                        .lower = function##_lower};
BROADCAST_OP(BROADCAST_TO, 2, "TP", "T", LITE_CL_ANY, broadcast)
BROADCAST_OP(TILE, 2, "TP", "T", LITE_CL_ANY, tile)
BROADCAST_OP(FILL, 2, "PT", "T", LITE_CL_ANY, fill)
BROADCAST_OP(ZEROS_LIKE, 1, "T", "T", LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64),
             zeros)
BROADCAST_OP(RANK, 1, ".", "i", LITE_CL_TYPE(Int32), rank)
const LiteClOp lite_cl_op_SHAPE = {.params_size = sizeof(TfLiteShapeParams),
                                   .min_inputs = 1,
                                   .max_inputs = 1,
                                   .inputs = ".",
                                   .outputs = "I",
                                   .types = LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64),
                                   .check = shape_check,
                                   .infer = shape_infer,
                                   .lower = shape_lower};
