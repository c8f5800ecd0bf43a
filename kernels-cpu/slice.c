// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE: a rectangular part of the input.
#include "kernels-cpu/move.h"
#include "kernels-cpu/sizing.h"

// A part of a tensor: per dimension the first element, the step and the number of elements.
typedef struct Part {
    int rank;
    int64_t begin[LITE_MAX_RANK];
    int64_t step[LITE_MAX_RANK];
    int64_t length[LITE_MAX_RANK];
} Part;

static TfLiteStatus copy_part(TfLiteOpaqueContext* context, const char* op, const Part* part,
                              const LiteShape* shape, const LiteView* input, LiteView* output) {
    int64_t from[LITE_MAX_RANK], offset = 0, stride = output->count;
    LiteMove copy = {0};
    lite_move_strides(shape, from);
    for (int i = 0; i < part->rank && output->count > 0; i++) {
        // Whoever made the part has set each of its `rank` lengths: the analyzer does not see that.
        stride /= part->length[i]; // NOLINT(clang-analyzer-core.uninitialized.Assign)
        lite_move_add(&copy, part->length[i], from[i] * part->step[i], stride);
        offset += part->begin[i] * from[i];
    }
    return lite_move_tensor(context, op, &copy, input, offset, output, 0);
}

// Reads one number per dimension, as `what` of SLICE and STRIDED_SLICE are.
static TfLiteStatus read_vector(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                const char* what, int index, int64_t values[LITE_MAX_RANK], int* count) {
    LiteView view;
    LITE_TRY(lite_input(context, node, op, index, &view));
    if (view.shape.rank != 1) {
        return lite_fail(context, "%s: %s has %d dimensions, expected 1", op, what, view.shape.rank);
    }
    return lite_read_ints(context, op, what, &view, LITE_MAX_RANK, values, count);
}

static TfLiteStatus slice_part(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Part* part) {
    LiteView input;
    int begins, sizes;
    LITE_TRY(lite_input(context, node, "SLICE", 0, &input));
    LITE_TRY(read_vector(context, node, "SLICE", "begin", 1, part->begin, &begins));
    LITE_TRY(read_vector(context, node, "SLICE", "size", 2, part->length, &sizes));
    part->rank = input.shape.rank;
    if (begins != part->rank || sizes != part->rank) {
        return lite_fail(context, "SLICE: %d begins and %d sizes for %d dimensions", begins, sizes,
                         part->rank);
    }
    for (int i = 0; i < part->rank; i++) {
        const int64_t length = input.shape.dims[i];
        if (part->begin[i] < 0 || part->begin[i] > length || part->length[i] < -1 ||
            part->length[i] > length - part->begin[i]) {
            return lite_fail(context, "SLICE: begin %lld and size %lld in dimension %d of %lld elements",
                             (long long)part->begin[i], (long long)part->length[i], i, (long long)length);
        }
        if (part->length[i] == -1) part->length[i] = length - part->begin[i];
        part->step[i] = 1;
    }
    return kTfLiteOk;
}

static TfLiteStatus slice_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    Part part;
    LITE_TRY(slice_part(context, node, &part));
    for (int i = 0; i < part.rank; i++) LITE_TRY(lite_append_dim(context, "SLICE", shape, part.length[i]));
    return kTfLiteOk;
}

static TfLiteStatus slice_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    Part part;
    LITE_TRY(slice_part(context, node, &part));
    LITE_TRY(lite_input(context, node, "SLICE", 0, &input));
    LITE_TRY(lite_sized_output(context, node, "SLICE", slice_rule, &output));
    return copy_part(context, "SLICE", &part, &input.shape, &input, &output);
}

