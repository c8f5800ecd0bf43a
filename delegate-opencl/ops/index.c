// SPDX-License-Identifier: Apache-2.0
// Elements moved to or from places that a tensor of indices names.
#include "delegate-opencl/ops/move.h"

static LiteClPrelude prelude_of(const LiteClTensor* elements, const LiteClTensor* indices) {
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "I_", indices->type);
    lite_cl_define_element(&prelude, elements->type);
    return prelude;
}

static int64_t product(const LiteShape* shape, int begin, int end) {
    int64_t count = 1;
    for (int d = begin; d < end; d++) count *= shape->dims[d];
    return count;
}

static bool append_dims(LiteShape* shape, const LiteShape* from, int begin, int end, LiteClReason* reason) {
    for (int d = begin; d < end; d++) {
        if (!lite_cl_append_dim(shape, from->dims[d], reason)) return false;
    }
    return true;
}

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
    return append_dims(output, values, 0, gather.axis, reason) &&
           append_dims(output, indices, gather.batch_dims, indices->rank, reason) &&
           append_dims(output, values, gather.axis + 1, values->rank, reason);
}

static TfLiteStatus gather_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClReason reason;
    Gather gather;
    (void)find_gather(node, &gather, &reason); // infer has agreed to it
    const LiteShape *values = &gather.values->shape, *indices = &gather.indices->shape;
    LiteClGatherArgs args = {
        .outer = (int)product(values, gather.batch_dims, gather.axis),
        .entries = values->dims[gather.axis],
        .per_batch = (int)product(indices, gather.batch_dims, indices->rank),
        .inner = (int)product(values, gather.axis + 1, values->rank),
        .chunk = lite_cl_tune(plan->device->class)->chunk,
        .node = node->index + 1,
    };
    args.slices = (int)product(values, 0, gather.axis) * args.per_batch;
    args.item_slices = args.inner < args.chunk ? args.chunk / (args.inner + 1) + 1 : 1;
    const LiteClPrelude prelude = prelude_of(gather.values, gather.indices);
    const LiteClLaunch launch = {
        .family = "index",
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

#define GATHER_TYPES (LITE_CL_INTS | LITE_CL_FLOATS | LITE_CL_TYPE(BFloat16) | LITE_CL_TYPE(Bool))
const LiteClOp lite_cl_op_GATHER = {.params_size = LITE_CL_PARAMS_UP_TO(TfLiteGatherParams, batch_dims),
                                    .min_inputs = 2,
                                    .max_inputs = 2,
                                    .inputs = "Tn",
                                    .types = GATHER_TYPES,
                                    .infer = gather_infer,
                                    .lower = gather_lower};

// Rows of coordinates in `indices` that name slices of `whole`.
static LiteClCoordinatesArgs coordinates(const LiteClPlan* plan, const LiteClNode* node,
                                         const LiteShape* indices, const LiteShape* whole) {
    LiteClCoordinatesArgs args = {.depth = indices->rank > 0 ? indices->dims[indices->rank - 1] : 1,
                                  .rows = (int)product(indices, 0, indices->rank - 1),
                                  .chunk = lite_cl_tune(plan->device->class)->chunk,
                                  .node = node->index + 1};
    for (int d = 0; d < args.depth; d++) args.dims[d] = whole->dims[d];
    args.inner = args.row_step = (int)product(whole, args.depth, whole->rank);
    return args;
}

static bool gather_nd_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *values = &node->inputs[0]->shape, *indices = &node->inputs[1]->shape;
    if (values->rank < 1 || indices->rank < 1) return lite_cl_refuse(reason, "a scalar input");
    const int depth = indices->dims[indices->rank - 1];
    if (depth > values->rank)
        return lite_cl_refuse(reason, "%d coordinates of %d dimensions", depth, values->rank);
    if (depth == 0 || lite_shape_elements(values) == 0)
        return lite_cl_refuse(reason, "no coordinates, or an input without elements");
    return append_dims(output, indices, 0, indices->rank - 1, reason) &&
           append_dims(output, values, depth, values->rank, reason);
}

static TfLiteStatus gather_nd_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClCoordinatesArgs args =
        coordinates(plan, node, &node->inputs[1]->shape, &node->inputs[0]->shape);
    const LiteClPrelude prelude = prelude_of(node->inputs[0], node->inputs[1]);
    const LiteClLaunch launch = {
        .family = "index",
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

// SPARSE_TO_DENSE: indices, shape, values, default.
static bool dense_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
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
        return lite_cl_refuse(reason, "%d indices of %d coordinates", rows, depth);
    }
    return true;
}

static TfLiteStatus dense_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    const LiteShape* indices = &node->inputs[0]->shape;
    LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_plan_tensor(plan, node->inputs[3]),
                          lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape)));
    const LiteShape rows = {2, {indices->rank == 0 ? 1 : indices->dims[0], output->shape.rank}};
    LiteClCoordinatesArgs args = coordinates(plan, node, &rows, &output->shape);
    if (node->inputs[2]->shape.rank == 0) args.row_step = 0;
    const LiteClPrelude prelude = prelude_of(output, node->inputs[0]);
    const LiteClLaunch launch = {
        .family = "index",
        .kernel = "scatter_rows",
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

const LiteClOp lite_cl_op_SPARSE_TO_DENSE = {.min_inputs = 4,
                                             .max_inputs = 4,
                                             .inputs = "IPTT",
                                             .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES |
                                                      LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64),
                                             .infer = dense_infer,
                                             .lower = dense_lower};

