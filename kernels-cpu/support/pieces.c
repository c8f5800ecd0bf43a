// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/pieces.h"

#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/support/packed.h"

enum {
    kBlockBytes = 16 * 1024,  // of the whole, which the first cache holds with the pieces
    kGrainBytes = 64 * 1024,  // less work than this is not worth another thread
    kLeastBytes = 128 * 1024, // of the whole; what is smaller stays in the second cache
    kLeastPiece = 16
};

int64_t lite_pieces_size(const LiteView* whole) {
    return lite_is_packed(whole->type) ? 0 : (int64_t)lite_type_size(whole->type);
}

bool lite_pieces_suit(int64_t rows, int64_t step, int64_t piece) {
    return rows > 1 && piece >= kLeastPiece && step > kLeastBytes / rows && step <= kBlockBytes;
}

// Rows of one size each, where that is a constant copied by vectors.
#define COPY_ROWS(SIZE)                                                                                      \
    for (int64_t r = 0; r < rows; r++, from += from_step, to += to_step) memcpy(to, from, SIZE);

static void copy_rows(const char* from, int64_t from_step, char* to, int64_t to_step, int64_t rows,
                      size_t bytes) {
    switch (bytes) {
    case 16:
        COPY_ROWS(16) break;
    case 32:
        COPY_ROWS(32) break;
    case 64:
        COPY_ROWS(64) break;
    case 128:
        COPY_ROWS(128) break;
    default:
        COPY_ROWS(bytes) break;
    }
}

static void copy_block(const LitePieces* p, int64_t first, int64_t rows) {
    for (int i = 0; i < p->count; i++) {
        const LitePiece* piece = &p->pieces[i];
        char* own = piece->own + first * piece->bytes;
        char* whole = p->whole + first * p->step + piece->offset;
        if (p->joins) {
            copy_rows(own, piece->bytes, whole, p->step, rows, (size_t)piece->bytes);
        } else {
            copy_rows(whole, p->step, own, piece->bytes, rows, (size_t)piece->bytes);
        }
    }
}

static void copy_range(void* argument, int64_t begin, int64_t end, int thread) {
    const LitePieces* p = argument;
    const int64_t most = p->step < kBlockBytes ? kBlockBytes / p->step : 1;
    (void)thread;
    for (int64_t first = begin; first < end; first += most)
        copy_block(p, first, end - first < most ? end - first : most);
}

void lite_pieces_add(LitePieces* pieces, LitePiece piece) {
    if (pieces->count == kLitePieces) lite_pieces_end(pieces);
    pieces->pieces[pieces->count++] = piece;
}

void lite_pieces_end(LitePieces* pieces) {
    if (pieces->count == 0) return;
    const int64_t grain = pieces->step < kGrainBytes ? kGrainBytes / pieces->step : 1;
    lite_parallel_for(pieces->threads, pieces->rows, grain, copy_range, pieces);
    pieces->count = 0;
}
