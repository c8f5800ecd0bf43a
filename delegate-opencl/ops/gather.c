// SPDX-License-Identifier: Apache-2.0
// GATHER: slices of one axis by their numbers. GATHER_ND: slices by their coordinates.
#include "kernels-cl/args/gather.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/indices.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "kernels-cl/args/coordinates.h"

typedef struct Gather {
    LiteClTensor* values;
    LiteClTensor* indices;
    int axis;
    int batch_dims;
} Gather;

static bool find_gather(const LiteClNode* node, Gather* gather, LiteClReason* reason) {
    *gather = (Gather){.values = node->inputs[0], .indices = node->inputs[1]};
    const LiteShape *values = &gather->values->shape, *indices = &gather->indices->shape;
    const TfLiteGatherParams* params = node->params;
    gather->axis = lite_axis(params->axis, values->rank);
    const int64_t batch =
        params->batch_dims < 0 ? (int64_t)params->batch_dims + indices->rank : params->batch_dims;
    if (gather->axis < 0 || batch < 0 || batch > gather->axis || batch > indices->rank)
        return lite_cl_refuse(reason, "axis %d and %d batch dimensions", params->axis, params->batch_dims);
    gather->batch_dims = (int)batch;
    for (int d = 0; d < gather->batch_dims; d++) {
        if (values->dims[d] != indices->dims[d])
            return lite_cl_refuse(reason, "batch dimension %d differs", d);
    }
    return true;
}

static bool gather_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    Gather gather;
    if (!find_gather(node, &gather, reason)) return false;
    const LiteShape *values = &gather.values->shape, *indices = &gather.indices->shape;
    return lite_cl_append_dims(output, values, 0, gather.axis, reason) &&
           lite_cl_append_dims(output, indices, gather.batch_dims, indices->rank, reason) &&
           lite_cl_append_dims(output, values, gather.axis + 1, values->rank, reason);
}

static TfLiteStatus gather_lower(LiteClPlan* plan, const LiteClNode* node) {
    Gather gather;
    lite_cl_agreed(find_gather(node, &gather, &(LiteClReason){0}));
    const LiteShape *values = &gather.values->shape, *indices = &gather.indices->shape;
    LiteClGatherArgs args = {
        .outer = (int)lite_cl_dims_product(values, gather.batch_dims, gather.axis),
        .entries = values->dims[gather.axis],
        .per_batch = (int)lite_cl_dims_product(indices, gather.batch_dims, indices->rank),
        .inner = (int)lite_cl_dims_product(values, gather.axis + 1, values->rank),
        .chunk = lite_cl_tune(plan->device->class)->chunk,
        .node = node->index + 1,
    };
    args.slices = (int)lite_cl_dims_product(values, 0, gather.axis) * args.per_batch;
    args.item_slices = args.inner < args.chunk ? args.chunk / (args.inner + 1) + 1 : 1;
    const LiteClPrelude prelude = lite_cl_index_prelude(gather.values, gather.indices);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_gather,
        .kernel = "gather",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 4,
        .buffers = {lite_cl_plan_tensor(plan, gather.values), lite_cl_plan_tensor(plan, gather.indices),
                    lite_cl_plan_tensor(plan, node->outputs[0]), lite_cl_plan_status(plan)},
        .items = {lite_cl_chunks(args.inner, args.chunk), lite_cl_chunks(args.slices, args.item_slices), 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

#define GATHER_TYPES (LITE_TYPES_INTEGER | LITE_TYPES_FLOAT | LITE_TYPE(BFloat16) | LITE_TYPE(Bool))
const LiteClOp lite_cl_op_GATHER = {.params_size = LITE_CL_PARAMS_UP_TO(TfLiteGatherParams, batch_dims),
                                    .min_inputs = 2,
                                    .max_inputs = 2,
                                    .inputs = "Tn",
                                    .types = GATHER_TYPES,
                                    .infer = gather_infer,
                                    .lower = gather_lower};

static bool gather_nd_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *values = &node->inputs[0]->shape, *indices = &node->inputs[1]->shape;
    if (values->rank < 1 || indices->rank < 1) return lite_cl_refuse(reason, "a scalar input");
    const int depth = indices->dims[indices->rank - 1];
    if (depth > values->rank)
        return lite_cl_refuse(reason, "%d lite_cl_coordinates of %d dimensions", depth, values->rank);
    if (depth == 0 || lite_shape_elements(values) == 0)
        return lite_cl_refuse(reason, "no lite_cl_coordinates, or an input without elements");
    return lite_cl_append_dims(output, indices, 0, indices->rank - 1, reason) &&
           lite_cl_append_dims(output, values, depth, values->rank, reason);
}

static TfLiteStatus gather_nd_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClCoordinatesArgs args =
        lite_cl_coordinates(plan, node, &node->inputs[1]->shape, &node->inputs[0]->shape);
    const LiteClPrelude prelude = lite_cl_index_prelude(node->inputs[0], node->inputs[1]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_gather,
        .kernel = "gather_nd",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.inner, args.chunk), (size_t)args.rows, 1},
    };
    return lite_cl_launch_buffers(plan, node, &launch, true);
}

const LiteClOp lite_cl_op_GATHER_ND = {.min_inputs = 2,
                                       .max_inputs = 2,
                                       .inputs = "Tn",
                                       .types = GATHER_TYPES,
                                       .infer = gather_nd_infer,
                                       .lower = gather_nd_lower};
