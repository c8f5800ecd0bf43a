// SPDX-License-Identifier: Apache-2.0
// String tensors for operators that move elements. The format: int32 count, count + 1 int32 offsets from the
// start of the tensor, the bytes.
#ifndef KERNELS_CPU_SUPPORT_STRINGS_H_
#define KERNELS_CPU_SUPPORT_STRINGS_H_

#include "core/semantics/move.h"
#include "kernels-cpu/support/kernel.h"

// The contents are well formed and hold as many strings as the tensor has elements. An empty tensor may have
// no contents.
TfLiteStatus lite_strings_check(TfLiteOpaqueContext* context, const char* op, const LiteView* view);

// The bytes of string `index` of a checked tensor.
const char* lite_strings_get(const LiteView* view, int64_t index, size_t* length);

// Writes output[i] = input[which[i]] for each of the output's elements; `which` has been checked. `output`
// has its shape already.
TfLiteStatus lite_strings_select(TfLiteOpaqueContext* context, const char* op, const LiteView* input,
                                 const int32_t* which, LiteView* output);

// lite_move_tensor for strings; the move writes every element of the output.
TfLiteStatus lite_strings_move(TfLiteOpaqueContext* context, const char* op, const LiteMove* move,
                               const LiteView* input, int64_t from_offset, LiteView* output);

#endif
