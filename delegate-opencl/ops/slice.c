// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE: a rectangular part of the input.
#include "core/semantics/slice.h"
#include "core/semantics/move.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/move.h"

static bool slice_part(const LiteClNode* node, LitePart* part, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts begins, sizes;
    if (node->inputs[1]->type != node->inputs[2]->type)
        return lite_cl_refuse(reason, "begins and sizes differ in type");
    if (!lite_cl_constant_ints(node, 1, &begins, reason) || !lite_cl_constant_ints(node, 2, &sizes, reason))
        return false;
    if (node->inputs[1]->shape.rank != 1 || node->inputs[2]->shape.rank != 1 || begins.count != input->rank ||
        sizes.count != input->rank) {
        return lite_cl_refuse(reason, "%d begins and %d sizes for %d dimensions", begins.count, sizes.count,
                              input->rank);
    }
    const LiteReporter reporter = lite_cl_reason_reporter(reason);
    return lite_slice_part(input, begins.values, sizes.values, part, &reporter) == kTfLiteOk;
}

static bool strided_part(const LiteClNode* node, LitePart* part, LiteClReason* reason) {
    LiteClInts begin, end, stride;
    if (!lite_cl_constant_ints(node, 1, &begin, reason) || !lite_cl_constant_ints(node, 2, &end, reason) ||
        !lite_cl_constant_ints(node, 3, &stride, reason)) {
        return false;
    }
    if (begin.count > LITE_MAX_RANK || end.count != begin.count || stride.count != begin.count)
        return lite_cl_refuse(reason, "%d begins, %d ends, %d strides", begin.count, end.count, stride.count);
    for (int i = 1; i <= 3; i++) {
        if (node->inputs[i]->shape.rank != 1) return lite_cl_refuse(reason, "input %d is not a vector", i);
    }
    const LiteStrides strides = {begin.count, begin.values, end.values, stride.values, node->params};
    const LiteReporter reporter = lite_cl_reason_reporter(reason);
    return lite_strided_part(&node->inputs[0]->shape, &strides, part, &reporter) == kTfLiteOk;
}

static bool find_part(const LiteClNode* node, LitePart* part, LiteClReason* reason) {
    if (node->input_count == 3) return slice_part(node, part, reason);
    return strided_part(node, part, reason);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (node->inputs[1]->type != node->inputs[2]->type)
        return lite_cl_refuse(reason, "inputs 1 and 2 differ in type");
    LitePart part;
    if (!find_part(node, &part, reason)) return false;
    for (int d = 0; d < part.rank; d++) {
        if (!part.dropped[d]) output->dims[output->rank++] = (int32_t)part.length[d];
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LitePart part = {0};
    lite_cl_agreed(find_part(node, &part, &(LiteClReason){0}));
    int64_t strides[LITE_MAX_RANK], offset = 0, stride = lite_shape_elements(&node->outputs[0]->shape);
    if (stride == 0) return kTfLiteOk;
    LiteClTensor* output = node->outputs[0];
    if (!lite_part_is_inside(&part)) { // zeros where there is no input
        LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_scalar(plan, node, output->type, 0),
                              lite_cl_plan_tensor(plan, output), stride));
    }
    lite_move_strides(&part.seen, strides);
    LiteMove move = {0};
    for (int d = 0; d < part.rank && part.length[d] > 0; d++) { // as the output is not empty
        stride /= part.length[d];
        if (part.inside[d] == 0) return kTfLiteOk;
        lite_move_add(&move, part.inside[d], strides[d] * part.step[d], stride);
        offset += part.begin[d] * strides[d];
    }
    return lite_cl_move_tensor(plan, &move, node->inputs[0], offset, output, 0);
}

const LiteClOp lite_cl_op_SLICE = {
    .min_inputs = 3, .max_inputs = 3, .inputs = "TP", .types = LITE_CL_ANY, .infer = infer, .lower = lower};
const LiteClOp lite_cl_op_STRIDED_SLICE = {.params_size =
                                               LITE_CL_PARAMS_UP_TO(TfLiteStridedSliceParams, offset),
                                           .min_inputs = 4,
                                           .max_inputs = 4,
                                           .inputs = "Tp",
                                           .types = LITE_CL_ANY,
                                           .infer = infer,
                                           .lower = lower};
