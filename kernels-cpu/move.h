// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays: the one loop behind most operators that only move elements.
//
// A move is a list of dimensions, each with a length and a stride in either array. Transposing permutes
// strides, slicing offsets and scales them, reversing negates them, broadcasting makes a source stride 0,
// concatenating and splitting address a block of a larger array.
#ifndef KERNELS_CPU_MOVE_H_
#define KERNELS_CPU_MOVE_H_

#include <stddef.h>
#include <stdint.h>

#include "kernels-cpu/kernel.h"

#define LITE_MOVE_RANK (2 * LITE_MAX_RANK)

typedef struct LiteMove {
    int rank;
    int64_t dims[LITE_MOVE_RANK];
    int64_t from[LITE_MOVE_RANK]; // strides in elements; the source's may be 0 or negative
    int64_t to[LITE_MOVE_RANK];   // the destination's may be negative; no element is written twice
} LiteMove;

// Appends a dimension; at most LITE_MOVE_RANK. The order of dimensions does not matter.
void lite_move_add(LiteMove* move, int64_t length, int64_t from, int64_t to);

// Copies from `from` to `to`, the addresses of the elements with all coordinates 0. `element` is the size of
// an element in bytes, of any value.
void lite_move_run(const LiteMove* move, const void* from, void* to, size_t element, int threads);

// Row-major strides of a shape, in elements.
void lite_move_strides(const LiteShape* shape, int64_t strides[LITE_MAX_RANK]);

// Runs `move` from element `from_offset` of `input` to element `to_offset` of `output`, tensors of the same
// type. String outputs are complete after one move: it must write every element.
TfLiteStatus lite_move_tensor(TfLiteOpaqueContext* context, const char* op, const LiteMove* move,
                              const LiteView* input, int64_t from_offset, LiteView* output,
                              int64_t to_offset);

#endif
