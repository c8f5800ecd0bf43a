// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_x3.h"

#include <math.h>
#include <string.h>

// Pointers for so many runs of rows that cannot be split are on the stack.
#define MOST_RUNS 9

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

// Rows that do not follow each other get there by way of a buffer, two tiles at a time.
static void multiply_scattered(const LiteX3Block* block, const LiteX3Panel* panel, const LiteX3Tiles* all) {
    float c[2 * LITE_X3_ROWS * LITE_MICRO_MAX_PANEL];
    LiteX3Tiles what = *all;
    const size_t bytes = (size_t)what.columns * sizeof *c;
    what.c = c;
    what.c_step = LITE_MICRO_MAX_PANEL;
    for (int t = 0; t < all->tiles; t += 2, what.a += 2 * what.a_step) {
        what.tiles = all->tiles - t < 2 ? 1 : 2;
        what.larger = all->larger - t;
        const int rows =
            (int)(lite_gemm_tile_row(block->rows, t + what.tiles) - lite_gemm_tile_row(block->rows, t));
        for (int r = 0; r < rows && what.bias == NULL; r++)
            memcpy(c + (size_t)r * LITE_MICRO_MAX_PANEL, find_output(block, panel, t, r), bytes);
        block->rows->gemm->micro->gemm_x3(&what);
        for (int r = 0; r < rows; r++)
            memcpy(find_output(block, panel, t, r), c + (size_t)r * LITE_MICRO_MAX_PANEL, bytes);
    }
}

// Bytes of a step of a packed panel.
static size_t row_bytes(const LiteGemm* gemm) {
    return LITE_MICRO_MAX_PANEL * lite_weight_bytes(gemm->precision);
}

// Rows of a tile that cannot be split, or all of them where weights cannot be.
typedef struct Others {
    const LiteX3Block* block;
    const LiteX3Panel* panel;
    int tile;
    int count;
    int rows[LITE_X3_ROWS];
} Others;

// Where a run of a row is read.
static const float* find_input(const Others* others, int row, int run) {
    const LiteGemmBlock* rows = others->block->rows;
    const LiteGemm* gemm = rows->gemm;
    const LiteGemmSeries* series = rows->series;
    while (others->tile >= series->first + series->count) series++;
    const size_t at = (size_t)series->first * (size_t)gemm->runs + (size_t)run;
    return rows->pointers[at * (size_t)gemm->rows + (size_t)row] +
           (size_t)(others->tile - series->first) * series->step;
}

// Some runs, from number `run` on, of some rows as floats. A row does not depend on how many there are.
static void multiply_floats(const Others* others, int first, int count, int run, int runs, const float* bias,
                            float* c) {
    const LiteX3Panel* panel = others->panel;
    const LiteGemm* gemm = others->block->rows->gemm;
    const int width = gemm->micro->rows_f32;
    const float* a[MOST_RUNS * LITE_MICRO_MAX_ROWS];
    for (int i = 0; i < runs * count; i++)
        a[i / count * width + i % count] =
            find_input(others, others->rows[first + i % count], run + i / count);
    const char* b = (const char*)panel->b + (size_t)run * (size_t)gemm->run_depth * row_bytes(gemm);
    const bool is_last = run + runs == gemm->runs;
    gemm->micro->gemm_f32(&(LiteFloatTile){.tiles = 1,
                                           .rows = count,
                                           .columns = LITE_MICRO_MAX_PANEL,
                                           .taps = runs,
                                           .depth = gemm->run_depth,
                                           .a = a,
                                           .b = b,
                                           .bias = bias,
                                           .low = is_last ? panel->low : -INFINITY,
                                           .high = is_last ? panel->high : INFINITY,
                                           .c = c,
                                           .c_step = LITE_MICRO_MAX_PANEL,
                                           .ahead = b,
                                           .weights = gemm->precision});
}

