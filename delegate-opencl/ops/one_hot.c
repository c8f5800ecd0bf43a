// SPDX-License-Identifier: Apache-2.0
// ONE_HOT: indices, depth, value on, value off.
#include "kernels-cl/args/one_hot.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/indices.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"

static bool read_axis(const LiteClNode* node, int* axis, int64_t* depth, LiteClReason* reason) {
    const int rank = node->inputs[0]->shape.rank, wanted = ((const TfLiteOneHotParams*)node->params)->axis;
    LiteClInts ints;
    if (!lite_cl_constant_ints(node, 1, &ints, reason)) return false;
    if (ints.count != 1 || ints.values[0] < 0) return lite_cl_refuse(reason, "no depth");
    if (wanted < -1 || wanted > rank) return lite_cl_refuse(reason, "axis %d", wanted);
    *depth = ints.values[0];
    *axis = wanted == -1 ? rank : wanted;
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* indices = &node->inputs[0]->shape;
    int axis;
    int64_t depth;
    if (!read_axis(node, &axis, &depth, reason)) return false;
    if (lite_shape_elements(&node->inputs[2]->shape) != 1 ||
        lite_shape_elements(&node->inputs[3]->shape) != 1)
        return lite_cl_refuse(reason, "the values are not one element each");
    return lite_cl_append_dims(output, indices, 0, axis, reason) &&
           lite_cl_append_dim(output, depth, reason) &&
           lite_cl_append_dims(output, indices, axis, indices->rank, reason);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* output = node->outputs[0];
    int axis = 0;
    int64_t depth = 0;
    lite_cl_agreed(read_axis(node, &axis, &depth, &(LiteClReason){0}));
    const LiteClOneHotArgs args = {.count = (int)lite_shape_elements(&output->shape),
                                   .depth = (int)depth,
                                   .inner = lite_cl_axis(&output->shape, axis).inner,
                                   .chunk = lite_cl_tune(plan->device->class)->chunk};
    const LiteClPrelude prelude = lite_cl_index_prelude(output, node->inputs[0]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_one_hot,
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
                                     .types = LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64) |
                                              LITE_TYPES_BYTE | LITE_TYPE(Bool),
                                     .infer = infer,
                                     .lower = lower};
