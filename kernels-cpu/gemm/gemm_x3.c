// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_x3.h"

#include <math.h>
#include <string.h>

// Elements of a tile of rows, and of a panel.
static size_t tile_size(const LiteGemm* gemm) {
    return (size_t)lite_x3_chunk(gemm->steps) * LITE_X3_TILE;
}

static size_t panel_size(const LiteGemm* gemm) {
    return (size_t)lite_x3_chunk(gemm->steps) * LITE_X3_PANEL;
}

static size_t panels_of(const LiteGemm* gemm) {
    return (size_t)gemm->shape.groups * (size_t)gemm->panels;
}

// May floats like these (kLiteX3...) be split?
static bool takes(int kind) {
    return (kind & kLiteX3Infinite) == 0 && (kind & (kLiteX3Large | kLiteX3Nonzero)) != kLiteX3Nonzero;
}

// At the end of the scratch.
static void place(LiteX3Block* block, char* scratch) {
    const LiteGemm* gemm = block->rows->gemm;
    char* first = scratch + gemm->scratch - lite_x3_scratch(gemm->steps, panels_of(gemm));
    first += (LITE_X3_ALIGNMENT - (uintptr_t)first % LITE_X3_ALIGNMENT) % LITE_X3_ALIGNMENT;
    block->parts = (uint16_t*)(void*)first;
    block->panels[0] = block->parts + (size_t)lite_x3_most_tiles(gemm->steps) * tile_size(gemm);
    block->panels[1] = block->panels[0] + panel_size(gemm);
    block->panel_kinds = (uint8_t*)(block->panels[1] + panel_size(gemm));
}

// The chunk's steps of tile number `tile` of a series.
static void split_tile(LiteX3Block* block, const LiteGemmSeries* series, int tile) {
    const LiteGemmBlock* rows = block->rows;
    const LiteGemm* gemm = rows->gemm;
    const float** first = rows->pointers + (size_t)series->first * (size_t)gemm->runs * (size_t)gemm->rows;
    uint16_t* out = block->parts + (size_t)tile * tile_size(gemm);
    for (int k = block->first_step, next; k < block->end_step; k = next) {
        const int run = k / gemm->run_depth, end = (run + 1) * gemm->run_depth;
        next = end < block->end_step ? end : block->end_step;
        gemm->micro->x3_rows(&(LiteX3Rows){
            .rows = lite_gemm_tile_rows(rows, tile),
            .depth = next - k,
            .in = first + (size_t)run * (size_t)gemm->rows,
            .offset = (size_t)(tile - series->first) * series->step + (size_t)(k % gemm->run_depth),
            .out = out + (size_t)((k - block->first_step) / LITE_X3_STEPS) * LITE_X3_TILE,
            .kinds = block->kinds[tile],
        });
    }
}

void lite_x3_begin(LiteX3Block* block, char* scratch) {
    place(block, scratch);
    memset(block->kinds, 0, sizeof block->kinds);
    memset(block->panel_kinds, 0, panels_of(block->rows->gemm));
    block->first_step = block->end_step = 0;
}

bool lite_x3_next_chunk(LiteX3Block* block) {
    const LiteGemmBlock* rows = block->rows;
    const int steps = (int)rows->gemm->steps, chunk = lite_x3_chunk(rows->gemm->steps) * LITE_X3_STEPS;
    if (block->end_step == steps) return false;
    block->first_step = block->end_step;
    block->end_step = steps - block->first_step < chunk ? steps : block->first_step + chunk;
    block->is_next = false;
    for (int i = 0; i < rows->series_count; i++) {
        const LiteGemmSeries* series = &rows->series[i];
        for (int t = 0; t < series->count; t++) split_tile(block, series, series->first + t);
    }
    block->others = 0;
    for (int t = 0; t < rows->tiles; t++) {
        for (int r = 0; r < lite_gemm_tile_rows(rows, t); r++) block->others += !takes(block->kinds[t][r]);
    }
    return true;
}

bool lite_x3_is_last_chunk(const LiteX3Block* block) {
    return block->end_step == (int)block->rows->gemm->steps;
}

// Where a row is written.
static float* find_output(const LiteX3Block* block, const LiteX3Panel* panel, int tile, int row) {
    const int64_t of_all = lite_gemm_tile_row(block->rows, tile) + row;
    float* first = block->output + panel->first_column;
    if (block->grid != NULL) return first + lite_gemm_offset(&block->rows->gemm->shape, block->grid, of_all);
    return first + (size_t)(of_all - block->rows->first_row) * block->output_step;
}

// Rows that do not follow each other get there by way of a buffer.
static void multiply_scattered(const LiteX3Block* block, const LiteX3Panel* panel, int tile,
                               LiteX3Tile* what) {
    float c[2 * LITE_X3_ROWS * LITE_MICRO_MAX_PANEL];
    const size_t bytes = (size_t)what->columns * sizeof *c;
    float* at = c;
    for (int t = 0; t < what->tiles && what->bias == NULL; t++) {
        for (int r = 0; r < what->stored[t]; r++, at += LITE_MICRO_MAX_PANEL)
            memcpy(at, find_output(block, panel, tile + t, r), bytes);
    }
    what->c = at = c;
    what->c_step = LITE_MICRO_MAX_PANEL;
    block->rows->gemm->micro->gemm_x3(what);
    for (int t = 0; t < what->tiles; t++) {
        for (int r = 0; r < what->stored[t]; r++, at += LITE_MICRO_MAX_PANEL)
            memcpy(find_output(block, panel, tile + t, r), at, bytes);
    }
}

