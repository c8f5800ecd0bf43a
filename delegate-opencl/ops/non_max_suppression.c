// SPDX-License-Identifier: Apache-2.0
// NON_MAX_SUPPRESSION_V4 and V5. With a sixth input the suppression is soft, and the node has three outputs.
#include "kernels-cl/args/non_max_suppression.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/plan/plan.h"

enum { kBoxes, kScores, kMaxOutput, kOverlapThreshold, kScoreThreshold, kSigma };

static bool is_soft(const LiteClNode* node) {
    return node->input_count == kSigma + 1;
}

static bool suppress_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const LiteShape *boxes = &node->inputs[kBoxes]->shape, *scores = &node->inputs[kScores]->shape;
    const int last = is_soft(node) ? 2 : 1;
    LiteClInts limit;
    if (node->output_count != last + 1 || (is_soft(node) && node->inputs[kSigma] == NULL))
        return lite_cl_refuse(reason, "%d inputs and %d outputs", node->input_count, node->output_count);
    if (boxes->rank != 2 || boxes->dims[1] != 4 || scores->rank != 1 || scores->dims[0] != boxes->dims[0])
        return lite_cl_refuse(reason, "not four coordinates and a score for each box");
    for (int i = kMaxOutput; i < node->input_count; i++) {
        if (node->inputs[i]->shape.rank != 0) return lite_cl_refuse(reason, "input %d is not a scalar", i);
    }
    for (int i = 0; i <= last; i++) {
        const TfLiteType wanted = is_soft(node) && i == 1 ? kTfLiteFloat32 : kTfLiteInt32;
        if (node->outputs[i]->type != wanted)
            return lite_cl_refuse(reason, "output %d is %s", i, TfLiteTypeGetName(node->outputs[i]->type));
    }
    if (!lite_cl_constant_ints(node, kMaxOutput, &limit, reason)) return false;
    for (int i = 0; i < last; i++) {
        if (!lite_cl_append_dim(&outputs[i], limit.values[0], reason)) return false;
    }
    return true;
}

static TfLiteStatus suppress_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClSuppressionArgs args = {.boxes = node->inputs[kScores]->shape.dims[0],
                                        .limit = node->outputs[0]->shape.dims[0],
                                        .soft = is_soft(node),
                                        .node = node->index + 1};
    const size_t candidate = 2 * sizeof(cl_int) + sizeof(cl_float); // of kernels-cl/non_max_suppression.cl
    const int chosen = lite_cl_plan_tensor(plan, node->outputs[0]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_non_max_suppression,
        .kernel = "suppress",
        .prelude = "",
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 10,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[kBoxes]),
                    lite_cl_plan_tensor(plan, node->inputs[kScores]),
                    lite_cl_plan_tensor(plan, node->inputs[kOverlapThreshold]),
                    lite_cl_plan_tensor(plan, node->inputs[kScoreThreshold]),
                    lite_cl_plan_tensor(plan, node->inputs[args.soft ? kSigma : kScoreThreshold]),
                    lite_cl_plan_add_storage(plan, kLiteClArena, (size_t)args.boxes * candidate), chosen,
                    args.soft ? lite_cl_plan_tensor(plan, node->outputs[1]) : chosen,
                    lite_cl_plan_tensor(plan, node->outputs[node->output_count - 1]),
                    lite_cl_plan_status(plan)},
        .items = {1, 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

#define SUPPRESSION_OP(NAME)                                                                                 \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = kScoreThreshold + 1,                                   \
                                        .max_inputs = kSigma + 1,                                            \
                                        .max_outputs = 3,                                                    \
                                        .inputs = "ffpf",                                                    \
                                        .outputs = "i.",                                                     \
                                        .types = LITE_TYPE(Int32),                                           \
                                        .rounds = kLiteClRoundsMany,                                         \
                                        .infer = suppress_infer,                                             \
                                        .lower = suppress_lower};
SUPPRESSION_OP(NON_MAX_SUPPRESSION_V4)
SUPPRESSION_OP(NON_MAX_SUPPRESSION_V5)