// ONE_HOT: indices, depth, on, off.
static bool one_hot_axis(const LiteClNode* node, int* axis, int64_t* depth, LiteClReason* reason) {
    const int rank = node->inputs[0]->shape.rank, wanted = ((const TfLiteOneHotParams*)node->params)->axis;
    LiteClInts ints;
    if (!lite_cl_constant_ints(node, 1, &ints, reason)) return false;
    if (ints.count != 1 || ints.values[0] < 0) return lite_cl_refuse(reason, "no depth");
    if (wanted < -1 || wanted > rank) return lite_cl_refuse(reason, "axis %d", wanted);
    *depth = ints.values[0];
    *axis = wanted == -1 ? rank : wanted;
    return true;
}

static bool one_hot_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* indices = &node->inputs[0]->shape;
    int axis;
    int64_t depth;
    if (!one_hot_axis(node, &axis, &depth, reason)) return false;
    if (lite_shape_elements(&node->inputs[2]->shape) != 1 ||
        lite_shape_elements(&node->inputs[3]->shape) != 1)
        return lite_cl_refuse(reason, "the values are not one element each");
    return append_dims(output, indices, 0, axis, reason) && lite_cl_append_dim(output, depth, reason) &&
           append_dims(output, indices, axis, indices->rank, reason);
}

static TfLiteStatus one_hot_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* output = node->outputs[0];
    LiteClReason reason;
    int axis = 0;
    int64_t depth = 0;
    (void)one_hot_axis(node, &axis, &depth, &reason); // infer has agreed to it
    const LiteClOneHotArgs args = {.count = (int)lite_shape_elements(&output->shape),
                                   .depth = (int)depth,
                                   .inner = lite_cl_axis(&output->shape, axis).inner,
                                   .chunk = lite_cl_tune(plan->device->class)->chunk};
    const LiteClPrelude prelude = prelude_of(output, node->inputs[0]);
    const LiteClLaunch launch = {
        .family = "index",
        .kernel = "one_hot",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 4,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->inputs[2]),
                    lite_cl_plan_tensor(plan, node->inputs[3]), lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_ONE_HOT = {.params_size = LITE_CL_PARAMS_UP_TO(TfLiteOneHotParams, axis),
                                     .min_inputs = 4,
                                     .max_inputs = 4,
                                     .inputs = "IpT",
                                     .types = LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int32) |
                                              LITE_CL_TYPE(Int64) | LITE_CL_BYTES | LITE_CL_TYPE(Bool),
                                     .infer = one_hot_infer,
                                     .lower = one_hot_lower};

static bool reverse_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteReverseSequenceParams* params = node->params;
    const LiteShape *input = &node->inputs[0]->shape, *lengths = &node->inputs[1]->shape;
    const int sequence = params->seq_dim, batch = params->batch_dim;
    if (sequence < 0 || sequence >= input->rank || batch < 0 || batch >= input->rank || sequence == batch)
        return lite_cl_refuse(reason, "sequence dimension %d, batch dimension %d", sequence, batch);
    if (lengths->rank != 1 || lengths->dims[0] != input->dims[batch])
        return lite_cl_refuse(reason, "not a length for each batch");
    // Where no kernel looks at the lengths.
    if (lite_shape_elements(input) == 0) return lite_cl_refuse(reason, "the input is empty");
    *output = *input;
    return true;
}

static TfLiteStatus reverse_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteReverseSequenceParams* params = node->params;
    const LiteShape* shape = &node->inputs[0]->shape;
    const LiteClAxis sequence = lite_cl_axis(shape, params->seq_dim),
                     batch = lite_cl_axis(shape, params->batch_dim);
    const LiteClReverseSequenceArgs args = {.count = (int)lite_shape_elements(shape),
                                            .batch = batch.length,
                                            .batch_stride = batch.inner,
                                            .length = sequence.length,
                                            .stride = sequence.inner,
                                            .chunk = lite_cl_tune(plan->device->class)->chunk,
                                            .node = node->index + 1};
    const LiteClPrelude prelude = prelude_of(node->inputs[0], node->inputs[1]);
    const LiteClLaunch launch = {
        .family = "index",
        .kernel = "reverse_sequence",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_buffers(plan, node, &launch, true);
}

const LiteClOp lite_cl_op_REVERSE_SEQUENCE = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteReverseSequenceParams, batch_dim),
    .min_inputs = 2,
    .max_inputs = 2,
    .inputs = "TI",
    .types = LITE_CL_TYPE(Float32) | LITE_CL_TYPE(UInt8) | LITE_CL_TYPE(Int16) | LITE_CL_TYPE(Int32) |
             LITE_CL_TYPE(Int64),
    .infer = reverse_infer,
    .lower = reverse_lower};

// DYNAMIC_UPDATE_SLICE: operand, update, start.
static bool update_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
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

static TfLiteStatus update_lower(LiteClPlan* plan, const LiteClNode* node) {
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
    const LiteClPrelude prelude = prelude_of(output, node->inputs[2]);
    const LiteClLaunch launch = {
        .family = "index",
        .kernel = "update_slice",
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

const LiteClOp lite_cl_op_DYNAMIC_UPDATE_SLICE = {.min_inputs = 3,
                                                  .max_inputs = 3,
                                                  .inputs = "TTI",
                                                  .types = LITE_CL_ANY,
                                                  .infer = update_infer,
                                                  .lower = update_lower};
