// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/slice.h"

#include <stdlib.h>

bool lite_part_is_inside(const LitePart* part) {
    for (int i = 0; i < part->rank; i++) {
        if (part->inside[i] < part->length[i]) return false;
    }
    return true;
}

TfLiteStatus lite_slice_part(const LiteShape* input, const int64_t* begin, const int64_t* size,
                             LitePart* part, const LiteReporter* reporter) {
    *part = (LitePart){.rank = input->rank, .seen = *input};
    for (int i = 0; i < input->rank; i++) {
        const int64_t length = input->dims[i];
        if (begin[i] < 0 || begin[i] > length || size[i] < -1 || size[i] > length - begin[i]) {
            return lite_report(reporter, "begin %lld and size %lld in dimension %d of %lld elements: %s",
                               (long long)begin[i], (long long)size[i], i, (long long)length,
                               size[i] < -1 ? "Invalid size." : "Invalid begin and size.");
        }
        part->begin[i] = begin[i];
        part->step[i] = 1;
        part->length[i] = part->inside[i] = size[i] == -1 ? length - begin[i] : size[i];
    }
    return kTfLiteOk;
}

static bool masked(int mask, int index) {
    return ((unsigned)mask >> index & 1u) != 0;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high) {
    return x < low ? low : x > high ? high : x;
}

static TfLiteStatus check_strides(const LiteStrides* s, const LiteReporter* reporter) {
    for (int i = 0; i < s->count; i++) {
        if (s->stride[i] < -INT32_MAX || s->stride[i] > INT32_MAX || s->begin[i] < INT32_MIN ||
            s->begin[i] > INT32_MAX || s->end[i] < INT32_MIN || s->end[i] > INT32_MAX) {
            return lite_report(reporter, "an index of dimension %d is out of range", i);
        }
    }
    return kTfLiteOk;
}

// How many steps from `begin` on, which is at most one off, stay in a dimension of `size` elements.
static int64_t count_inside(int64_t begin, int64_t stride, int64_t size) {
    if (begin < 0 || begin >= size) return 0;
    return (stride > 0 ? size - 1 - begin : begin) / llabs(stride) + 1;
}

// Index `i` of the specification applied to a dimension of `size` elements.
static TfLiteStatus slice_dimension(const LiteStrides* s, int i, int64_t size, LitePart* part, int axis,
                                    const LiteReporter* reporter) {
    const int64_t stride = s->stride[i];
    if (stride == 0) return lite_report(reporter, "stride %d is 0: stride value has to be non-zero", i);
    const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
    int64_t begin = clamp(s->begin[i] < 0 ? s->begin[i] + size : s->begin[i], low, high);
    if (masked(s->params->begin_mask, i)) begin = stride > 0 ? 0 : size - 1;
    part->begin[axis] = begin;
    part->step[axis] = stride;
    part->length[axis] = 1;
    const int64_t inside = count_inside(begin, stride, size);
    if (masked(s->params->shrink_axis_mask, i)) { // one element, wherever the slice would end
        part->dropped[axis] = true;
        part->inside[axis] = inside > 0;
        return kTfLiteOk;
    }
    int64_t end = s->end[i];
    if (s->params->offset) {
        end += begin;
    } else if (end < 0) {
        end += size;
    }
    if (!s->params->offset) end = clamp(end, low, high);
    if (masked(s->params->end_mask, i)) end = stride > 0 ? size : -1;
    const int64_t span = stride > 0 ? end - begin : begin - end;
    const int64_t step = stride > 0 ? stride : -stride;
    const int64_t length = span <= 0 ? 0 : (span + step - 1) / step;
    part->length[axis] = length;
    part->inside[axis] = inside < length ? inside : length;
    return kTfLiteOk;
}

static TfLiteStatus add_axis(LitePart* part, int32_t size, const LiteReporter* reporter) {
    if (part->rank >= LITE_MAX_RANK) return lite_report(reporter, "more than %d dimensions", LITE_MAX_RANK);
    part->seen.dims[part->rank] = size;
    part->step[part->rank] = 1;
    part->inside[part->rank] = size;
    part->length[part->rank++] = size;
    part->seen.rank = part->rank;
    return kTfLiteOk;
}

// New dimensions that the reference makes room for.
static int count_added(const LiteStrides* s) {
    int added = 0;
    for (int i = 0; i < s->count; i++) {
        added += masked(s->params->new_axis_mask, i) && !masked(s->params->ellipsis_mask, i);
    }
    return added;
}

// Dimensions that the ellipsis at `axis` of `rank` takes: what the other indices leave, at least one.
static int ellipsis_length(const LiteStrides* s, int axis, int rank) {
    const int length = rank - s->count + 1;
    return length < 1 ? 1 : length < rank - axis ? length : rank - axis;
}

// Masks are looked at for each dimension of the input and each new one, as in the reference. So a bit of
// new_axis_mask after the indices adds a dimension, too, in the place of the input's last one, and only
// the beginning of the input's elements is seen.
TfLiteStatus lite_strided_part(const LiteShape* input, const LiteStrides* s, LitePart* part,
                               const LiteReporter* reporter) {
    LITE_TRY(check_strides(s, reporter));
    *part = (LitePart){0};
    const int rank = input->rank + count_added(s);
    int source = 0, ellipsis = 0, skipped = 0; // dimensions left in the ellipsis, and those beyond its first
    bool found = false;
    for (int axis = 0; axis < rank; axis++) {
        const int i = axis - skipped;
        if (ellipsis == 0 && masked(s->params->ellipsis_mask, axis)) {
            if (found) return lite_report(reporter, "more than one ellipsis");
            found = true;
            ellipsis = ellipsis_length(s, axis, rank);
            skipped = ellipsis - 1;
        }
        if (ellipsis == 0 && masked(s->params->new_axis_mask, i)) {
            LITE_TRY(add_axis(part, 1, reporter));
            continue;
        }
        if (source == input->rank) return lite_report(reporter, "more indices than dimensions");
        const int32_t size = input->dims[source++];
        LITE_TRY(add_axis(part, size, reporter));
        if (ellipsis > 0) {
            ellipsis--;
        } else if (i < s->count) {
            LITE_TRY(slice_dimension(s, i, size, part, axis, reporter));
        }
    }
    return kTfLiteOk;
}
