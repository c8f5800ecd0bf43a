// SPDX-License-Identifier: Apache-2.0
// TOPK_V2 has two outputs: the largest values, and where they were.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/rows.h"
#include "kernels-cl/args/rows.h"

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts k;
    if (node->output_count != 2) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    if (!lite_cl_constant_ints(node, 1, &k, reason)) return false;
    if (k.count != 1 || input->rank < 1 || k.values[0] > input->dims[input->rank - 1])
        return lite_cl_refuse(reason, "k is not a number of elements");
    const int length = input->dims[input->rank - 1];
    if (node->outputs[1]->type == kTfLiteInt16 && length > INT16_MAX)
        return lite_cl_refuse(reason, "rows of %d elements", length);
    outputs[0] = *input;
    outputs[0].dims[input->rank - 1] = k.values[0] < 0 ? 0 : (int32_t)k.values[0];
    outputs[1] = outputs[0];
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape* shape = &node->inputs[0]->shape;
    LiteClAxisArgs args = lite_cl_rows(shape, shape->rank - 1);
    args.k = node->outputs[0]->shape.dims[shape->rank - 1];
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define_type(&prelude, "I_", node->outputs[1]->type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_topk,
        .kernel = "topk",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->outputs[0]),
                    lite_cl_plan_tensor(plan, node->outputs[1])},
        .items = {args.k > 0 ? (size_t)args.outer : 0, 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_TOPK_V2 = {.rounds = kLiteClRoundsAll,
                                     .min_inputs = 2,
                                     .max_inputs = 2,
                                     .max_outputs = 2,
                                     .inputs = "TS",
                                     .outputs = "Ts",
                                     .types = LITE_TYPE(Float32) | LITE_TYPES_INTEGER,
                                     .infer = infer,
                                     .lower = lower};
