// SPDX-License-Identifier: Apache-2.0
// ARG_MAX and ARG_MIN: where the largest or smallest element of each row is.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/rows.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/rows.h"

static bool check(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteArgMaxParams* params = node->params; // those of ARG_MIN are the same
    return lite_cl_is_output_type(node, params->output_type, reason);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    int axis;
    if (!lite_cl_constant_axis(node, 1, input->rank, &axis, reason)) return false;
    if (input->dims[axis] == 0) return lite_cl_refuse(reason, "axis %d is empty", axis);
    for (int d = 0; d < input->rank; d++) {
        if (d != axis) output->dims[output->rank++] = input->dims[d];
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    int axis = 0;
    lite_cl_agreed(lite_cl_constant_axis(node, 1, node->inputs[0]->shape.rank, &axis, &(LiteClReason){0}));
    const LiteClAxisArgs args = lite_cl_rows(&node->inputs[0]->shape, axis);
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define_type(&prelude, "OUT_", node->outputs[0]->type);
    const bool real = node->inputs[0]->type == kTfLiteFloat32;
    lite_cl_define(&prelude,
                   real ? "BETTER(a, b) (isnan(b) ? !isnan(a) : (a) %s (b))" : "BETTER(a, b) ((a) %s (b))",
                   node->op->definitions);
    return lite_cl_launch_rows(plan, node, &lite_cl_source_arg, "arg", &prelude, &args);
}

#define ARG_OP(NAME, comparison)                                                                             \
    const LiteClOp lite_cl_op_##NAME = {.rounds = kLiteClRoundsRow,                                          \
                                        .params_size = sizeof(TfLiteArgMaxParams),                           \
                                        .min_inputs = 2,                                                     \
                                        .max_inputs = 2,                                                     \
                                        .inputs = "TP",                                                      \
                                        .outputs = "I",                                                      \
                                        .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int32) |   \
                                                 LITE_TYPE(Bool),                                            \
                                        .check = check,                                                      \
                                        .definitions = (comparison),                                         \
                                        .infer = infer,                                                      \
                                        .lower = lower};
ARG_OP(ARG_MAX, ">")
ARG_OP(ARG_MIN, "<")
