// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_f32.h"

#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/gemm/gemm_items.h"
#include "kernels-cpu/gemm/gemm_windows.h"
#include "kernels-cpu/gemm/gemm_x3.h"
#include "kernels-cpu/support/zeros.h"

void lite_gemm_bias_f32(LiteGemm* gemm, const float* bias) {
    const size_t width = (size_t)gemm->panels * (size_t)gemm->micro->panel; // of one group
    const bool is_whole = gemm->columns % gemm->micro->panel == 0;
    if (is_whole && (bias != NULL || (size_t)gemm->shape.groups * width <= kLiteZeros)) {
        gemm->bias = bias != NULL ? bias : lite_zeros();
        return;
    }
    for (int32_t g = 0; g < gemm->shape.groups; g++) {
        float* to = gemm->own + (size_t)g * width;
        const float* from = bias == NULL ? NULL : bias + (size_t)g * (size_t)gemm->columns;
        for (int32_t n = 0; n < gemm->columns; n++) to[n] = from == NULL ? 0.0f : from[n];
    }
    gemm->bias = gemm->own;
}

typedef struct Job {
    const float* input;
    float* output;
    float low;
    float high;
    const LiteGrid* grid; // NULL: rows are `step` elements apart, and `output` is where these begin:
    int64_t first_row;
    int32_t first_column;
    size_t step;
    const LiteGemmColumns* right; // what an item packs; NULL: all is packed
} Job;

// Rows of an item.
typedef struct Block {
    LiteGemmBlock rows;
    const Job* job;
    const LiteGemmItem* item;
} Block;

