// SPDX-License-Identifier: Apache-2.0
// Parameters that are tensors of a few integers: axes, sizes, paddings.
#ifndef KERNELS_CPU_SUPPORT_INTS_H_
#define KERNELS_CPU_SUPPORT_INTS_H_

#include "kernels-cpu/support/kernel.h"

// All elements of an INT32 or INT64 tensor of known contents, in order; an error when there are more than
// `capacity`.
TfLiteStatus lite_ints_read(TfLiteOpaqueContext* context, const char* op, const char* what,
                            const LiteView* view, int capacity, int64_t* values, int* count);
// The element of a tensor that has one.
TfLiteStatus lite_ints_read_one(TfLiteOpaqueContext* context, const char* op, const char* what,
                                const LiteView* view, int64_t* value);
// Element `index` of an INT32 or INT64 tensor (also INT8, INT16 or BOOL, where an operator allows it).
int64_t lite_ints_at(const LiteView* view, int64_t index);
// All of them, as 64 bits each.
void lite_ints_widen(const LiteView* view, int64_t* to);

// An axis given as a number that may count from the end, made non-negative; an error when out of range.
TfLiteStatus lite_ints_axis(TfLiteOpaqueContext* context, const char* op, int64_t axis, int rank,
                            int* resolved);

#endif
