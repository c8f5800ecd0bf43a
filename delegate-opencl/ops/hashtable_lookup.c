// SPDX-License-Identifier: Apache-2.0
#include "kernels-cl/args/hashtable_lookup.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"

enum { kWanted, kKeys, kValues, kInputs };

static bool lookup_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const LiteShape *wanted = &node->inputs[kWanted]->shape, *keys = &node->inputs[kKeys]->shape;
    const LiteShape* values = &node->inputs[kValues]->shape;
    if (node->output_count != 2 || node->outputs[1]->type != kTfLiteUInt8)
        return lite_cl_refuse(reason, "the second output is not UINT8");
    if (wanted->rank != 1 || keys->rank != 1 || values->rank < 1 || keys->dims[0] != values->dims[0])
        return lite_cl_refuse(reason, "not a key for each value");
    if (keys->dims[0] < 1) return lite_cl_refuse(reason, "the table is empty");
    outputs[0] = *values;
    outputs[0].dims[0] = wanted->dims[0];
    outputs[1] = *wanted;
    return true;
}

static TfLiteStatus lookup_lower(LiteClPlan* plan, const LiteClNode* node) {
    const int keys = node->inputs[kKeys]->shape.dims[0];
    const LiteClTableRowsArgs args = {.wanted = node->inputs[kWanted]->shape.dims[0],
                                      .keys = keys,
                                      .inner =
                                          (int)(lite_shape_elements(&node->inputs[kValues]->shape) / keys),
                                      .chunk = lite_cl_tune(plan->device->class)->chunk};
    const size_t chunks = lite_cl_chunks(args.inner, args.chunk);
    LiteClPrelude prelude = {0};
    lite_cl_define_element(&prelude, node->inputs[kValues]->type);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_hashtable_lookup,
        .kernel = "lookup",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 5,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[kWanted]),
                    lite_cl_plan_tensor(plan, node->inputs[kKeys]),
                    lite_cl_plan_tensor(plan, node->inputs[kValues]),
                    lite_cl_plan_tensor(plan, node->outputs[0]), lite_cl_plan_tensor(plan, node->outputs[1])},
        .items = {chunks > 0 ? chunks : 1, (size_t)args.wanted, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_HASHTABLE_LOOKUP = {.rounds = kLiteClRoundsAll,
                                              .min_inputs = kInputs,
                                              .max_inputs = kInputs,
                                              .max_outputs = 2,
                                              .inputs = "iiT",
                                              .outputs = "T.",
                                              .types = LITE_CL_ANY,
                                              .infer = lookup_infer,
                                              .lower = lookup_lower};
