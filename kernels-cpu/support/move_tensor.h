// SPDX-License-Identifier: Apache-2.0
// Copies between tensors of one type: numbers, elements within bytes and strings.
#ifndef KERNELS_CPU_SUPPORT_MOVE_TENSOR_H_
#define KERNELS_CPU_SUPPORT_MOVE_TENSOR_H_

#include "core/base/places.h"
#include "core/semantics/move.h"
#include "kernels-cpu/support/kernel.h"

// Runs `move` from element `from_offset` of `input` to element `to_offset` of `output`, tensors of the same
// type. String outputs are complete after one move: it must write every element.
TfLiteStatus lite_move_tensor(TfLiteOpaqueContext* context, const char* op, const LiteMove* move,
                              const LiteView* input, int64_t from_offset, LiteView* output,
                              int64_t to_offset);

// The same; or, with `places`, only tells which of the two tensors, all of it, is a part of the other.
TfLiteStatus lite_move_or_place(TfLiteOpaqueContext* context, const char* op, LitePlaces* places,
                                const LiteMove* move, const LiteView* input, int64_t from_offset,
                                LiteView* output, int64_t to_offset);
// `part` is what `whole` has from byte `offset` on.
void lite_move_add_place(TfLiteOpaqueContext* context, LitePlaces* places, const LiteView* part,
                         const LiteView* whole, int64_t offset);

#endif
