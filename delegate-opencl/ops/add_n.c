// SPDX-License-Identifier: Apache-2.0
// ADD_N: the sum of tensors, two by two.
#include <float.h>

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/binary.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/binary.h"

static bool infer_sum(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL || !lite_shape_equal(output, &node->inputs[i]->shape))
            return lite_cl_refuse(reason, "input %d has another shape", i);
    }
    return true;
}

// Partial sums go to and fro between two intermediates, and end at the largest float, as in the reference.
static TfLiteStatus lower_sum(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* output = node->outputs[0];
    const int count = (int)lite_shape_elements(&output->shape);
    const LiteClBinaryArgs args = {.rows = 1,
                                   .item_rows = 1,
                                   .width = count,
                                   .a_step = 1,
                                   .b_step = 1,
                                   .chunk = lite_cl_tune(plan->device->class)->chunk,
                                   .low = -FLT_MAX,
                                   .high = FLT_MAX,
                                   .int_low = INT32_MIN,
                                   .int_high = INT32_MAX};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", output->type);
    lite_cl_define_type(&prelude, "OUT_", output->type);
    lite_cl_define(&prelude, "RESULT(a, b) (%s)", lite_cl_binary_formula(kLiteClLineADD, output->type));
    int sum = lite_cl_plan_tensor(plan, node->inputs[0]);
    for (int i = 1; i < node->input_count; i++) {
        const bool last = i + 1 == node->input_count;
        const int next = last ? lite_cl_plan_tensor(plan, node->outputs[0])
                              : lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(output));
        const LiteClLaunch launch = {
            .family = &lite_cl_source_binary,
            .kernel = "binary",
            .prelude = prelude.text,
            .args = &args,
            .args_size = sizeof args,
            .buffer_count = 3,
            .buffers = {sum, lite_cl_plan_tensor(plan, node->inputs[i]), next},
            .items = {lite_cl_chunks(args.width, args.chunk), 1, 1},
        };
        LITE_TRY(lite_cl_plan_launch(plan, &launch));
        sum = next;
    }
    return kTfLiteOk;
}

const LiteClOp lite_cl_op_ADD_N = {.min_inputs = 2,
                                   .max_inputs = LITE_CL_MANY,
                                   .types = LITE_TYPE(Float32) | LITE_TYPE(Int32),
                                   .infer = infer_sum,
                                   .lower = lower_sum};
