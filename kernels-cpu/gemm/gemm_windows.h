// SPDX-License-Identifier: Apache-2.0
// Where the rows of a product of floats are read: each is a window of the input, of one read for each run.
#ifndef KERNELS_CPU_GEMM_GEMM_WINDOWS_H_
#define KERNELS_CPU_GEMM_GEMM_WINDOWS_H_

#include "kernels-cpu/gemm/gemm.h"

// Tiles of one size, where each reads what lies `step` floats behind what the one before it reads.
typedef struct LiteGemmSeries {
    int first;
    int count;
    size_t step;
} LiteGemmSeries;

// A block of rows in tiles of nearly one size.
typedef struct LiteGemmBlock {
    const LiteGemm* gemm;
    int64_t first_row;
    bool in_series;         // tiles may be; else each is one of its own
    const float** pointers; // [tile][run][gemm->rows], of the first tile of each series, and room for copies
    LiteGemmSeries* series; // room for `tiles`
    int series_count;
    int tiles;
    int rows; // of a tile; the first `larger` tiles have one more
    int larger;
} LiteGemmBlock;

static inline int lite_gemm_tile_rows(const LiteGemmBlock* block, int tile) {
    return block->rows + (tile < block->larger);
}

// The first row of a tile.
static inline int64_t lite_gemm_tile_row(const LiteGemmBlock* block, int tile) {
    const int larger = tile < block->larger ? tile : block->larger;
    return block->first_row + (int64_t)tile * block->rows + larger;
}

// Sets the pointers and the series for a group of the input's channels.
void lite_gemm_point(LiteGemmBlock* block, const float* input, int64_t group);

#endif
