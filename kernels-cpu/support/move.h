// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays. Most operators that only move elements run this loop.
#ifndef KERNELS_CPU_SUPPORT_MOVE_H_
#define KERNELS_CPU_SUPPORT_MOVE_H_

#include <stddef.h>
#include <stdint.h>

#include "core/semantics/move.h"

// Copies from `from` to `to`, the addresses of the elements with all coordinates 0. `element` is the size of
// an element in bytes, of any value.
void lite_move_run(const LiteMove* move, const void* from, void* to, size_t element, int threads);

#endif
