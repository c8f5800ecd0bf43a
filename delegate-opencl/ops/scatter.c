// SPDX-License-Identifier: Apache-2.0
// SCATTER_ND: indices, updates, shape. Updates of one place are added.
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/combine.h"
#include "kernels-cl/args/coordinates.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *indices = &node->inputs[0]->shape, *updates = &node->inputs[1]->shape;
    LiteClInts dims;
    if (!lite_cl_constant_ints(node, 2, &dims, reason)) return false;
    if (indices->rank < 1 || updates->rank < 1 || dims.count > LITE_MAX_RANK ||
        node->inputs[2]->shape.rank != 1)
        return lite_cl_refuse(reason, "a scalar, or more than 8 dimensions");
    output->rank = dims.count;
    for (int d = 0; d < dims.count; d++) {
        if (dims.values[d] < 0) return lite_cl_refuse(reason, "length %lld", (long long)dims.values[d]);
        output->dims[d] = (int32_t)dims.values[d];
    }
    const int outer = indices->rank - 1, depth = indices->dims[outer];
    if (depth > output->rank || updates->rank != outer + output->rank - depth)
        return lite_cl_refuse(reason, "%d coordinates, updates of %d dimensions", depth, updates->rank);
    for (int d = 0; d < updates->rank; d++) {
        if (updates->dims[d] != (d < outer ? indices->dims[d] : output->dims[depth + d - outer]))
            return lite_cl_refuse(reason, "dimension %d of the updates", d);
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape *indices = &node->inputs[0]->shape, *output = &node->outputs[0]->shape;
    LiteClCoordinatesArgs args = {.depth = indices->dims[indices->rank - 1],
                                  .rows = 1,
                                  .inner = 1,
                                  .chunk = lite_cl_tune(plan->device->class)->chunk,
                                  .node = node->index + 1};
    for (int d = 0; d + 1 < indices->rank; d++) args.rows *= indices->dims[d];
    for (int d = 0; d < output->rank; d++) {
        if (d < args.depth) args.dims[d] = output->dims[d];
        if (d >= args.depth) args.inner *= output->dims[d];
    }
    return lite_cl_combine_rows(plan, node, kLiteClSum, node->inputs[1], node->inputs[0], &args);
}

const LiteClOp lite_cl_op_SCATTER_ND = {.rounds = kLiteClRoundsAll,
                                        .min_inputs = 3,
                                        .max_inputs = 3,
                                        .inputs = "iTp",
                                        .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int32) |
                                                 LITE_TYPE(Int64) | LITE_TYPE(Bool),
                                        .infer = infer,
                                        .lower = lower};
