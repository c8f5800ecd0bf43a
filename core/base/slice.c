// SPDX-License-Identifier: Apache-2.0
#include "core/base/slice.h"

TfLiteStatus lite_slice_part(const LiteShape* input, const int64_t* begin, const int64_t* size,
                             LitePart* part, const LiteReporter* reporter) {
    *part = (LitePart){.rank = input->rank, .seen = *input};
    for (int i = 0; i < input->rank; i++) {
        const int64_t length = input->dims[i];
        if (begin[i] < 0 || begin[i] > length || size[i] < -1 || size[i] > length - begin[i]) {
            return lite_report(reporter, "begin %lld and size %lld in dimension %d of %lld elements",
                               (long long)begin[i], (long long)size[i], i, (long long)length);
        }
        part->begin[i] = begin[i];
        part->step[i] = 1;
        part->length[i] = size[i] == -1 ? length - begin[i] : size[i];
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

// Index `i` of the specification applied to a dimension of `size` elements.
static TfLiteStatus slice_dimension(const LiteStrides* s, int i, int64_t size, LitePart* part, int axis,
                                    const LiteReporter* reporter) {
    const int64_t stride = s->stride[i];
    if (stride == 0) return lite_report(reporter, "stride %d is 0", i);
    const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
    int64_t begin = clamp(s->begin[i] < 0 ? s->begin[i] + size : s->begin[i], low, high);
    if (masked(s->params->begin_mask, i)) begin = stride > 0 ? 0 : size - 1;
    part->begin[axis] = begin;
    part->step[axis] = stride;
    part->length[axis] = 1;
    if (masked(s->params->shrink_axis_mask, i)) { // one element, wherever the slice would end
        part->dropped[axis] = true;
        if (begin >= 0 && begin < size) return kTfLiteOk;
        return lite_report(reporter, "index %lld is outside a dimension of %lld elements",
                           (long long)s->begin[i], (long long)size);
    }
    int64_t end = s->end[i];
    if (s->params->offset) {
        end += begin;
    } else if (end < 0) {
        end += size;
    }
    end = clamp(end, low, high);
    if (masked(s->params->end_mask, i)) end = stride > 0 ? size : -1;
    const int64_t span = stride > 0 ? end - begin : begin - end;
    const int64_t step = stride > 0 ? stride : -stride;
    part->length[axis] = span <= 0 ? 0 : (span + step - 1) / step;
    return kTfLiteOk;
}

static TfLiteStatus add_axis(LitePart* part, int32_t size, const LiteReporter* reporter) {
    if (part->rank >= LITE_MAX_RANK) return lite_report(reporter, "more than %d dimensions", LITE_MAX_RANK);
    part->seen.dims[part->rank] = size;
    part->step[part->rank] = 1;
    part->length[part->rank++] = size;
    part->seen.rank = part->rank;
    return kTfLiteOk;
}

// Indices that take a dimension of the input; the ellipsis (-1: none) takes what the others leave.
static TfLiteStatus find_ellipsis(const LiteStrides* s, int* taken, int* ellipsis,
                                  const LiteReporter* reporter) {
    *taken = 0;
    *ellipsis = -1;
    for (int i = 0; i < s->count; i++) {
        if (masked(s->params->ellipsis_mask, i)) {
            if (*ellipsis >= 0) return lite_report(reporter, "more than one ellipsis");
            *ellipsis = i;
        } else if (!masked(s->params->new_axis_mask, i)) {
            ++*taken;
        }
    }
    return kTfLiteOk;
}

TfLiteStatus lite_strided_part(const LiteShape* input, const LiteStrides* s, LitePart* part,
                               const LiteReporter* reporter) {
    int taken, ellipsis;
    LITE_TRY(check_strides(s, reporter));
    LITE_TRY(find_ellipsis(s, &taken, &ellipsis, reporter));
    *part = (LitePart){0};
    // As in the reference an ellipsis takes at least one dimension, and indices that find none left say
    // nothing.
    int source = 0, left = input->rank > taken ? input->rank - taken : 0;
    if (ellipsis >= 0 && left == 0) left = 1;
    for (int i = 0; i <= s->count; i++) {
        // Behind the last index follow whole dimensions, as in an ellipsis.
        const bool whole = i == s->count || i == ellipsis;
        for (; whole && left > 0 && source < input->rank; left--)
            LITE_TRY(add_axis(part, input->dims[source++], reporter));
        if (whole) continue;
        const bool added = masked(s->params->new_axis_mask, i);
        if (!added && source == input->rank) continue;
        LITE_TRY(add_axis(part, added ? 1 : input->dims[source], reporter));
        if (!added) LITE_TRY(slice_dimension(s, i, input->dims[source++], part, part->rank - 1, reporter));
    }
    return kTfLiteOk;
}
