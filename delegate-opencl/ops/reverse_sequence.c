// SPDX-License-Identifier: Apache-2.0
// REVERSE_SEQUENCE: the first elements of each sequence in reverse order.
#include "kernels-cl/args/reverse_sequence.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/indices.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteReverseSequenceParams* params = node->params;
    const LiteShape *input = &node->inputs[0]->shape, *lengths = &node->inputs[1]->shape;
    const int sequence = params->seq_dim, batch = params->batch_dim;
    if (sequence < 0 || sequence >= input->rank || batch < 0 || batch >= input->rank || sequence == batch)
        return lite_cl_refuse(reason, "sequence dimension %d, batch dimension %d", sequence, batch);
    if (lengths->rank != 1 || lengths->dims[0] != input->dims[batch])
        return lite_cl_refuse(reason, "not a length for each batch");
    // Where no kernel looks at the lengths.
    if (lite_shape_elements(input) == 0) return lite_cl_refuse(reason, "the input is empty");
    *output = *input;
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteReverseSequenceParams* params = node->params;
    const LiteShape* shape = &node->inputs[0]->shape;
    const LiteClAxis sequence = lite_cl_axis(shape, params->seq_dim),
                     batch = lite_cl_axis(shape, params->batch_dim);
    const LiteClReverseSequenceArgs args = {.count = (int)lite_shape_elements(shape),
                                            .batch = batch.length,
                                            .batch_stride = batch.inner,
                                            .length = sequence.length,
                                            .stride = sequence.inner,
                                            .chunk = lite_cl_tune(plan->device->class)->chunk,
                                            .node = node->index + 1};
    const LiteClPrelude prelude = lite_cl_index_prelude(node->inputs[0], node->inputs[1]);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_reverse_sequence,
        .kernel = "reverse_sequence",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_launch_buffers(plan, node, &launch, true);
}

const LiteClOp lite_cl_op_REVERSE_SEQUENCE = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteReverseSequenceParams, batch_dim),
    .min_inputs = 2,
    .max_inputs = 2,
    .inputs = "TI",
    .types = LITE_TYPE(Float32) | LITE_TYPE(UInt8) | LITE_TYPE(Int16) | LITE_TYPE(Int32) | LITE_TYPE(Int64),
    .infer = infer,
    .lower = lower};
