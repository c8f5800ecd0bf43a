// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/winograd_plan.h"

#include <string.h>

// Transformed inputs and products of a block of tiles together, unless the fewest tiles have more.
#define BLOCK_BYTES (512 * 1024)
// Weights, inputs and outputs of at most so many elements.
#define MAX_ELEMENTS (256.0 * 1024 * 1024)
// Items for each thread, at least.
#define ITEMS 3

// Costs in products of a number of a row with a vector of weights, measured on one core of an AMD Zen 4 with
// vectors of 8 and of 16 numbers, 26 shapes of layers.
#define PRODUCT_COST 1.05  // more than in direct convolutions, whose sums stay in registers for longer
#define INPUT_COST_2 140.0 // to transform a vector of channels of a tile
#define INPUT_COST_4 360.0
#define OUTPUT_COST_2 100.0
#define OUTPUT_COST_4 280.0
// Of weights, for each byte and lane: they are read while others are multiplied, and a part of it not hidden.
#define READ_COST 2.4
#define BYTE_COST 0.6
// In products of pairs of 16 bits of a row with a vector of weights, measured on one core of an AMD Zen 3.
#define INPUT_COST_OF_BYTES 110.0
#define OUTPUT_COST_OF_BYTES 50.0
#define READ_COST_OF_PAIRS 6.0 // of a vector of weights
#define GAIN 0.9               // what is less than so much of the direct way's time is worth the memory

static int64_t ceil_div(int64_t x, int64_t y) {
    return (x + y - 1) / y;
}

bool lite_winograd_is_possible(const LiteConvShape* s) {
    if (s->filter_d != 1 || s->filter_h != 3 || s->filter_w != 3 || s->groups != 1) return false;
    if (s->stride_h != 1 || s->stride_w != 1 || s->dilation_h != 1 || s->dilation_w != 1) return false;
    if (s->batches < 1 || s->in_c < 1 || s->out_c < 1 || s->out_h < 1 || s->out_w < 1) return false;
    const double filter = 36.0 * s->in_c * (s->out_c + 32.0);
    return (double)s->batches * s->in_h * s->in_w * s->in_c <= MAX_ELEMENTS &&
           (double)s->batches * s->out_h * s->out_w * s->out_c <= MAX_ELEMENTS && filter <= MAX_ELEMENTS;
}

// Rows of a product, as many as take its time: a few cannot hide how long sums take.
static double rows_of(int64_t rows, int most) {
    const double least = 4.0 * (double)ceil_div(rows, most);
    return (double)rows > least ? (double)rows : least;
}

// Of so many products, and of reading so many weights.
static double product_cost(double products, double weights, int lanes) {
    const double bytes = weights * sizeof(float) / lanes, reading = bytes * READ_COST;
    return (products > reading ? products : reading) + bytes * BYTE_COST;
}

static double cost_of(const LiteConvShape* s, const LiteWinogradMicro* micro, int tile) {
    LiteWinogradPlan plan;
    lite_winograd_plan(s, micro, tile, 1, &plan);
    const double planes = (double)plan.size * plan.size, depth = s->in_c, blocks = (double)plan.blocks;
    const double rows = blocks * rows_of(ceil_div(plan.tiles, plan.blocks), micro->rows);
    const double in_vectors = (double)ceil_div(s->in_c, micro->lanes);
    const double out_vectors = (double)ceil_div(s->out_c, micro->lanes);
    const double products = planes * rows * out_vectors * depth * PRODUCT_COST;
    return product_cost(products, planes * depth * out_vectors * micro->lanes, micro->lanes) +
           (double)plan.tiles * in_vectors * (tile == 2 ? INPUT_COST_2 : INPUT_COST_4) +
           (double)plan.tiles * out_vectors * (tile == 2 ? OUTPUT_COST_2 : OUTPUT_COST_4);
}

static double direct_cost(const LiteConvShape* s, const LiteWinogradMicro* micro) {
    const double vectors = (double)ceil_div(s->out_c, micro->lanes), depth = 9.0 * s->in_c;
    const double rows = (double)s->batches * s->out_h * s->out_w;
    return product_cost(rows * vectors * depth, depth * vectors * micro->lanes, micro->lanes);
}

int lite_winograd_tile(const LiteConvShape* shape, const LiteWinogradMicro* micro,
                       LiteWinogradChoice choice) {
    if (choice == kLiteWinogradOff || !lite_winograd_is_possible(shape)) return 0;
    if (choice == kLiteWinograd2) return 2;
    if (choice == kLiteWinograd4) return 4;
    int best = 0;
    double least = direct_cost(shape, micro) * GAIN;
    for (int tile = 2; tile <= 4; tile += 2) {
        const double cost = cost_of(shape, micro, tile);
        if (cost >= least) continue;
        least = cost;
        best = tile;
    }
    return best;
}

