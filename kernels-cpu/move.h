// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays: the one loop behind most operators that only move elements.
#ifndef KERNELS_CPU_MOVE_H_
#define KERNELS_CPU_MOVE_H_

#include <stddef.h>
#include <stdint.h>

#include "core/base/move.h"
#include "kernels-cpu/kernel.h"

// Copies from `from` to `to`, the addresses of the elements with all coordinates 0. `element` is the size of
// an element in bytes, of any value.
void lite_move_run(const LiteMove* move, const void* from, void* to, size_t element, int threads);

// Runs `move` from element `from_offset` of `input` to element `to_offset` of `output`, tensors of the same
// type. String outputs are complete after one move: it must write every element.
TfLiteStatus lite_move_tensor(TfLiteOpaqueContext* context, const char* op, const LiteMove* move,
                              const LiteView* input, int64_t from_offset, LiteView* output,
                              int64_t to_offset);

#endif
