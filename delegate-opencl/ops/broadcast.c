// SPDX-License-Identifier: Apache-2.0
// One element in many places: BROADCAST_TO, TILE, FILL, ZEROS_LIKE; and BROADCAST_ARGS, the shape that two
// shapes broadcast to.
#include "kernels-cl/args/broadcast.h"
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"

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

#define BROADCAST_OP(NAME, count, letters, element_types, function)                                          \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = (count),                                               \
                                        .max_inputs = (count),                                               \
                                        .inputs = (letters),                                                 \
                                        .types = (element_types),                                            \
                                        .infer = function##_infer,                                           \
                                        .lower = function##_lower};
BROADCAST_OP(BROADCAST_TO, 2, "TP", LITE_CL_ANY, broadcast)
BROADCAST_OP(TILE, 2, "TP", LITE_CL_ANY, tile)
BROADCAST_OP(FILL, 2, "PT", LITE_CL_ANY, fill)
BROADCAST_OP(ZEROS_LIKE, 1, "T", LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64), zeros)

static bool broadcast_args_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *a = &node->inputs[0]->shape, *b = &node->inputs[1]->shape;
    if (a->rank != 1 || b->rank != 1) return lite_cl_refuse(reason, "%d and %d dimensions", a->rank, b->rank);
    *output = a->dims[0] > b->dims[0] ? *a : *b;
    return true;
}

static TfLiteStatus broadcast_args_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClBroadcastArgs args = {.count = node->outputs[0]->shape.dims[0],
                                      .a_count = node->inputs[0]->shape.dims[0],
                                      .b_count = node->inputs[1]->shape.dims[0],
                                      .node = node->index + 1};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    const LiteClLaunch launch = {.family = &lite_cl_source_broadcast,
                                 .kernel = "broadcast_args",
                                 .prelude = prelude.text,
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .items = {(size_t)args.count, 1, 1}};
    return lite_cl_launch_buffers(plan, node, &launch, true);
}

const LiteClOp lite_cl_op_BROADCAST_ARGS = {.min_inputs = 2,
                                            .max_inputs = 2,
                                            .types = LITE_TYPE(Int32) | LITE_TYPE(Int64),
                                            .infer = broadcast_args_infer,
                                            .lower = broadcast_args_lower};
