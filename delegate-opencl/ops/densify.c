// SPDX-License-Identifier: Apache-2.0
// DENSIFY: the host has made the constant input dense, see lite_cl_fold_sparse.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    return node->inputs[0]->sparsity != NULL || lite_cl_refuse(reason, "the input is not a sparse constant");
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    return lite_cl_move_whole(plan, node->inputs[0], node->outputs[0]);
}

const LiteClOp lite_cl_op_DENSIFY = {.rounds = kLiteClRoundsAll,
                                     .min_inputs = 1,
                                     .max_inputs = 1,
                                     .sparse = LITE_CL_INPUTS(0, 1),
                                     .types = LITE_TYPES_FLOAT | LITE_TYPE(Int8),
                                     .infer = infer,
                                     .lower = lower};
