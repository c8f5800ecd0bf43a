// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_x3_plan.h"

#include <stdatomic.h>

// The depth is divided into chunks: rows and two panels in parts of so many steps stay in the second cache.
#define CHUNK_BLOCKS 16
#define ROWS_BYTES ((size_t)672 * 1024)
// Measured on a Xeon with AMX, in nanoseconds: a block of a row times one of a panel, to split these, to read
// a row that another core has, and to begin and to store a pair of tiles.
#define ROW_COST 5.2
#define PANEL_COST 80.0
#define SPLIT_COST 4.5
#define REMOTE_COST 110.0
#define PAIR_COST 180.0
// Of floats, a block of a row times one of a panel, and to store these.
#define FLOAT_COST 14.2
#define STORE_COST 6.0
// What is less than so much of that is worth it, with rows for two threads and a part of them elsewhere.
#define GAIN 0.88
// So many nanoseconds less, too: for some 0.7 ms after these instructions the processor runs at a frequency
// that is lower by 8 %.
#define SAVED 40000.0
#define REMOTE_PART 0.25
#define LEAST_ROWS 96

static int blocks_of(size_t steps) {
    return (int)((steps + LITE_X3_STEPS - 1) / LITE_X3_STEPS);
}

int lite_x3_chunk(size_t steps) {
    return lite_x3_ceil_div(blocks_of(steps), lite_x3_ceil_div(blocks_of(steps), CHUNK_BLOCKS));
}

int lite_x3_most_tiles(size_t steps) {
    const size_t bytes = (size_t)lite_x3_chunk(steps) * LITE_X3_TILE * sizeof(uint16_t);
    const size_t tiles = ROWS_BYTES / bytes / 2 * 2;
    return tiles > LITE_X3_MOST_TILES ? LITE_X3_MOST_TILES : (int)tiles;
}

size_t lite_x3_scratch(size_t steps, size_t panels) {
    const size_t block = (size_t)lite_x3_most_tiles(steps) * LITE_X3_TILE + 2 * LITE_X3_PANEL;
    const size_t kinds = (panels + LITE_X3_ALIGNMENT - 1) / LITE_X3_ALIGNMENT * LITE_X3_ALIGNMENT;
    return (size_t)lite_x3_chunk(steps) * block * sizeof(uint16_t) + kinds + LITE_X3_ALIGNMENT;
}

double lite_x3_cost(size_t steps, double rows, double panels, double remote) {
    const double block = panels * (rows * ROW_COST + PANEL_COST) + rows * (SPLIT_COST + remote * REMOTE_COST);
    return blocks_of(steps) * block + panels * (rows / 2 / LITE_X3_ROWS + 1) * PAIR_COST;
}

static atomic_bool chooses_all;

void lite_x3_choose_all(bool all) {
    atomic_store(&chooses_all, all);
}

bool lite_x3_suits(const LiteX3Sizes* sizes) {
    // Blocks of steps are whole ones but for the last.
    if (sizes->runs > 1 && sizes->run_depth % LITE_X3_STEPS != 0) return false;
    if (sizes->rows == 0 || sizes->steps == 0) return false;
    if (atomic_load(&chooses_all)) return true;
    if (sizes->rows < LEAST_ROWS) return false;
    const double most = lite_x3_most_tiles(sizes->steps) * LITE_X3_ROWS, half = (double)sizes->rows / 2;
    const double rows = half < most ? half : most, panels = sizes->panels;
    const double blocks = (double)sizes->steps / LITE_X3_STEPS;
    const double once = (double)sizes->inputs / ((double)sizes->rows * (double)sizes->steps);
    const double remote = once < 1.0 ? once * REMOTE_PART : REMOTE_PART;
    const double split = lite_x3_cost(sizes->steps, rows, panels, remote);
    const double whole = rows * panels * (blocks * FLOAT_COST + STORE_COST);
    return split < GAIN * whole && (whole - split) * half / rows > SAVED;
}