static TfLiteStatus slice_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, begin, size, output;
    LITE_TRY(lite_check_counts(context, node, "SLICE", 3, 3, 1));
    LITE_TRY(lite_input(context, node, "SLICE", 0, &input));
    LITE_TRY(lite_output(context, node, "SLICE", 0, &output));
    LITE_TRY(lite_check_types(context, "SLICE", "input", &input,
                              (LITE_TYPES_FIXED & ~LITE_TYPE_BIT(Complex128)) | LITE_TYPE_BIT(String) |
                                  LITE_TYPE_BIT(Int4)));
    LITE_TRY(lite_check_same_type(context, "SLICE", &input, &output));
    LITE_TRY(lite_input(context, node, "SLICE", 1, &begin));
    LITE_TRY(lite_input(context, node, "SLICE", 2, &size));
    LITE_TRY(lite_check_same_type(context, "SLICE", &begin, &size));
    return lite_size_output(context, node, "SLICE", 1u << 1 | 1u << 2, slice_rule, slice_invoke);
}

const LiteKernel lite_kernel_SLICE = {.prepare = slice_prepare, .invoke = slice_invoke};

// What STRIDED_SLICE was given, index by index of its specification.
typedef struct Specification {
    int count;
    int64_t begin[LITE_MAX_RANK];
    int64_t end[LITE_MAX_RANK];
    int64_t stride[LITE_MAX_RANK];
    const TfLiteStridedSliceParams* params;
} Specification;

static bool masked(int mask, int index) {
    return ((unsigned)mask >> index & 1u) != 0;
}

static TfLiteStatus read_specification(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                       Specification* spec) {
    int ends, strides;
    spec->params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (spec->params == NULL) return lite_fail(context, "STRIDED_SLICE: no parameters");
    LITE_TRY(read_vector(context, node, "STRIDED_SLICE", "begin", 1, spec->begin, &spec->count));
    LITE_TRY(read_vector(context, node, "STRIDED_SLICE", "end", 2, spec->end, &ends));
    LITE_TRY(read_vector(context, node, "STRIDED_SLICE", "strides", 3, spec->stride, &strides));
    if (ends != spec->count || strides != spec->count) {
        return lite_fail(context, "STRIDED_SLICE: %d begins, %d ends and %d strides", spec->count, ends,
                         strides);
    }
    for (int i = 0; i < spec->count; i++) {
        if (spec->stride[i] < -INT32_MAX || spec->stride[i] > INT32_MAX || spec->begin[i] < INT32_MIN ||
            spec->begin[i] > INT32_MAX || spec->end[i] < INT32_MIN || spec->end[i] > INT32_MAX) {
            return lite_fail(context, "STRIDED_SLICE: an index of dimension %d is out of range", i);
        }
    }
    return kTfLiteOk;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high) {
    return x < low ? low : x > high ? high : x;
}

// Index `i` of the specification applied to a dimension of `size` elements.
static TfLiteStatus slice_dimension(TfLiteOpaqueContext* context, const Specification* spec, int i,
                                    int64_t size, Part* part, int axis) {
    const int64_t stride = spec->stride[i];
    if (stride == 0) return lite_fail(context, "STRIDED_SLICE: stride %d is 0", i);
    const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
    int64_t begin = spec->begin[i] < 0 ? spec->begin[i] + size : spec->begin[i];
    begin = clamp(begin, low, high);
    if (masked(spec->params->begin_mask, i)) begin = stride > 0 ? 0 : size - 1;
    part->begin[axis] = begin;
    part->step[axis] = stride;
    if (masked(spec->params->shrink_axis_mask, i)) {
        // One element, wherever the slice would end.
        if (begin < 0 || begin >= size) {
            return lite_fail(context, "STRIDED_SLICE: index %lld is outside a dimension of %lld elements",
                             (long long)spec->begin[i], (long long)size);
        }
        part->length[axis] = 1;
        return kTfLiteOk;
    }
    int64_t end = spec->end[i];
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
    return kTfLiteOk;
}

