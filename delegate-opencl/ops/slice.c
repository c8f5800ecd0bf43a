// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE: a rectangular part of the input.
#include <stdlib.h>

#include "delegate-opencl/ops/move.h"

// Per dimension of the input the first element, the step and the number of elements.
typedef struct Part {
    int rank;
    int64_t begin[LITE_MAX_RANK];
    int64_t step[LITE_MAX_RANK];
    int64_t length[LITE_MAX_RANK];
    bool dropped[LITE_MAX_RANK]; // not a dimension of the output
    LiteShape seen;              // the input's shape, with new dimensions of 1
} Part;

static bool slice_part(const LiteClNode* node, Part* part, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts begins, sizes;
    if (!lite_cl_constant_ints(node, 1, &begins, reason) || !lite_cl_constant_ints(node, 2, &sizes, reason))
        return false;
    if (node->inputs[1]->shape.rank != 1 || node->inputs[2]->shape.rank != 1 || begins.count != input->rank ||
        sizes.count != input->rank) {
        return lite_cl_refuse(reason, "%d begins and %d sizes for %d dimensions", begins.count, sizes.count,
                              input->rank);
    }
    *part = (Part){.rank = input->rank, .seen = *input};
    for (int d = 0; d < input->rank; d++) {
        const int64_t begin = begins.values[d], size = sizes.values[d], length = input->dims[d];
        if (begin < 0 || begin > length || size < -1 || size > length - begin) {
            return lite_cl_refuse(reason, "begin %lld and size %lld of %lld elements", (long long)begin,
                                  (long long)size, (long long)length);
        }
        part->begin[d] = begin;
        part->step[d] = 1;
        part->length[d] = size == -1 ? length - begin : size;
    }
    return true;
}

// What STRIDED_SLICE was given, index by index of its specification.
typedef struct Specification {
    int count;
    LiteClInts begin;
    LiteClInts end;
    LiteClInts stride;
    const TfLiteStridedSliceParams* params;
} Specification;

static bool masked(int mask, int index) {
    return ((unsigned)mask >> index & 1u) != 0;
}

static bool read_specification(const LiteClNode* node, Specification* spec, LiteClReason* reason) {
    spec->params = node->params;
    if (!lite_cl_constant_ints(node, 1, &spec->begin, reason) ||
        !lite_cl_constant_ints(node, 2, &spec->end, reason) ||
        !lite_cl_constant_ints(node, 3, &spec->stride, reason)) {
        return false;
    }
    spec->count = spec->begin.count;
    if (spec->count > LITE_MAX_RANK || spec->end.count != spec->count || spec->stride.count != spec->count)
        return lite_cl_refuse(reason, "%d begins, %d ends, %d strides", spec->count, spec->end.count,
                              spec->stride.count);
    for (int i = 1; i <= 3; i++) {
        if (node->inputs[i]->shape.rank != 1) return lite_cl_refuse(reason, "input %d is not a vector", i);
    }
    for (int i = 0; i < spec->count; i++) {
        if (llabs(spec->begin.values[i]) > INT32_MAX || llabs(spec->end.values[i]) > INT32_MAX ||
            llabs(spec->stride.values[i]) > INT32_MAX || spec->stride.values[i] == 0) {
            return lite_cl_refuse(reason, "index %d is out of range", i);
        }
    }
    return true;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high) {
    return x < low ? low : x > high ? high : x;
}

// Index `i` of the specification applied to a dimension of `size` elements.
static bool slice_dimension(const Specification* spec, int i, int64_t size, Part* part, int axis,
                            LiteClReason* reason) {
    const int64_t stride = spec->stride.values[i];
    const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
    int64_t begin = spec->begin.values[i], end = spec->end.values[i];
    begin = clamp(begin < 0 ? begin + size : begin, low, high);
    if (masked(spec->params->begin_mask, i)) begin = stride > 0 ? 0 : size - 1;
    part->begin[axis] = begin;
    part->step[axis] = stride;
    part->length[axis] = 1;
    if (masked(spec->params->shrink_axis_mask, i)) { // one element, wherever the slice would end
        return (begin >= 0 && begin < size) ||
               lite_cl_refuse(reason, "index %lld of %lld elements", (long long)spec->begin.values[i],
                              (long long)size);
    }
    if (spec->params->offset) {
        end += begin;
    } else if (end < 0) {
        end += size;
    }
    end = clamp(end, low, high);
    if (masked(spec->params->end_mask, i)) end = stride > 0 ? size : -1;
    const int64_t span = stride > 0 ? end - begin : begin - end;
    const int64_t step = stride > 0 ? stride : -stride;
    part->length[axis] = span <= 0 ? 0 : (span + step - 1) / step;
    return true;
}

