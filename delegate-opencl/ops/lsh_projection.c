// SPDX-License-Identifier: Apache-2.0
#include "kernels-cl/args/lsh_projection.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/plan/plan.h"

enum { kSeeds, kInput, kWeights, kInputs };

static bool is_dense(const LiteClNode* node) {
    return ((const TfLiteLSHProjectionParams*)node->params)->type == kTfLiteLshProjectionDense;
}

static bool projection_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteLSHProjectionParams* params = node->params;
    const LiteShape *seeds = &node->inputs[kSeeds]->shape, *input = &node->inputs[kInput]->shape;
    const LiteClTensor* weights = lite_cl_input(node, kWeights);
    if (!is_dense(node) && params->type != kTfLiteLshProjectionSparse)
        return lite_cl_refuse(reason, "projection type %d", (int)params->type);
    if (seeds->rank != 2 || seeds->dims[1] > 32 || input->rank < 1 || input->dims[0] < 1)
        return lite_cl_refuse(reason, "no seeds for up to 32 bits, or no items");
    if (node->input_count == kInputs && weights == NULL) return lite_cl_refuse(reason, "input 2 is absent");
    if (weights != NULL && (weights->shape.rank != 1 || weights->shape.dims[0] != input->dims[0]))
        return lite_cl_refuse(reason, "not a weight for each item");
    if (lite_cl_tensor_bytes(node->inputs[kInput]) > INT32_MAX / 2)
        return lite_cl_refuse(reason, "the items are too large");
    const int64_t count = is_dense(node) ? lite_shape_elements(seeds) : seeds->dims[0];
    return lite_cl_append_dim(output, count, reason);
}

static TfLiteStatus projection_lower(LiteClPlan* plan, const LiteClNode* node) {
    const int bits = node->inputs[kSeeds]->shape.dims[1];
    LiteClTensor *input = node->inputs[kInput],
                 *weights = node->input_count == kInputs ? node->inputs[kWeights] : NULL;
    // With 32 bits there is no room for ranges: the reference's shift is modulo 32.
    LiteClLshArgs args = {.count = node->outputs[0]->shape.dims[0],
                          .bits = is_dense(node) ? 1 : bits,
                          .items = input->shape.dims[0],
                          .item_bytes = (int)(lite_cl_tensor_bytes(input) / (size_t)input->shape.dims[0]),
                          .weighted = weights != NULL,
                          .range = is_dense(node) ? 0 : (int)(UINT32_C(1) << (bits & 31))};
    // Items without a byte are all alike, and a model needs no memory to have any number of them.
    if (args.item_bytes == 0 && weights == NULL) args.items = 1;
    const int seeds = lite_cl_plan_tensor(plan, node->inputs[kSeeds]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_lsh_projection,
        .kernel = "project",
        .prelude = "",
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 4,
        .buffers = {seeds, lite_cl_plan_tensor(plan, input),
                    weights != NULL ? lite_cl_plan_tensor(plan, weights) : seeds,
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {(size_t)args.count, 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_LSH_PROJECTION = {.rounds = kLiteClRoundsAll,
                                            .params_size = sizeof(TfLiteLSHProjectionParams),
                                            .min_inputs = kWeights,
                                            .max_inputs = kInputs,
                                            .inputs = "f.f",
                                            .outputs = "i",
                                            .types = LITE_TYPE(Int32),
                                            .doubles = true,
                                            .infer = projection_infer,
                                            .lower = projection_lower};
