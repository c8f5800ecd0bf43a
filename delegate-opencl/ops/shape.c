// SPDX-License-Identifier: Apache-2.0
// SHAPE and RANK: the input's dimensions, and how many there are.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/tensor.h"

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

const LiteClOp lite_cl_op_SHAPE = {.params_size = sizeof(TfLiteShapeParams),
                                   .min_inputs = 1,
                                   .max_inputs = 1,
                                   .inputs = ".",
                                   .outputs = "I",
                                   .types = LITE_TYPE(Int32) | LITE_TYPE(Int64),
                                   .check = shape_check,
                                   .infer = shape_infer,
                                   .lower = shape_lower};

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

const LiteClOp lite_cl_op_RANK = {.min_inputs = 1,
                                  .max_inputs = 1,
                                  .inputs = ".",
                                  .outputs = "i",
                                  .types = LITE_TYPE(Int32),
                                  .infer = rank_infer,
                                  .lower = rank_lower};
