// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE as arithmetic on shapes: which part of the input they take.
#ifndef CORE_SEMANTICS_SLICE_H_
#define CORE_SEMANTICS_SLICE_H_

#include "core/base/shape.h"
#include "core/base/status.h"

// Per dimension of the input the first element, the step and the number of elements.
typedef struct LitePart {
    int rank;
    int64_t begin[LITE_MAX_RANK];
    int64_t step[LITE_MAX_RANK];
    int64_t length[LITE_MAX_RANK];
    int64_t inside[LITE_MAX_RANK]; // of these the first ones that the input has; the others are 0
    bool dropped[LITE_MAX_RANK];   // not a dimension of the output
    LiteShape seen;                // the input's shape, with new dimensions of 1
} LitePart;

// Whether the input has all elements of the part.
bool lite_part_is_inside(const LitePart* part);

// Messages have no operator's name in front: callers add it.

// `begin` and `size` have a number for each dimension of the input; size -1: all the rest.
TfLiteStatus lite_slice_part(const LiteShape* input, const int64_t* begin, const int64_t* size,
                             LitePart* part, const LiteReporter* reporter);

// What STRIDED_SLICE was given, index by index.
typedef struct LiteStrides {
    int count; // at most LITE_MAX_RANK
    const int64_t* begin;
    const int64_t* end;
    const int64_t* stride;
    const TfLiteStridedSliceParams* params;
} LiteStrides;
// As in the reference an index that is shrunk, and an end that is an offset, may lie outside of the input.
TfLiteStatus lite_strided_part(const LiteShape* input, const LiteStrides* strides, LitePart* part,
                               const LiteReporter* reporter);

#endif
