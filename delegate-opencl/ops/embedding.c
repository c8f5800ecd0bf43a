// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP_SPARSE. EMBEDDING_LOOKUP is a GATHER: index.c.
#include "delegate-opencl/ops/move.h"

enum { kIds, kIndices, kShape, kWeights, kTable, kInputs };

static bool sparse_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *indices = &node->inputs[kIndices]->shape, *ids = &node->inputs[kIds]->shape;
    const LiteShape *weights = &node->inputs[kWeights]->shape, *table = &node->inputs[kTable]->shape;
    LiteClInts dims;
    if (!lite_cl_constant_ints(node, kShape, &dims, reason)) return false;
    if (ids->rank != 1 || indices->rank != 2 || weights->rank != 1 || table->rank < 2 ||
        node->inputs[kShape]->shape.rank != 1 || ids->dims[0] != indices->dims[0] ||
        weights->dims[0] != indices->dims[0])
        return lite_cl_refuse(reason, "ids, indices, weights and table do not fit");
    if (dims.count < 1 || dims.count > LITE_CL_RANK || dims.count != indices->dims[1])
        return lite_cl_refuse(reason, "indices of %d dimensions, a shape of %d", indices->dims[1],
                              dims.count);
    for (int d = 0; d + 1 < dims.count; d++) {
        if (!lite_cl_append_dim(output, dims.values[d], reason)) return false;
    }
    for (int d = 1; d < table->rank; d++) {
        if (!lite_cl_append_dim(output, table->dims[d], reason)) return false;
    }
    return true;
}

static TfLiteStatus sparse_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteEmbeddingLookupSparseParams* params = node->params;
    const LiteShape* table = &node->inputs[kTable]->shape;
    LiteClTensor* output = node->outputs[0];
    LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_scalar(plan, node, output->type, 0),
                          lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape)));
    LiteClEmbeddingArgs args = {
        .entries = node->inputs[kIds]->shape.dims[0],
        .rank = node->inputs[kIndices]->shape.dims[1],
        .rows = table->dims[0],
        .length = table->dims[0] > 0 ? (int)(lite_shape_elements(table) / table->dims[0]) : 0,
        .combiner = (int)params->combiner,
        .chunk = lite_cl_tune(plan->device->class)->chunk,
        .node = node->index + 1,
    };
    for (int d = 0; d < args.rank; d++) args.dims[d] = (int)lite_cl_int_at(node->inputs[kShape], d);
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "COMBINER_SUM %d", (int)kTfLiteCombinerTypeSum);
    lite_cl_define(&prelude, "COMBINER_MEAN %d", (int)kTfLiteCombinerTypeMean);
    const LiteClLaunch launch = {
        .family = "embedding",
        .kernel = "lookup_sparse",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 6,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[kIds]),
                    lite_cl_plan_tensor(plan, node->inputs[kIndices]),
                    lite_cl_plan_tensor(plan, node->inputs[kWeights]),
                    lite_cl_plan_tensor(plan, node->inputs[kTable]), lite_cl_plan_tensor(plan, output),
                    lite_cl_plan_status(plan)},
        .items = {lite_cl_chunks(args.length, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_EMBEDDING_LOOKUP_SPARSE = {.params_size = sizeof(TfLiteEmbeddingLookupSparseParams),
                                                     .min_inputs = kInputs,
                                                     .max_inputs = kInputs,
                                                     .inputs = "iiiff",
                                                     .outputs = "f",
                                                     .infer = sparse_infer,
                                                     .lower = sparse_lower};