static bool add_axis(Part* part, int32_t size, LiteClReason* reason) {
    if (part->rank >= LITE_MAX_RANK) return lite_cl_refuse(reason, "more than %d dimensions", LITE_MAX_RANK);
    part->seen.dims[part->rank] = size;
    part->step[part->rank] = 1;
    part->length[part->rank++] = size;
    part->seen.rank = part->rank;
    return true;
}

// Indices that take a dimension of the input; the ellipsis takes what the others leave.
static bool find_ellipsis(const Specification* spec, int* taken, int* ellipsis, LiteClReason* reason) {
    *taken = 0;
    *ellipsis = -1;
    for (int i = 0; i < spec->count; i++) {
        if (masked(spec->params->ellipsis_mask, i)) {
            if (*ellipsis >= 0) return lite_cl_refuse(reason, "more than one ellipsis");
            *ellipsis = i;
        } else if (!masked(spec->params->new_axis_mask, i)) {
            ++*taken;
        }
    }
    return true;
}

static bool strided_part(const LiteClNode* node, Part* part, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    Specification spec;
    int taken, ellipsis;
    if (!read_specification(node, &spec, reason) || !find_ellipsis(&spec, &taken, &ellipsis, reason))
        return false;
    *part = (Part){0};
    // An ellipsis takes at least one dimension, and indices that find none left say nothing.
    int source = 0, left = input->rank > taken ? input->rank - taken : 0;
    if (ellipsis >= 0 && left == 0) left = 1;
    for (int i = 0; i <= spec.count; i++) {
        // Behind the last index follow whole dimensions, as in an ellipsis.
        const bool whole = i == spec.count || i == ellipsis;
        for (; whole && left > 0 && source < input->rank; left--) {
            if (!add_axis(part, input->dims[source++], reason)) return false;
        }
        if (whole) continue;
        const bool added = masked(spec.params->new_axis_mask, i);
        if (!added && source == input->rank) continue;
        if (!add_axis(part, added ? 1 : input->dims[source], reason)) return false;
        if (added) continue;
        const int axis = part->rank - 1;
        part->dropped[axis] = masked(spec.params->shrink_axis_mask, i);
        if (!slice_dimension(&spec, i, input->dims[source++], part, axis, reason)) return false;
    }
    return true;
}

static bool find_part(const LiteClNode* node, Part* part, LiteClReason* reason) {
    return node->input_count == 3 ? slice_part(node, part, reason) : strided_part(node, part, reason);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    Part part;
    if (!find_part(node, &part, reason)) return false;
    for (int d = 0; d < part.rank; d++) {
        if (!part.dropped[d]) output->dims[output->rank++] = (int32_t)part.length[d];
    }
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClReason reason;
    Part part = {0};
    (void)find_part(node, &part, &reason); // infer has agreed to it
    int64_t strides[LITE_MAX_RANK], offset = 0, stride = lite_shape_elements(&node->outputs[0]->shape);
    if (stride == 0) return kTfLiteOk;
    lite_cl_strides(&part.seen, strides);
    LiteClMove move = {0};
    for (int d = 0; d < part.rank && part.length[d] > 0; d++) { // as the output is not empty
        stride /= part.length[d];
        lite_cl_move_add(&move, part.length[d], strides[d] * part.step[d], stride);
        offset += part.begin[d] * strides[d];
    }
    return lite_cl_move_tensor(plan, &move, node->inputs[0], offset, node->outputs[0], 0);
}

const LiteClOp lite_cl_op_SLICE = {
    .min_inputs = 3, .max_inputs = 3, .inputs = "TI", .types = LITE_CL_ANY, .infer = infer, .lower = lower};
const LiteClOp lite_cl_op_STRIDED_SLICE = {.params_size =
                                               LITE_CL_PARAMS_UP_TO(TfLiteStridedSliceParams, offset),
                                           .min_inputs = 4,
                                           .max_inputs = 4,
                                           .inputs = "TI",
                                           .types = LITE_CL_ANY,
                                           .infer = infer,
                                           .lower = lower};
