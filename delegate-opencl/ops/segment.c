// SPDX-License-Identifier: Apache-2.0
// SEGMENT_SUM and UNSORTED_SEGMENT_…: rows of one segment are combined.
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/combine.h"
#include "kernels-cl/args/coordinates.h"

// SEGMENT_SUM: as many segments as the ids, 0, 0, 1, 1, 2 …, say. Computed ones are a parameter.

static bool count_segments(const LiteClTensor* ids, int64_t* segments, LiteClReason* reason) {
    if (ids->data == NULL) return lite_cl_refuse(reason, "the contents of the segment ids are not known");
    if (ids->shape.rank != 1) return lite_cl_refuse(reason, "segment ids of %d dimensions", ids->shape.rank);
    int64_t last = -1;
    for (int i = 0; i < ids->shape.dims[0]; i++) {
        const int64_t id = lite_cl_int_at(ids, i);
        if (id != last + 1 && (i == 0 || id != last)) return lite_cl_refuse(reason, "segment id %d", (int)id);
        last = id;
    }
    *segments = last + 1;
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *data = &node->inputs[0]->shape, *ids = &node->inputs[1]->shape;
    int64_t segments = 0;
    if (node->input_count == 2) {
        if (!count_segments(node->inputs[1], &segments, reason)) return false;
    } else {
        LiteClInts count;
        if (!lite_cl_constant_ints(node, 2, &count, reason)) return false;
        if (count.count != 1 || count.values[0] < 0 || node->inputs[2]->shape.rank > 1)
            return lite_cl_refuse(reason, "no number of segments");
        segments = count.values[0];
    }
    if (ids->rank > data->rank) return lite_cl_refuse(reason, "ids of %d dimensions", ids->rank);
    for (int d = 0; d < ids->rank; d++) {
        if (ids->dims[d] != data->dims[d]) return lite_cl_refuse(reason, "dimension %d differs", d);
    }
    *output = (LiteShape){1, {(int32_t)segments}};
    for (int d = ids->rank; d < data->rank; d++) output->dims[output->rank++] = data->dims[d];
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape *output = &node->outputs[0]->shape, *ids = &node->inputs[1]->shape;
    LiteClCoordinatesArgs args = {.depth = 1,
                                  .rows = (int)lite_shape_elements(ids),
                                  .dims = {output->dims[0]},
                                  .inner = 1,
                                  .skips = 1,
                                  .chunk = lite_cl_tune(plan->device->class)->chunk,
                                  .node = node->index + 1};
    for (int d = 1; d < output->rank; d++) args.inner *= output->dims[d];
    return lite_cl_combine_rows(plan, node, (LiteClCombine)node->op->variant, node->inputs[0],
                                node->inputs[1], &args);
}

#define SEGMENT_OP(NAME, count, letters, combine)                                                            \
    const LiteClOp lite_cl_op_##NAME = {.rounds = kLiteClRoundsAll,                                          \
                                        .min_inputs = (count),                                               \
                                        .max_inputs = (count),                                               \
                                        .inputs = (letters),                                                 \
                                        .types = LITE_TYPE(Float32) | LITE_TYPE(Int32),                      \
                                        .variant = (combine),                                                \
                                        .infer = infer,                                                      \
                                        .lower = lower};
SEGMENT_OP(SEGMENT_SUM, 2, "Tp", kLiteClSum)
SEGMENT_OP(UNSORTED_SEGMENT_SUM, 3, "Tip", kLiteClSum)
SEGMENT_OP(UNSORTED_SEGMENT_PROD, 3, "Tip", kLiteClProduct)
SEGMENT_OP(UNSORTED_SEGMENT_MAX, 3, "Tip", kLiteClMaximum)
SEGMENT_OP(UNSORTED_SEGMENT_MIN, 3, "Tip", kLiteClMinimum)
