// SPDX-License-Identifier: Apache-2.0
// DYNAMIC_UPDATE_SLICE: operand, update, start.
#include "kernels-cl/args/dynamic_update_slice.h"
#include "core/semantics/move.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/indices.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *operand = &node->inputs[0]->shape, *update = &node->inputs[1]->shape;
    const LiteShape* start = &node->inputs[2]->shape;
    if (update->rank != operand->rank || start->rank != 1 || start->dims[0] != operand->rank)
        return lite_cl_refuse(reason, "operand, update and start do not fit");
    for (int d = 0; d < operand->rank; d++) {
        if (update->dims[d] > operand->dims[d]) return lite_cl_refuse(reason, "the update is larger");
    }
    *output = *operand;
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor *output = node->outputs[0], *update = node->inputs[1];
    LiteMove move = {0};
    lite_move_add(&move, lite_shape_elements(&output->shape), 1, 1);
    LITE_TRY(lite_cl_move_tensor(plan, &move, node->inputs[0], 0, output, 0));
    LiteClUpdateSliceArgs args = {.rank = output->shape.rank,
                                  .count = (int)lite_shape_elements(&update->shape),
                                  .chunk = lite_cl_tune(plan->device->class)->chunk};
    int64_t strides[LITE_MAX_RANK];
    lite_move_strides(&output->shape, strides);
    for (int d = 0; d < args.rank; d++) {
        args.dims[d] = update->shape.dims[d];
        args.strides[d] = (int)strides[d];
        args.most[d] = output->shape.dims[d] - update->shape.dims[d];
    }
    const LiteClPrelude prelude = lite_cl_index_prelude(output, node->inputs[2]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_dynamic_update_slice,
        .kernel = "dynamic_update_slice",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, update), lite_cl_plan_tensor(plan, node->inputs[2]),
                    lite_cl_plan_tensor(plan, output)},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_DYNAMIC_UPDATE_SLICE = {
    .min_inputs = 3, .max_inputs = 3, .inputs = "TTI", .types = LITE_CL_ANY, .infer = infer, .lower = lower};
