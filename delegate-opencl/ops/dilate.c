// SPDX-License-Identifier: Apache-2.0
// DILATE: elements spread over a larger tensor of one value.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/move.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts dilations;
    if (!lite_cl_constant_ints(node, 1, &dilations, reason)) return false;
    if (dilations.count != input->rank || input->rank < 1 || node->inputs[1]->shape.rank != 1 ||
        lite_shape_elements(&node->inputs[2]->shape) < 1)
        return lite_cl_refuse(reason, "%d dilations for %d dimensions", dilations.count, input->rank);
    output->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        if (dilations.values[d] < 1 || dilations.values[d] > INT32_MAX)
            return lite_cl_refuse(reason, "dilation");
        const int64_t length = (input->dims[d] - INT64_C(1)) * dilations.values[d] + 1;
        if (length < 0 || length > INT32_MAX) return lite_cl_refuse(reason, "length %lld", (long long)length);
        output->dims[d] = (int32_t)length;
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor *input = node->inputs[0], *output = node->outputs[0];
    LiteClInts dilations;
    lite_cl_agreed(lite_cl_constant_ints(node, 1, &dilations, &(LiteClReason){0}));
    const int64_t count = lite_shape_elements(&output->shape);
    if (count != lite_shape_elements(&input->shape)) {
        LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_plan_tensor(plan, node->inputs[2]),
                              lite_cl_plan_tensor(plan, output), count));
    }
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    lite_move_strides(&input->shape, from);
    lite_move_strides(&output->shape, to);
    LiteMove move = {0};
    for (int d = 0; d < input->shape.rank; d++)
        lite_move_add(&move, input->shape.dims[d], from[d], to[d] * dilations.values[d]);
    return lite_cl_move_tensor(plan, &move, input, 0, output, 0);
}

const LiteClOp lite_cl_op_DILATE = {
    .min_inputs = 3, .max_inputs = 3, .inputs = "TpT", .types = LITE_CL_ANY, .infer = infer, .lower = lower};
