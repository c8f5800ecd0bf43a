// SPDX-License-Identifier: Apache-2.0
// SPARSE_TO_DENSE: indices, shape, values, default.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/indices.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "kernels-cl/args/coordinates.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *indices = &node->inputs[0]->shape, *values = &node->inputs[2]->shape;
    LiteClInts dims;
    if (!lite_cl_constant_ints(node, 1, &dims, reason)) return false;
    for (int d = 0; d < dims.count; d++) {
        if (!lite_cl_append_dim(output, dims.values[d], reason)) return false;
    }
    const int rows = indices->rank == 0 ? 1 : indices->dims[0];
    const int depth = indices->rank == 2 ? indices->dims[1] : 1;
    if (indices->rank > 2 || values->rank > 1 || node->inputs[1]->shape.rank != 1 || depth != dims.count ||
        (values->rank == 1 && values->dims[0] != rows) || lite_shape_elements(&node->inputs[3]->shape) != 1) {
        return lite_cl_refuse(reason, "%d indices of %d lite_cl_coordinates", rows, depth);
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    const LiteShape* indices = &node->inputs[0]->shape;
    LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_plan_tensor(plan, node->inputs[3]),
                          lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape)));
    const LiteShape rows = {2, {indices->rank == 0 ? 1 : indices->dims[0], output->shape.rank}};
    LiteClCoordinatesArgs args = lite_cl_coordinates(plan, node, &rows, &output->shape);
    if (node->inputs[2]->shape.rank == 0) args.row_step = 0;
    const LiteClPrelude prelude = lite_cl_index_prelude(output, node->inputs[0]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_sparse_to_dense,
        .kernel = "sparse_to_dense",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 4,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[2]), lite_cl_plan_tensor(plan, node->inputs[0]),
                    lite_cl_plan_tensor(plan, output), lite_cl_plan_status(plan)},
        .items = {lite_cl_chunks(args.inner, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_SPARSE_TO_DENSE = {.rounds = kLiteClRoundsAll,
                                             .min_inputs = 4,
                                             .max_inputs = 4,
                                             .inputs = "IPTT",
                                             .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE |
                                                      LITE_TYPE(Int32) | LITE_TYPE(Int64),
                                             .infer = infer,
                                             .lower = lower};
