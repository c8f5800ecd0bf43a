// SPDX-License-Identifier: Apache-2.0
// CUMSUM: sums of the elements up to each.
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/rows.h"
#include "delegate-opencl/ops/common/shape.h"
#include "kernels-cl/args/rows.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    int axis;
    *output = node->inputs[0]->shape;
    return lite_cl_constant_axis(node, 1, output->rank, &axis, reason);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteCumsumParams* params = node->params;
    int axis = 0;
    lite_cl_agreed(lite_cl_constant_axis(node, 1, node->inputs[0]->shape.rank, &axis, &(LiteClReason){0}));
    LiteClAxisArgs args = lite_cl_rows(&node->inputs[0]->shape, axis);
    args.exclusive = params->exclusive ? 1 : 0;
    args.reverse = params->reverse ? 1 : 0;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    const bool real = node->inputs[0]->type == kTfLiteFloat32;
    lite_cl_define(&prelude, real ? "SUM(a, b) ((a) + (b))" : "SUM(a, b) (VALUE)((U)(a) + (U)(b))");
    return lite_cl_launch_rows(plan, node, &lite_cl_source_cumsum, "cumsum", &prelude, &args);
}

const LiteClOp lite_cl_op_CUMSUM = {.rounds = kLiteClRoundsRow,
                                    .params_size = sizeof(TfLiteCumsumParams),
                                    .min_inputs = 2,
                                    .max_inputs = 2,
                                    .inputs = "Tp",
                                    .types = LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64),
                                    .infer = infer,
                                    .lower = lower};
