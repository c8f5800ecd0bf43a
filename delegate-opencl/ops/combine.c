// SPDX-License-Identifier: Apache-2.0
// Rows joined at places that indices name: SCATTER_ND, SEGMENT_SUM and UNSORTED_SEGMENT_….
#include <float.h>

#include "delegate-opencl/ops/move.h"

typedef enum Join { kSum, kProduct, kMaximum, kMinimum } Join;

static int32_t bits_of(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// What a place holds before its first row. Types other than float and int32 are only summed.
static int64_t neutral(Join join, TfLiteType type) {
    const bool real = type == kTfLiteFloat32;
    switch (join) {
    case kProduct:
        return real ? bits_of(1.0f) : 1;
    case kMaximum:
        return real ? bits_of(-FLT_MAX) : INT32_MIN;
    case kMinimum:
        return real ? bits_of(FLT_MAX) : INT32_MAX;
    default:
        return 0;
    }
}

static TfLiteStatus lower_rows(LiteClPlan* plan, const LiteClNode* node, LiteClTensor* rows,
                               LiteClTensor* indices, const LiteClCoordinatesArgs* args) {
    static const char* const joins[] = {
        [kSum] = "a + b", [kProduct] = "a * b", [kMaximum] = "b > a ? b : a", [kMinimum] = "b < a ? b : a"};
    static const char* const integer_joins[] = {[kSum] = "(VALUE)((U)(a) + (U)(b))",
                                                [kProduct] = "(VALUE)((U)(a) * (U)(b))",
                                                [kMaximum] = "(b) > (a) ? (b) : (a)",
                                                [kMinimum] = "(b) < (a) ? (b) : (a)"};
    LiteClTensor* output = node->outputs[0];
    const Join join = (Join)node->op->variant;
    const int start = lite_cl_scalar(plan, node, output->type, neutral(join, output->type));
    LITE_TRY(lite_cl_fill(plan, output->type, start, lite_cl_plan_tensor(plan, output),
                          lite_shape_elements(&output->shape)));
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", output->type);
    lite_cl_define_type(&prelude, "I_", indices->type);
    lite_cl_define(&prelude, "JOIN(a, b) (%s)",
                   output->type == kTfLiteFloat32 ? joins[join] : integer_joins[join]);
    const LiteClLaunch launch = {
        .family = "index",
        .kernel = "combine_rows",
        .prelude = prelude.text,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 4,
        .buffers = {lite_cl_plan_tensor(plan, rows), lite_cl_plan_tensor(plan, indices),
                    lite_cl_plan_tensor(plan, output), lite_cl_plan_status(plan)},
        .items = {lite_cl_chunks(args->inner, args->chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

// SCATTER_ND: indices, updates, shape.
static bool scatter_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *indices = &node->inputs[0]->shape, *updates = &node->inputs[1]->shape;
    LiteClInts dims;
    if (!lite_cl_constant_ints(node, 2, &dims, reason)) return false;
    if (indices->rank < 1 || updates->rank < 1 || dims.count > LITE_MAX_RANK ||
        node->inputs[2]->shape.rank != 1)
        return lite_cl_refuse(reason, "a scalar, or more than 8 dimensions");
    output->rank = dims.count;
    for (int d = 0; d < dims.count; d++) {
        if (dims.values[d] < 0) return lite_cl_refuse(reason, "length %lld", (long long)dims.values[d]);
        output->dims[d] = (int32_t)dims.values[d];
    }
    const int outer = indices->rank - 1, depth = indices->dims[outer];
    if (depth > output->rank || updates->rank != outer + output->rank - depth)
        return lite_cl_refuse(reason, "%d coordinates, updates of %d dimensions", depth, updates->rank);
    for (int d = 0; d < updates->rank; d++) {
        if (updates->dims[d] != (d < outer ? indices->dims[d] : output->dims[depth + d - outer]))
            return lite_cl_refuse(reason, "dimension %d of the updates", d);
    }
    return true;
}

static TfLiteStatus scatter_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape *indices = &node->inputs[0]->shape, *output = &node->outputs[0]->shape;
    LiteClCoordinatesArgs args = {.depth = indices->dims[indices->rank - 1],
                                  .rows = 1,
                                  .inner = 1,
                                  .chunk = lite_cl_tune(plan->device->class)->chunk,
                                  .node = node->index + 1};
    for (int d = 0; d + 1 < indices->rank; d++) args.rows *= indices->dims[d];
    for (int d = 0; d < output->rank; d++) {
        if (d < args.depth) args.dims[d] = output->dims[d];
        if (d >= args.depth) args.inner *= output->dims[d];
    }
    return lower_rows(plan, node, node->inputs[1], node->inputs[0], &args);
}

const LiteClOp lite_cl_op_SCATTER_ND = {.min_inputs = 3,
                                        .max_inputs = 3,
                                        .inputs = "iTp",
                                        .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES | LITE_CL_TYPE(Int32) |
                                                 LITE_CL_TYPE(Int64) | LITE_CL_TYPE(Bool),
                                        .variant = kSum,
                                        .infer = scatter_infer,
                                        .lower = scatter_lower};

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

static bool segment_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
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

static TfLiteStatus segment_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape *output = &node->outputs[0]->shape, *ids = &node->inputs[1]->shape;
    LiteClCoordinatesArgs args = {.depth = 1,
                                  .rows = (int)lite_shape_elements(ids),
                                  .dims = {output->dims[0]},
                                  .inner = 1,
                                  .skips = 1,
                                  .chunk = lite_cl_tune(plan->device->class)->chunk,
                                  .node = node->index + 1};
    for (int d = 1; d < output->rank; d++) args.inner *= output->dims[d];
    return lower_rows(plan, node, node->inputs[0], node->inputs[1], &args);
}

#define SEGMENT_OP(NAME, count, letters, join)                                                               \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = (count),                                               \
                                        .max_inputs = (count),                                               \
                                        .inputs = (letters),                                                 \
                                        .types = LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int32),                \
                                        .variant = (join),                                                   \
                                        .infer = segment_infer,                                              \
                                        .lower = segment_lower};
SEGMENT_OP(SEGMENT_SUM, 2, "Tp", kSum)
SEGMENT_OP(UNSORTED_SEGMENT_SUM, 3, "Tip", kSum)
SEGMENT_OP(UNSORTED_SEGMENT_PROD, 3, "Tip", kProduct)
SEGMENT_OP(UNSORTED_SEGMENT_MAX, 3, "Tip", kMaximum)
SEGMENT_OP(UNSORTED_SEGMENT_MIN, 3, "Tip", kMinimum)