bool lite_winograd_pays_for_bytes(const LiteConvShape* s, const LiteWinogradMicro* micro,
                                  LiteWinogradChoice choice) {
    if (choice == kLiteWinogradOff || !lite_winograd_is_possible(s)) return false;
    if (choice != kLiteWinogradAuto) return true;
    if (s->in_c < 2 * micro->lanes) return false; // no whole vector of 16 bits
    LiteWinogradPlan plan;
    lite_winograd_plan(s, micro, 2, 1, &plan);
    const double pairs = (double)ceil_div(s->in_c, 2), vectors = (double)ceil_div(s->out_c, micro->lanes);
    const double in_vectors = (double)ceil_div(s->in_c, 2 * (int64_t)micro->lanes);
    const double tiles = (double)plan.blocks * rows_of(ceil_div(plan.tiles, plan.blocks), micro->rows);
    const double direct =
        9.0 * pairs * vectors * ((double)s->batches * s->out_h * s->out_w + READ_COST_OF_PAIRS);
    const double planes = 16.0 * pairs * vectors;
    return planes * tiles * PRODUCT_COST + planes * READ_COST_OF_PAIRS +
               (double)plan.tiles * (in_vectors * INPUT_COST_OF_BYTES + vectors * OUTPUT_COST_OF_BYTES) <
           direct * GAIN;
}

LiteWinogradRange lite_winograd_range(const LiteWinogradPlan* plan, int64_t block, int64_t split) {
    LiteWinogradRange range = {.first = plan->tiles * block / plan->blocks,
                               .first_panel = plan->panels * split / plan->splits,
                               .end_panel = plan->panels * (split + 1) / plan->splits};
    range.tiles = plan->tiles * (block + 1) / plan->blocks - range.first;
    return range;
}

int lite_winograd_columns(const LiteConvShape* shape, int64_t panel, int width) {
    const int64_t left = shape->out_c - panel * width;
    return left < width ? (int)left : width;
}

LiteWinogradTile lite_winograd_find_tile(const LiteWinogradPlan* plan, const LiteConvShape* shape,
                                         int64_t index) {
    const int64_t line = index / plan->across;
    LiteWinogradTile tile = {.batch = (int32_t)(line / plan->down),
                             .y = (int32_t)(line % plan->down) * plan->tile,
                             .x = (int32_t)(index % plan->across) * plan->tile};
    const int32_t lines = shape->out_h - tile.y, columns = shape->out_w - tile.x;
    tile.lines = lines < plan->tile ? lines : plan->tile;
    tile.columns = columns < plan->tile ? columns : plan->tile;
    return tile;
}

LiteWinogradWindow lite_winograd_window(const LiteWinogradPlan* plan, const LiteConvShape* s,
                                        const LiteWinogradTile* tile, const void* input, size_t element,
                                        int fill, void* copy) {
    const int64_t size = plan->size, y = (int64_t)tile->y - s->pad_h, x = (int64_t)tile->x - s->pad_w;
    const size_t pixel = (size_t)s->in_c * element;
    const char* image = (const char*)input + (size_t)(tile->batch * lite_gemm_image(s)) * element;
    if (y >= 0 && x >= 0 && y + size <= s->in_h && x + size <= s->in_w)
        return (LiteWinogradWindow){image + (size_t)(y * s->in_w + x) * pixel,
                                    (size_t)s->in_w * (size_t)s->in_c};
    const int64_t first = x < 0 ? 0 : x, end = x + size < s->in_w ? x + size : s->in_w;
    memset(copy, fill, (size_t)(size * size) * pixel);
    for (int64_t i = 0; i < size && first < end; i++) {
        if (y + i < 0 || y + i >= s->in_h) continue;
        memcpy((char*)copy + (size_t)(i * size + first - x) * pixel,
               image + (size_t)((y + i) * s->in_w + first) * pixel, (size_t)(end - first) * pixel);
    }
    return (LiteWinogradWindow){copy, (size_t)size * (size_t)s->in_c};
}

// Planes a few lines apart from what would put all of them into the same lines of the first cache.
static size_t plane_of(int64_t elements) {
    return (size_t)(ceil_div(elements, 32) * 32 + 16);
}

void lite_winograd_plan(const LiteConvShape* shape, const LiteWinogradMicro* micro, int tile, int threads,
                        LiteWinogradPlan* plan) {
    const int size = tile + 2;
    *plan = (LiteWinogradPlan){.tile = tile,
                               .size = size,
                               .across = (int32_t)ceil_div(shape->out_w, tile),
                               .down = (int32_t)ceil_div(shape->out_h, tile),
                               .panels = ceil_div(shape->out_c, micro->panel)};
    plan->tiles = (int64_t)shape->batches * plan->across * plan->down;
    const int64_t columns = plan->panels * micro->panel;
    const int64_t bytes = (int64_t)sizeof(float) * size * size * (shape->in_c + columns);
    int64_t most = BLOCK_BYTES / bytes / micro->rows * micro->rows;
    if (most < 2 * micro->rows) most = 2 * micro->rows;
    plan->blocks = ceil_div(plan->tiles, most);
    if (threads > 1 && plan->tiles > (int64_t)threads * micro->rows) {
        plan->blocks = ceil_div(plan->blocks, threads) * threads;
    }
    plan->most = ceil_div(plan->tiles, plan->blocks);
    plan->splits = threads > 1 ? ceil_div((int64_t)ITEMS * threads, plan->blocks) : 1;
    if (plan->splits > plan->panels) plan->splits = plan->panels;
    plan->width = ceil_div(plan->panels, plan->splits) * micro->panel;
    plan->in_plane = plane_of(plan->most * shape->in_c);
    plan->out_plane = plane_of(plan->most * plan->width);
}