// Filters of many lines, whose pointers have no room, go run by run, with sums of one row as the next bias.
static void multiply_others(const Others* others) {
    const LiteGemm* gemm = others->block->rows->gemm;
    const size_t bytes = (size_t)others->panel->columns * sizeof(float);
    const int most = gemm->runs <= MOST_RUNS ? gemm->micro->rows_f32 : 1;
    float c[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    for (int first = 0, count; first < others->count; first += count) {
        count = others->count - first < most ? others->count - first : most;
        if (gemm->runs <= MOST_RUNS) {
            multiply_floats(others, first, count, 0, gemm->runs, others->panel->bias, c);
        } else {
            memcpy(c, others->panel->bias, LITE_MICRO_MAX_PANEL * sizeof *c);
            for (int run = 0; run < gemm->runs; run++) multiply_floats(others, first, 1, run, 1, c, c);
        }
        for (int i = 0; i < count; i++) {
            float* to = find_output(others->block, others->panel, others->tile, others->rows[first + i]);
            memcpy(to, c + (size_t)i * LITE_MICRO_MAX_PANEL, bytes);
        }
    }
}

// The rows times a panel that has been split. Meanwhile the next one is.
static void multiply_panel(const LiteX3Block* block, const LiteX3Panel* panel, const uint16_t* b,
                           LiteX3Weights* next) {
    const LiteGemmBlock* rows = block->rows;
    const bool is_last = lite_x3_is_last_chunk(block);
    const LiteX3Tiles what = {.tiles = rows->tiles,
                              .rows = rows->rows + (rows->larger > 0),
                              .larger = rows->larger > 0 ? rows->larger : rows->tiles,
                              .columns = panel->columns,
                              .blocks = lite_x3_ceil_div(block->end_step - block->first_step, LITE_X3_STEPS),
                              .a = block->parts,
                              .a_step = tile_size(rows->gemm),
                              .b = b,
                              .bias = block->first_step == 0 ? panel->bias : NULL,
                              .low = is_last ? panel->low : -INFINITY,
                              .high = is_last ? panel->high : INFINITY,
                              .c = block->output + panel->first_column,
                              .c_step = block->output_step,
                              .weights = rows->gemm->precision,
                              .next = next};
    if (block->grid != NULL) {
        multiply_scattered(block, panel, &what);
    } else {
        rows->gemm->micro->gemm_x3(&what);
    }
}

void lite_x3_multiply(LiteX3Block* block, const LiteX3Panel* panel) {
    const LiteGemmBlock* rows = block->rows;
    const LiteGemm* gemm = rows->gemm;
    const size_t size = gemm->panel_size * lite_weight_bytes(gemm->precision);
    const char* in = (const char*)panel->b + (size_t)block->first_step * row_bytes(gemm);
    LiteX3Weights weights = {.precision = gemm->precision,
                             .steps = block->end_step - block->first_step,
                             .in = in,
                             .ahead = size,
                             .out = block->panels[block->turn]};
    uint8_t* kind = block->panel_kinds + panel->number;
    if (!block->is_next) {
        gemm->micro->x3_weights(&weights);
        *kind |= (uint8_t)weights.kind;
    }
    const uint16_t* b = weights.out;
    block->is_next = !panel->is_last && block->grid == NULL;
    block->turn = 1 - block->turn;
    if (block->is_next) {
        weights.in = in + size;
        weights.out = block->panels[block->turn];
        weights.kind = 0;
    }
    multiply_panel(block, panel, b, block->is_next ? &weights : NULL);
    if (block->is_next) kind[1] |= (uint8_t)weights.kind;
    if (!lite_x3_is_last_chunk(block) || (takes(*kind) && block->others == 0)) return;
    for (int t = 0; t < rows->tiles; t++) {
        Others others = {.block = block, .panel = panel, .tile = t};
        for (int r = 0; r < lite_gemm_tile_rows(rows, t); r++)
            if (!takes(*kind) || !takes(block->kinds[t][r])) others.rows[others.count++] = r;
        multiply_others(&others);
    }
}