// The part taken from the input seen with the new axes of length 1 (`seen`); which of its dimensions are
// dropped from the output.
static TfLiteStatus strided_part(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Part* part,
                                 LiteShape* seen, bool dropped[LITE_MAX_RANK]) {
    Specification spec;
    LiteView input;
    LITE_TRY(lite_input(context, node, "STRIDED_SLICE", 0, &input));
    LITE_TRY(read_specification(context, node, &spec));
    const TfLiteStridedSliceParams* params = spec.params;
    // Indices that take a dimension of the input; the first ellipsis takes what the others leave.
    int taken = 0, ellipsis = -1;
    for (int i = 0; i < spec.count; i++) {
        if (masked(params->ellipsis_mask, i)) {
            if (ellipsis >= 0) return lite_fail(context, "STRIDED_SLICE: more than one ellipsis");
            ellipsis = i;
        } else if (!masked(params->new_axis_mask, i)) {
            taken++;
        }
    }
    *seen = (LiteShape){0};
    // As in the reference an ellipsis takes at least one dimension, and indices that find none left say
    // nothing.
    const int rank = input.shape.rank;
    int source = 0, left = rank > taken ? rank - taken : 0;
    if (ellipsis >= 0 && left == 0) left = 1;
    for (int i = 0; i <= spec.count; i++) {
        // Behind the last index follow whole dimensions, as in an ellipsis.
        const bool whole = i == spec.count || i == ellipsis;
        for (; whole && left > 0 && source < rank; left--) {
            const int axis = seen->rank;
            LITE_TRY(lite_append_dim(context, "STRIDED_SLICE", seen, input.shape.dims[source++]));
            part->begin[axis] = 0, part->step[axis] = 1, part->length[axis] = seen->dims[axis];
            dropped[axis] = false;
        }
        if (whole) continue;
        const int axis = seen->rank;
        const bool added = masked(params->new_axis_mask, i);
        if (!added && source == rank) continue;
        LITE_TRY(lite_append_dim(context, "STRIDED_SLICE", seen, added ? 1 : input.shape.dims[source]));
        dropped[axis] = !added && masked(params->shrink_axis_mask, i);
        if (added) {
            part->begin[axis] = 0, part->step[axis] = 1, part->length[axis] = 1;
        } else {
            LITE_TRY(slice_dimension(context, &spec, i, input.shape.dims[source++], part, axis));
        }
    }
    part->rank = seen->rank;
    return kTfLiteOk;
}

static TfLiteStatus strided_slice_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                       LiteShape* shape) {
    Part part;
    LiteShape seen;
    bool dropped[LITE_MAX_RANK];
    LITE_TRY(strided_part(context, node, &part, &seen, dropped));
    for (int i = 0; i < part.rank; i++) {
        if (!dropped[i]) LITE_TRY(lite_append_dim(context, "STRIDED_SLICE", shape, part.length[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus strided_slice_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    Part part;
    LiteShape seen;
    bool dropped[LITE_MAX_RANK];
    LITE_TRY(strided_part(context, node, &part, &seen, dropped));
    LITE_TRY(lite_input(context, node, "STRIDED_SLICE", 0, &input));
    LITE_TRY(lite_sized_output(context, node, "STRIDED_SLICE", strided_slice_rule, &output));
    return copy_part(context, "STRIDED_SLICE", &part, &seen, &input, &output);
}

static TfLiteStatus strided_slice_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_check_counts(context, node, "STRIDED_SLICE", 4, 4, 1));
    LITE_TRY(lite_input(context, node, "STRIDED_SLICE", 0, &input));
    LITE_TRY(lite_output(context, node, "STRIDED_SLICE", 0, &output));
    LITE_TRY(lite_check_types(context, "STRIDED_SLICE", "input", &input,
                              (LITE_TYPES_FIXED & ~LITE_TYPE_BIT(Complex128)) | LITE_TYPE_BIT(String)));
    LITE_TRY(lite_check_same_type(context, "STRIDED_SLICE", &input, &output));
    return lite_size_output(context, node, "STRIDED_SLICE", 1u << 1 | 1u << 2 | 1u << 3, strided_slice_rule,
                            strided_slice_invoke);
}

const LiteKernel lite_kernel_STRIDED_SLICE = {.prepare = strided_slice_prepare,
                                              .invoke = strided_slice_invoke};
