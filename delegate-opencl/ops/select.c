// SPDX-License-Identifier: Apache-2.0
// SELECT and SELECT_V2: each element from one of two tensors, by a condition.
#include "kernels-cl/args/select.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "kernels-cl/args/common.h"

static bool is_one(const LiteClNode* node) {
    for (int i = 0; i < 3; i++) {
        if (lite_shape_elements(&node->inputs[i]->shape) != 1) return false;
    }
    return true;
}

// With one element in all, the output keeps the shape that the model declares.
static void keep_declared(const LiteClNode* node, LiteShape* output) {
    const LiteShape* declared = &node->outputs[0]->shape;
    if (is_one(node) && lite_shape_elements(declared) == 1) *output = *declared;
}

static bool select_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *condition = &node->inputs[0]->shape, *values = &node->inputs[1]->shape;
    const bool slices = condition->rank == 1 && values->rank > 0 && condition->dims[0] == values->dims[0];
    if (!lite_shape_equal(values, &node->inputs[2]->shape))
        return lite_cl_refuse(reason, "the values differ in shape");
    if (condition->rank != 0 && !slices && !lite_shape_equal(condition, values))
        return lite_cl_refuse(reason, "the condition's shape does not fit the values'");
    *output = *values;
    keep_declared(node, output);
    return true;
}

static bool select_v2_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteShape values;
    if (!lite_shape_broadcast(&node->inputs[1]->shape, &node->inputs[2]->shape, &values) ||
        !lite_shape_broadcast(&node->inputs[0]->shape, &values, output))
        return lite_cl_refuse(reason, "the inputs' shapes do not broadcast");
    keep_declared(node, output);
    return true;
}

// Strides of a shape in the dimensions of the output that it is broadcast to.
static void broadcast_strides(const LiteShape* shape, const LiteShape* output, int strides[LITE_CL_RANK]) {
    int stride = 1;
    for (int d = 0; d < shape->rank; d++) {
        const int32_t length = shape->dims[shape->rank - 1 - d];
        strides[output->rank - 1 - d] = length == 1 ? 0 : stride;
        stride *= length;
    }
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape* output = &node->outputs[0]->shape;
    const bool one = is_one(node); // of whatever shapes
    const LiteShape scalar = {0}, *yes = one ? &scalar : &node->inputs[1]->shape;
    const LiteShape* no = one ? &scalar : &node->inputs[2]->shape;
    LiteShape condition = one ? scalar : node->inputs[0]->shape;
    // A condition of SELECT that has one dimension chooses whole slices of the values.
    if (node->op->variant == 1 && condition.rank == 1) {
        for (int d = 1; d < output->rank; d++) condition.dims[d] = 1;
        condition.rank = output->rank;
    }
    LiteClSelectArgs args = {.rank = output->rank,
                             .count = (int)lite_shape_elements(output),
                             .chunk = lite_cl_tune(plan->device->class)->chunk};
    for (int d = 0; d < output->rank; d++) args.dims[d] = output->dims[d];
    broadcast_strides(&condition, output, args.condition);
    broadcast_strides(yes, output, args.yes);
    broadcast_strides(no, output, args.no);
    LiteClPrelude prelude = {0};
    lite_cl_define_element(&prelude, node->outputs[0]->type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_select,
        .kernel = "select_elements",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_buffers(plan, node, &launch, false);
}

#define SELECT_OP(NAME, first_form, function)                                                                \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = 3,                                                     \
                                        .max_inputs = 3,                                                     \
                                        .inputs = "bT",                                                      \
                                        .types = LITE_CL_ANY,                                                \
                                        .variant = (first_form),                                             \
                                        .infer = (function),                                                 \
                                        .lower = lower};
SELECT_OP(SELECT, 1, select_infer)
SELECT_OP(SELECT_V2, 0, select_v2_infer)