// A row that cannot be split, or of weights that cannot be.
static void multiply_floats(const LiteX3Block* block, const LiteX3Panel* panel, int tile, int row) {
    const LiteGemmBlock* rows = block->rows;
    const LiteGemm* gemm = rows->gemm;
    const LiteGemmSeries* series = rows->series;
    while (tile >= series->first + series->count) series++;
    const float** first = rows->pointers + (size_t)series->first * (size_t)gemm->runs * (size_t)gemm->rows;
    float sums[LITE_MICRO_MAX_PANEL];
    memcpy(sums, panel->bias, sizeof sums);
    for (int run = 0; run < gemm->runs; run++) {
        const float* a = first[(size_t)run * (size_t)gemm->rows + (size_t)row] +
                         (size_t)(tile - series->first) * series->step;
        const float* b = panel->b + (size_t)run * (size_t)gemm->run_depth * LITE_MICRO_MAX_PANEL;
        const bool is_last = run + 1 == gemm->runs;
        gemm->micro->gemm_f32(&(LiteFloatTile){.tiles = 1,
                                               .rows = 1,
                                               .columns = LITE_MICRO_MAX_PANEL,
                                               .taps = 1,
                                               .depth = gemm->run_depth,
                                               .a = &a,
                                               .b = b,
                                               .bias = sums,
                                               .low = is_last ? panel->low : -INFINITY,
                                               .high = is_last ? panel->high : INFINITY,
                                               .c = sums,
                                               .c_step = LITE_MICRO_MAX_PANEL,
                                               .ahead = (const char*)b});
    }
    memcpy(find_output(block, panel, tile, row), sums, (size_t)panel->columns * sizeof *sums);
}

// The rows times a panel that has been split, two tiles at a time. Each pair splits a part of the next panel.
static void multiply_pairs(LiteX3Block* block, const LiteX3Panel* panel, const uint16_t* b,
                           LiteX3Weights* next) {
    const LiteGemmBlock* rows = block->rows;
    const int pairs = lite_x3_ceil_div(rows->tiles, 2),
              share = lite_x3_ceil_div(LITE_X3_STEPS / 2, pairs) * 2;
    const bool is_last = lite_x3_is_last_chunk(block);
    LiteX3Tile what = {.rows = rows->rows + (rows->larger > 0),
                       .columns = panel->columns,
                       .blocks = lite_x3_ceil_div(block->end_step - block->first_step, LITE_X3_STEPS),
                       .a_step = tile_size(rows->gemm),
                       .b = b,
                       .bias = block->first_step == 0 ? panel->bias : NULL,
                       .low = is_last ? panel->low : -INFINITY,
                       .high = is_last ? panel->high : INFINITY,
                       .c_step = block->output_step,
                       .next = panel->is_last ? NULL : next};
    for (int i = 0; i < pairs; i++) {
        const int t = 2 * i;
        next->first = i * share < LITE_X3_STEPS ? i * share : LITE_X3_STEPS;
        next->end = next->first + share < LITE_X3_STEPS ? next->first + share : LITE_X3_STEPS;
        what.tiles = t + 1 < rows->tiles ? 2 : 1;
        what.stored[0] = lite_gemm_tile_rows(rows, t);
        what.stored[1] = lite_gemm_tile_rows(rows, t + 1);
        what.a = block->parts + (size_t)t * tile_size(rows->gemm);
        if (block->grid != NULL) {
            multiply_scattered(block, panel, t, &what);
        } else {
            what.c = find_output(block, panel, t, 0);
            rows->gemm->micro->gemm_x3(&what);
        }
    }
}

void lite_x3_multiply(LiteX3Block* block, const LiteX3Panel* panel) {
    const LiteGemmBlock* rows = block->rows;
    const LiteGemm* gemm = rows->gemm;
    LiteX3Weights weights = {.steps = block->end_step - block->first_step,
                             .end = LITE_X3_STEPS,
                             .in = panel->b + (size_t)block->first_step * LITE_MICRO_MAX_PANEL,
                             .ahead = gemm->panel_size * sizeof(float),
                             .out = block->panels[block->turn]};
    uint8_t* kind = block->panel_kinds + panel->number;
    if (!block->is_next) {
        gemm->micro->x3_weights(&weights);
        *kind |= (uint8_t)weights.kind;
    }
    const uint16_t* b = weights.out;
    block->is_next = !panel->is_last;
    block->turn = 1 - block->turn;
    weights.in += gemm->panel_size;
    weights.out = block->panels[block->turn];
    weights.kind = 0;
    multiply_pairs(block, panel, b, &weights);
    if (block->is_next) kind[1] |= (uint8_t)weights.kind;
    if (!lite_x3_is_last_chunk(block) || (takes(*kind) && block->others == 0)) return;
    for (int t = 0; t < rows->tiles; t++) {
        for (int r = 0; r < lite_gemm_tile_rows(rows, t); r++)
            if (!takes(*kind) || !takes(block->kinds[t][r])) multiply_floats(block, panel, t, r);
    }
}
