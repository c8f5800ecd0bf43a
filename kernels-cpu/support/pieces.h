// SPDX-License-Identifier: Apache-2.0
// Pieces that lie side by side in the rows of a large array, and row after row in arrays of their own: what
// concatenating and splitting copy. One block of rows after the other, so that caches have to hold a block,
// and all memory is read and written once, in order.
#ifndef KERNELS_CPU_SUPPORT_PIECES_H_
#define KERNELS_CPU_SUPPORT_PIECES_H_

#include "kernels-cpu/support/kernel.h"

enum { kLitePieces = 16 }; // that are copied together

typedef struct LitePiece {
    char* own; // its array: rows of `bytes` bytes
    int64_t bytes;
    int64_t offset; // of a row, in the whole's
} LitePiece;

typedef struct LitePieces {
    char* whole; // rows of `step` bytes
    int64_t rows;
    int64_t step;
    bool joins; // into the whole; else out of it
    int threads;
    int count;
    LitePiece pieces[kLitePieces];
} LitePieces;

// Bytes of an element of the whole; 0: they are not copied as pieces.
int64_t lite_pieces_size(const LiteView* whole);
// Are rows so many and so long, and a piece of them long enough, that copying them together is worth it?
bool lite_pieces_suit(int64_t rows, int64_t step, int64_t piece);
// Adds a piece; when there are enough, they are copied.
void lite_pieces_add(LitePieces* pieces, LitePiece piece);
// Copies those that are left.
void lite_pieces_end(LitePieces* pieces);

#endif
