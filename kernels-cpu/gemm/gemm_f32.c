// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_f32.h"

#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/gemm/gemm_items.h"
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

// A filter line that is read in one go, at column x of a line of the input: in place or, where it reaches
// into the padding, copied to `copy`.
static const float* point_merged(const LiteConvShape* s, const float* line, int64_t x, float* copy) {
    const int64_t end = x + s->filter_w;
    if (x >= 0 && end <= s->in_w) return line + x * s->in_c;
    const int64_t first = x < 0 ? 0 : x, inside = (end < s->in_w ? end : s->in_w) - first;
    memset(copy, 0, (size_t)s->filter_w * (size_t)s->in_c * sizeof(*copy));
    if (inside > 0) {
        memcpy(copy + (first - x) * s->in_c, line + first * s->in_c,
               (size_t)inside * (size_t)s->in_c * sizeof(*copy));
    }
    return copy;
}

// Pointers for some rows of a tile, whose pixels are neighbours in a line.
typedef struct Neighbours {
    const LiteGemm* gemm;
    const LitePixel* pixel; // the first
    int rows;
    const float* zeros; // what pointers into the padding point to
    float* copies;      // [row][run][run_depth] where filter lines are read in one go
} Neighbours;

// The input pixels at column x and, for further rows, `stride_w` columns apart from each other, `width`
// columns each, are inside the line; if so, their pointers.
static bool point_inside(const Neighbours* n, const float* line, int64_t x, int32_t width, const float** to) {
    const LiteConvShape* s = &n->gemm->shape;
    const int64_t last = x + (int64_t)(n->rows - 1) * s->stride_w;
    if (x < 0 || last + width > s->in_w) return false;
    const float* from = line + x * s->in_c;
    const int64_t step = (int64_t)s->stride_w * s->in_c;
    for (int r = 0; r < n->rows; r++) to[r] = from + r * step;
    return true;
}

// Those of a filter line, the first run's to `to` and others after it; `line` of the input is NULL in the
// padding.
static void point_line(const Neighbours* n, const float* line, const float** to, float* copies) {
    const LiteConvShape* s = &n->gemm->shape;
    int64_t x = n->pixel->x;
    if (n->gemm->runs != n->gemm->taps) {
        const size_t step = (size_t)n->gemm->runs * (size_t)n->gemm->run_depth;
        if (line != NULL && point_inside(n, line, x, s->filter_w, to)) return;
        for (int r = 0; r < n->rows; r++, x += s->stride_w, copies += step) {
            to[r] = line == NULL ? n->zeros : point_merged(s, line, x, copies);
        }
        return;
    }
    for (int32_t fx = 0; fx < s->filter_w; fx++, to += n->gemm->rows, x += s->dilation_w) {
        if (line != NULL && point_inside(n, line, x, 1, to)) continue;
        for (int r = 0; r < n->rows; r++) {
            const int64_t at = x + (int64_t)r * s->stride_w;
            to[r] = line != NULL && at >= 0 && at < s->in_w ? line + at * s->in_c : n->zeros;
        }
    }
}

static void point_neighbours(const Neighbours* n, const float* input, const float** to) {
    const LiteGemm* gemm = n->gemm;
    const LiteConvShape* s = &gemm->shape;
    const size_t step = (size_t)(gemm->runs / s->filter_d / s->filter_h); // runs of a line
    float* copies = n->copies;
    int64_t z = n->pixel->z;
    for (int32_t fz = 0; fz < s->filter_d; fz++, z += s->dilation_d) {
        int64_t y = n->pixel->y;
        for (int32_t fy = 0; fy < s->filter_h; fy++, y += s->dilation_h) {
            const bool is_line = z >= 0 && z < s->in_d && y >= 0 && y < s->in_h;
            const float* line = input + n->pixel->image + (z * s->in_h + y) * s->in_w * s->in_c;
            point_line(n, is_line ? line : NULL, to, copies);
            to += step * (size_t)gemm->rows;
            copies += step * (size_t)gemm->run_depth;
        }
    }
}

// `count` pixels of one line.
static void skip_pixels(const LiteConvShape* s, int count, LitePixel* pixel) {
    pixel->out_x += count - 1;
    pixel->x += (int64_t)(count - 1) * s->stride_w;
    lite_gemm_next_pixel(s, pixel);
}

