// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays as arithmetic: what the operators that only move elements give the CPU's loop
// or an OpenCL kernel to do.
//
// A move is a list of dimensions, each with a length and a stride in either array. Transposing permutes
// strides, slicing offsets and scales them, reversing negates them, broadcasting makes a source stride 0,
// concatenating and splitting address a block of a larger array.
#ifndef CORE_SEMANTICS_MOVE_H_
#define CORE_SEMANTICS_MOVE_H_

#include "core/base/shape.h"

#define LITE_MOVE_RANK (2 * LITE_MAX_RANK)

typedef struct LiteMove {
    int rank;
    int64_t dims[LITE_MOVE_RANK];
    int64_t from[LITE_MOVE_RANK]; // strides in elements; the source's may be 0 or negative
    int64_t to[LITE_MOVE_RANK];   // the destination's may be negative; no element is written twice
} LiteMove;

// Appends a dimension; at most LITE_MOVE_RANK. The order of dimensions does not matter.
void lite_move_add(LiteMove* move, int64_t length, int64_t from, int64_t to);

// Whether the move is of one run of elements to another; *count of them. Only dimensions that come from the
// outermost to the innermost one are looked at so.
bool lite_move_is_run(const LiteMove* move, int64_t* count);

// Row-major strides of a shape, in elements.
void lite_move_strides(const LiteShape* shape, int64_t strides[LITE_MAX_RANK]);

// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: blocks of pixels into the batch and back. They differ in direction
// only: the first pads the wide side, the second crops it.
typedef struct LiteBlocking {
    int space; // dimensions in blocks, after the batch's
    int64_t block[LITE_MAX_RANK];
    int64_t before[LITE_MAX_RANK];
    int64_t after[LITE_MAX_RANK];
    int64_t blocks; // elements of a block
} LiteBlocking;

// The move of one position in a block, between a batch of the deep side and every block-th pixel of the wide:
// the offsets of its first elements.
void lite_move_block(const LiteBlocking* b, const LiteShape* wide, const LiteShape* deep, int64_t position,
                     bool to_batch, LiteMove* move, int64_t* from, int64_t* to);

// The move of all positions at once. False where something is padded or cropped.
bool lite_move_blocks(const LiteBlocking* b, const LiteShape* wide, const LiteShape* deep, bool to_batch,
                      LiteMove* move);

#endif