// A tile whose rows do not follow each other gets there by way of a buffer.
static void run_scattered(const Block* block, int64_t row, int32_t column, LiteFloatTile tile) {
    const LiteGemm* gemm = block->rows.gemm;
    const size_t panel = (size_t)gemm->micro->panel;
    float c[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    tile.c = c;
    tile.c_step = panel;
    gemm->micro->gemm_f32(&tile);
    for (int r = 0; r < tile.rows; r++) {
        float* to = block->job->output + lite_gemm_offset(&gemm->shape, block->job->grid, row + r);
        memcpy(to + column, c + (size_t)r * panel, (size_t)tile.columns * sizeof(float));
    }
}

static void run_series(const Block* block, const LiteGemmSeries* series, const LiteFloatTile* panel,
                       int32_t column) {
    const LiteGemm* gemm = block->rows.gemm;
    const Job* job = block->job;
    const int first = series->first;
    const int64_t row = lite_gemm_tile_row(&block->rows, first);
    LiteFloatTile tile = *panel;
    tile.tiles = series->count;
    tile.rows = lite_gemm_tile_rows(&block->rows, first);
    tile.a_step = series->step;
    tile.a = block->rows.pointers + (size_t)first * (size_t)gemm->runs * (size_t)gemm->rows;
    tile.ahead += (size_t)first * gemm->steps * tile.ahead_step;
    if (job->grid != NULL) {
        run_scattered(block, row, column, tile);
        return;
    }
    tile.c = job->output + (size_t)(row - job->first_row) * job->step + (column - job->first_column);
    gemm->micro->gemm_f32(&tile);
}

// Panels [panel, panel + count), packed.
static const void* find_panels(const Block* block, int64_t panel, int64_t count) {
    const LiteGemm* gemm = block->rows.gemm;
    const LiteGemmColumns* right = block->job->right;
    if (right == NULL)
        return (const char*)gemm->packed +
               (size_t)panel * gemm->panel_size * lite_weight_bytes(gemm->precision);
    const size_t room = (size_t)gemm->own_panels * gemm->panel_size * sizeof(float);
    float* to = (float*)(void*)(block->item->scratch + gemm->scratch - (room + 63) / 64 * 64);
    lite_gemm_pack_panels(gemm, right, panel, panel + count, to);
    return to;
}

// Is what follows written over a panel's results, while they are in the cache?
static bool is_over(const LiteGemm* gemm) {
    return gemm->epilogue != NULL && gemm->epilogue->over != NULL;
}

// Of the block and panels [first, end), whose columns follow each other.
static void run_epilogue(const Block* block, int64_t first, int64_t end) {
    const LiteGemm* gemm = block->rows.gemm;
    const LiteGemmItem* item = block->item;
    const int64_t last = end - 1, width = gemm->micro->panel;
    const int64_t first_column = first / gemm->panels * gemm->columns + first % gemm->panels * width;
    const int64_t left = gemm->columns - last % gemm->panels * width;
    const int64_t end_column =
        last / gemm->panels * gemm->columns + last % gemm->panels * width + (left < width ? left : width);
    lite_epilogue_run(gemm->epilogue, gemm->epilogue_row + item->first_row, item->end_row - item->first_row,
                      first_column, end_column - first_column);
}

// The block's rows times a panel. Meanwhile the next panel is fetched, a part with each tile.
static void run_panel(const Block* block, int64_t panel) {
    const LiteGemm* gemm = block->rows.gemm;
    const LiteMicro* micro = gemm->micro;
    const int64_t panels = (int64_t)gemm->shape.groups * gemm->panels;
    const bool is_packed = block->job->right == NULL;
    const size_t weight = lite_weight_bytes(gemm->precision);
    const int64_t parts = block->item->parts * block->rows.tiles,
                  part = block->item->part * block->rows.tiles;
    const int32_t group_column = (int32_t)(panel % gemm->panels) * micro->panel;
    const int32_t column = (int32_t)(panel / gemm->panels) * gemm->columns + group_column;
    const int32_t left = gemm->columns - group_column;
    LiteFloatTile tile = {
        .c_step = block->job->step,
        .columns = left < micro->panel ? left : micro->panel,
        .taps = gemm->runs,
        .depth = gemm->run_depth,
        .b = find_panels(block, panel, 1),
        .bias = gemm->bias + (size_t)panel * (size_t)micro->panel,
        .low = block->job->low,
        .high = block->job->high,
        .ahead_step = !is_packed ? 0 : ((size_t)micro->panel * weight + (size_t)parts - 1) / (size_t)parts,
        .weights = gemm->precision,
    };
    tile.ahead = is_packed ? find_panels(block, (panel + 1) % panels, 1) : tile.b;
    tile.ahead += (size_t)part * gemm->steps * tile.ahead_step;
    for (int i = 0; i < block->rows.series_count; i++)
        run_series(block, &block->rows.series[i], &tile, column);
    if (is_over(gemm)) run_epilogue(block, panel, panel + 1);
}

// The same of rows in parts.
static void run_x3(const Block* block, LiteX3Block* parts, int64_t panel, int64_t end) {
    const LiteGemm* gemm = block->rows.gemm;
    const int width = gemm->micro->panel;
    const int32_t group_column = (int32_t)(panel % gemm->panels) * width, left = gemm->columns - group_column;
    const int32_t column = (int32_t)(panel / gemm->panels) * gemm->columns + group_column;
    const LiteX3Panel what = {.b = find_panels(block, panel, 1),
                              .number = panel,
                              .is_last = panel + 1 == end,
                              .columns = left < width ? left : width,
                              .first_column = column - block->job->first_column,
                              .bias = gemm->bias + (size_t)panel * (size_t)width,
                              .low = block->job->low,
                              .high = block->job->high};
    lite_x3_multiply(parts, &what);
    if (is_over(gemm) && lite_x3_is_last_chunk(parts)) run_epilogue(block, panel, panel + 1);
}

// Panels [first, end) of one group.
static void run_x3_panels(const Block* block, int64_t first, int64_t end) {
    const Job* job = block->job;
    LiteX3Block parts = {
        .rows = &block->rows, .grid = job->grid, .output = job->output, .output_step = job->step};
    if (job->grid == NULL) parts.output += (size_t)(block->item->first_row - job->first_row) * job->step;
    lite_x3_begin(&parts, block->item->scratch);
    while (lite_x3_next_chunk(&parts)) {
        for (int64_t p = first; p < end && !lite_cancelled(); p++) run_x3(block, &parts, p, end);
    }
}

// Panels of columns that follow each other are read as they lie. `count` becomes how many are read or packed.
static void point_few(const Block* block, int64_t panel, int64_t* count, LiteFloatPanels* few) {
    const LiteGemm* gemm = block->rows.gemm;
    const LiteGemmColumns* right = block->job->right;
    const size_t width = (size_t)gemm->micro->panel;
    const int64_t whole = gemm->columns / gemm->micro->panel - panel;
    if (right != NULL && right->column_step == 1 && whole > 0) {
        if (*count > whole) *count = whole;
        few->b = right->first + (size_t)panel * width;
        few->b_step = width;
        few->b_row = right->depth_step;
        few->ahead = (size_t)*count * width * sizeof(float);
        return;
    }
    few->b = find_panels(block, panel, *count);
    few->b_step = gemm->panel_size;
    few->b_row = width;
    few->ahead = right == NULL ? (size_t)*count * gemm->panel_size * lite_weight_bytes(gemm->precision) : 0;
}

// A block of few rows times several panels of one group, from number `panel` on. Returns how many.
static int64_t run_few(const Block* block, int64_t panel) {
    const LiteGemm* gemm = block->rows.gemm;
    const Job* job = block->job;
    const int width = gemm->micro->panel;
    const int64_t in_group = panel % gemm->panels, first = in_group * width;
    int64_t count = LITE_FEW_PANELS(block->rows.rows);
    if (count > gemm->panels - in_group) count = gemm->panels - in_group;
    if (count > block->item->end_panel - panel) count = block->item->end_panel - panel;
    const int64_t left = gemm->columns - first, column = panel / gemm->panels * gemm->columns + first;
    LiteFloatPanels few = {
        .rows = block->rows.rows,
        .taps = gemm->runs,
        .depth = gemm->run_depth,
        .a = block->rows.pointers,
        .bias = gemm->bias + (size_t)panel * (size_t)width,
        .low = job->low,
        .high = job->high,
        .c = job->output + (size_t)(block->item->first_row - job->first_row) * job->step + column -
             job->first_column,
        .c_step = job->step,
        .weights = gemm->precision,
    };
    point_few(block, panel, &count, &few);
    if (panel + count >= block->item->end_panel) few.ahead = 0; // nothing follows
    few.columns = (int)(left < count * width ? left : count * width);
    gemm->micro->few_f32(&few);
    return count;
}

// The panels from `panel` on that are computed together, all of one group. Returns how many.
static int64_t run_panels(const Block* block, int64_t panel) {
    const LiteGemm* gemm = block->rows.gemm;
    const bool is_few = block->rows.tiles == 1 && block->rows.rows <= LITE_FEW_ROWS;
    if (LITE_HAS_X3 && gemm->is_x3) {
        const int64_t end = (panel / gemm->panels + 1) * gemm->panels;
        const int64_t count = (end < block->item->end_panel ? end : block->item->end_panel) - panel;
        run_x3_panels(block, panel, panel + count);
        return count;
    }
    if (is_few && block->job->grid == NULL) return run_few(block, panel);
    run_panel(block, panel);
    return 1;
}

static void run_item(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument) {
    const int rows = (int)(item->end_row - item->first_row);
    LiteGemmSeries series[LITE_ITEM_TILES];
    Block block = {.rows = {.gemm = gemm,
                            .first_row = item->first_row,
                            .pointers = (const float**)(void*)item->scratch,
                            .series = series,
                            .tiles = (rows + gemm->rows - 1) / gemm->rows},
                   .job = argument,
                   .item = item};
    block.rows.in_series = block.job->grid == NULL;
    block.rows.rows = rows / block.rows.tiles;
    block.rows.larger = rows % block.rows.tiles;
    const bool is_few = rows <= LITE_FEW_ROWS && block.job->grid == NULL && !gemm->is_x3;
    int64_t pointed_group = -1;
    for (int64_t p = item->first_panel; p < item->end_panel && !lite_cancelled();) {
        const int64_t group = p / gemm->panels;
        if (group != pointed_group) lite_gemm_point(&block.rows, block.job->input, group);
        pointed_group = group;
        p += run_panels(&block, p);
    }
    if (gemm->epilogue == NULL || (!is_few && is_over(gemm)) || lite_cancelled()) return;
    run_epilogue(&block, item->first_panel, item->end_panel);
}

TfLiteStatus lite_gemm_run_f32(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const float* input, float low, float high, float* output,
                               const LiteGrid* grid) {
    const Job job = {input, output, low, high, grid, 0, 0, (size_t)gemm->shape.out_c, NULL};
    return lite_gemm_run_items(context, op, gemm, 1, run_item, &job);
}

static Job job_of_pair(const LiteGemm* gemm, const LiteGemmPair* pair) {
    return (Job){.input = pair->left,
                 .output = pair->output,
                 .low = -INFINITY,
                 .high = INFINITY,
                 .step = (size_t)gemm->shape.out_c,
                 .right = pair->packed == NULL ? &pair->right : NULL};
}

static void run_pair(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument) {
    const LiteGemmPairs* pairs = argument;
    LiteGemm of_pair = *gemm;
    LiteGemmPair pair;
    pairs->find(pairs->argument, pairs->first + item->pair, &pair);
    of_pair.packed = pair.packed;
    of_pair.epilogue_row = (pairs->first + item->pair) * lite_gemm_rows(&gemm->shape);
    const Job job = job_of_pair(gemm, &pair);
    run_item(&of_pair, item, &job);
}

TfLiteStatus lite_gemm_run_pairs_f32(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                                     const LiteGemmPairs* pairs) {
    return lite_gemm_run_items(context, op, gemm, pairs->end - pairs->first, run_pair, pairs);
}

// Panels [first_panel, end_panel) of rows [first, end), in blocks that have room in the scratch.
static void run_blocks(const LiteGemm* gemm, const Job* job, LiteGemmItem item, int64_t first, int64_t end) {
    const int64_t most = (int64_t)gemm->tiles * gemm->rows;
    const int64_t blocks = (end - first + most - 1) / most;
    item.end_row = first;
    for (int64_t i = 1; i <= blocks; i++) {
        item.first_row = item.end_row;
        item.end_row = first + (end - first) * i / blocks;
        run_item(gemm, &item, job);
    }
}

void lite_gemm_panel_f32(const LiteGemm* gemm, const LiteGemmF32* run, int64_t panel, int64_t first,
                         int64_t end, void* scratch, float* output) {
    const int width = gemm->micro->panel;
    const Job job = {run->input,    output, run->low, run->high, NULL, first, (int32_t)panel * width,
                     (size_t)width, NULL};
    const LiteGemmItem item = {.first_panel = panel, .end_panel = panel + 1, .parts = 1, .scratch = scratch};
    run_blocks(gemm, &job, item, first, end);
}

void lite_gemm_rows_f32(const LiteGemm* gemm, const LiteGemmPair* pair, int64_t first, int64_t end,
                        void* scratch) {
    LiteGemm of_pair = *gemm;
    of_pair.packed = pair->packed;
    Job job = job_of_pair(gemm, pair);
    job.first_row = first;
    const LiteGemmItem item = {.end_panel = gemm->panels, .parts = 1, .scratch = scratch};
    run_blocks(&of_pair, &job, item, first, end);
}