// Pointers of one tile, [run][micro->rows], from `pixel` on, which becomes that of the next tile.
static void point_tile(const LiteGemm* gemm, const float* input, LitePixel* pixel, int rows, const float** to,
                       float* copies) {
    const LiteConvShape* s = &gemm->shape;
    while (rows > 0) {
        const int32_t left = s->out_w - pixel->out_x;
        const Neighbours n = {gemm, pixel, left < rows ? left : rows, gemm->zeros, copies};
        point_neighbours(&n, input, to);
        to += n.rows;
        if (gemm->runs != gemm->taps) copies += (size_t)n.rows * (size_t)gemm->runs * (size_t)gemm->run_depth;
        rows -= n.rows;
        skip_pixels(s, n.rows, pixel);
    }
}

// Is each row the one after the last in the input?
static bool is_product(const LiteConvShape* s) {
    return s->filter_d == 1 && s->filter_h == 1 && s->filter_w == 1 && s->pad_d == 0 && s->pad_h == 0 &&
           s->pad_w == 0 && s->out_d == s->in_d && s->out_h == s->in_h && s->out_w == s->in_w &&
           (s->in_d == 1 || s->stride_d == 1) && (s->in_h == 1 || s->stride_h == 1) &&
           (s->in_w == 1 || s->stride_w == 1);
}

// Tiles of one size, where each reads what lies `step` floats behind what the one before it reads.
typedef struct Series {
    int first;
    int count;
    size_t step;
} Series;

// A block of rows in tiles of nearly one size.
typedef struct Block {
    const LiteGemm* gemm;
    const Job* job;
    const LiteGemmItem* item;
    const float** pointers; // [tile][run][micro->rows], of the first tile of each series
    Series* series;         // of the group whose panels are computed
    int series_count;
    int tiles;
    int rows; // of a tile; the first `larger` tiles have one more
    int larger;
} Block;

static int tile_rows(const Block* block, int tile) {
    return block->rows + (tile < block->larger);
}

// How many tiles of so many rows from `pixel` on are in one line of the output, with windows that lie nowhere
// in the padding; at most `most`.
static int count_inside(const LiteGemm* gemm, const LitePixel* pixel, int rows, int most) {
    const LiteConvShape* s = &gemm->shape;
    const int64_t last_x = s->in_w - 1 - (int64_t)(s->filter_w - 1) * s->dilation_w; // where windows begin
    if (pixel->x < 0 || pixel->x > last_x || pixel->y < 0 || pixel->z < 0 ||
        pixel->y + (int64_t)(s->filter_h - 1) * s->dilation_h >= s->in_h ||
        pixel->z + (int64_t)(s->filter_d - 1) * s->dilation_d >= s->in_d) {
        return 0;
    }
    int64_t pixels = (last_x - pixel->x) / s->stride_w + 1;
    if (pixels > s->out_w - pixel->out_x) pixels = s->out_w - pixel->out_x;
    return pixels < (int64_t)most * rows ? (int)(pixels / rows) : most;
}

static void add_series(Block* block, int first, int count, size_t step) {
    block->series[block->series_count++] = (Series){first, count, step};
}

static void point_product(Block* block, const float* input) {
    const int32_t depth = block->gemm->shape.in_c;
    input += block->item->first_row * depth;
    for (int t = 0; t < block->tiles;) {
        const int rows = tile_rows(block, t), count = t < block->larger ? block->larger : block->tiles - t;
        const float** to = block->pointers + (size_t)t * (size_t)block->gemm->rows;
        for (int r = 0; r < rows; r++) to[r] = input + (int64_t)r * depth;
        add_series(block, t, count, (size_t)rows * (size_t)depth);
        input += (int64_t)count * rows * depth;
        t += count;
    }
}

