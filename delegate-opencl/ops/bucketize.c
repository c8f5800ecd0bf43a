// SPDX-License-Identifier: Apache-2.0
// BUCKETIZE: how many boundaries are not above each element.
#include <string.h>

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "kernels-cl/args/bucketize.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteBucketizeParams* params = node->params;
    for (int i = 1; i < params->num_boundaries; i++) {
        if (!(params->boundaries[i - 1] <= params->boundaries[i]))
            return lite_cl_refuse(reason, "boundary %d is under the one before", i);
    }
    *output = node->inputs[0]->shape;
    return true;
}

static void copy_boundaries(const void* state, float* packed) {
    const TfLiteBucketizeParams* params = state;
    memcpy(packed, params->boundaries, (size_t)params->num_boundaries * sizeof *packed);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteBucketizeParams* params = node->params;
    const int boundaries = params->num_boundaries > 0 ? params->num_boundaries : 0;
    const LiteClBucketizeArgs args = {.count = (int)lite_shape_elements(&node->inputs[0]->shape),
                                      .boundaries = boundaries,
                                      .chunk = lite_cl_tune(plan->device->class)->chunk};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_bucketize,
        .kernel = "bucketize",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]),
                    lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleTable},
                                          (size_t)boundaries * sizeof(float), copy_boundaries, params),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_BUCKETIZE = {.params_size = sizeof(TfLiteBucketizeParams),
                                       .min_inputs = 1,
                                       .max_inputs = 1,
                                       .outputs = "i",
                                       .types = LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64),
                                       .infer = infer,
                                       .lower = lower};