static void point_block(Block* block, int64_t group) {
    const LiteGemm* gemm = block->gemm;
    const LiteConvShape* s = &gemm->shape;
    const size_t step = (size_t)gemm->runs * (size_t)gemm->rows;
    const float* input = block->job->input + group * gemm->depth;
    const bool in_series = block->job->grid == NULL;
    block->series_count = 0;
    if (in_series && is_product(s)) {
        point_product(block, input);
        return;
    }
    const size_t row_copies = gemm->runs == gemm->taps ? 0 : (size_t)gemm->runs * (size_t)gemm->run_depth;
    float* copies = (float*)(void*)(block->pointers + (size_t)block->tiles * step);
    LitePixel pixel = lite_gemm_pixel(s, block->item->first_row);
    for (int t = 0; t < block->tiles;) {
        const int rows = tile_rows(block, t);
        const int alike = t < block->larger ? block->larger - t : block->tiles - t;
        const int inside = in_series ? count_inside(gemm, &pixel, rows, alike) : 0;
        const int count = inside > 0 ? inside : 1;
        point_tile(gemm, input, &pixel, rows, block->pointers + (size_t)t * step, copies);
        if (count > 1) skip_pixels(s, (count - 1) * rows, &pixel);
        add_series(block, t, count, (size_t)rows * (size_t)s->stride_w * (size_t)s->in_c);
        copies += (size_t)rows * row_copies;
        t += count;
    }
}

// A tile whose rows do not follow each other gets there by way of a buffer.
static void run_scattered(const Block* block, int64_t row, int32_t column, LiteFloatTile tile) {
    const LiteGemm* gemm = block->gemm;
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

static void run_series(const Block* block, const Series* series, const LiteFloatTile* panel, int32_t column) {
    const LiteGemm* gemm = block->gemm;
    const Job* job = block->job;
    const int first = series->first, larger = first < block->larger ? first : block->larger;
    const int64_t row = block->item->first_row + first * block->rows + larger;
    LiteFloatTile tile = *panel;
    tile.tiles = series->count;
    tile.rows = tile_rows(block, first);
    tile.a_step = series->step;
    tile.a = block->pointers + (size_t)first * (size_t)gemm->runs * (size_t)gemm->rows;
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
    const LiteGemm* gemm = block->gemm;
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
    const LiteGemm* gemm = block->gemm;
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
    const LiteGemm* gemm = block->gemm;
    const LiteMicro* micro = gemm->micro;
    const int64_t panels = (int64_t)gemm->shape.groups * gemm->panels;
    const bool is_packed = block->job->right == NULL;
    const size_t weight = lite_weight_bytes(gemm->precision);
    const int64_t parts = block->item->parts * block->tiles, part = block->item->part * block->tiles;
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
    for (int i = 0; i < block->series_count; i++) run_series(block, &block->series[i], &tile, column);
    if (is_over(gemm)) run_epilogue(block, panel, panel + 1);
}

// Panels of columns that follow each other are read as they lie. `count` becomes how many are read or packed.
static void point_few(const Block* block, int64_t panel, int64_t* count, LiteFloatPanels* few) {
    const LiteGemm* gemm = block->gemm;
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
    const LiteGemm* gemm = block->gemm;
    const Job* job = block->job;
    const int width = gemm->micro->panel;
    const int64_t in_group = panel % gemm->panels, first = in_group * width;
    int64_t count = LITE_FEW_PANELS(block->rows);
    if (count > gemm->panels - in_group) count = gemm->panels - in_group;
    if (count > block->item->end_panel - panel) count = block->item->end_panel - panel;
    const int64_t left = gemm->columns - first, column = panel / gemm->panels * gemm->columns + first;
    LiteFloatPanels few = {
        .rows = block->rows,
        .taps = gemm->runs,
        .depth = gemm->run_depth,
        .a = block->pointers,
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

static void run_item(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument) {
    const int rows = (int)(item->end_row - item->first_row);
    Series series[LITE_ITEM_TILES];
    Block block = {.gemm = gemm,
                   .job = argument,
                   .item = item,
                   .pointers = (const float**)(void*)item->scratch,
                   .series = series,
                   .tiles = (rows + gemm->rows - 1) / gemm->rows};
    block.rows = rows / block.tiles;
    block.larger = rows % block.tiles;
    const bool is_few = rows <= LITE_FEW_ROWS && block.job->grid == NULL;
    int64_t pointed_group = -1;
    for (int64_t p = item->first_panel; p < item->end_panel && !lite_cancelled();) {
        const int64_t group = p / gemm->panels;
        if (group != pointed_group) point_block(&block, group);
        pointed_group = group;
        if (is_few) {
            p += run_few(&block, p);
        } else {
            run_panel(&block, p++);
        }
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
