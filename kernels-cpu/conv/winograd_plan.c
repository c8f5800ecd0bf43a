// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/winograd_plan.h"

// Transformed inputs and products of a block of tiles together, unless the fewest tiles have more.
#define BLOCK_BYTES (512 * 1024)
// Weights, inputs and outputs of at most so many elements.
#define MAX_ELEMENTS (256.0 * 1024 * 1024)
// Items for each thread, at least.
#define ITEMS 3

// Costs in steps of a product: a row times a row of a panel. Measured on one core of an AMD Zen 3 (AVX2).
#define PRODUCT_COST 1.08 // more than in direct convolutions, whose sums stay in registers for longer
#define INPUT_COST_2 60.0 // to transform a vector of channels of a tile
#define INPUT_COST_4 150.0
#define OUTPUT_COST_2 40.0
#define OUTPUT_COST_4 110.0
#define BYTE_COST 0.2 // of weights
#define GAIN 0.9      // what is less than so much of the direct way's time is worth the memory

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

// Steps of a product of so many rows with a row of a panel: a few rows cannot hide how long sums take.
static double steps_of(int64_t rows, int most) {
    const int64_t tiles = ceil_div(rows, most);
    const double least = 4.0 * (double)tiles;
    return (double)rows > least ? (double)rows : least;
}

static double cost_of(const LiteConvShape* s, const LiteWinogradMicro* micro, int tile) {
    LiteWinogradPlan plan;
    lite_winograd_plan(s, micro, tile, 1, &plan);
    const double planes = (double)plan.size * plan.size, panels = (double)plan.panels;
    const double depth = s->in_c, blocks = (double)plan.blocks;
    const double steps = blocks * steps_of(ceil_div(plan.tiles, plan.blocks), micro->rows);
    const double weights = planes * depth * panels * micro->panel * sizeof(float);
    const double in_vectors = (double)ceil_div(s->in_c, micro->lanes);
    const double out_vectors = (double)ceil_div(s->out_c, micro->lanes);
    return planes * steps * panels * depth * PRODUCT_COST + weights * BYTE_COST +
           (double)plan.tiles * in_vectors * (tile == 2 ? INPUT_COST_2 : INPUT_COST_4) +
           (double)plan.tiles * out_vectors * (tile == 2 ? OUTPUT_COST_2 : OUTPUT_COST_4);
}

static double direct_cost(const LiteConvShape* s, const LiteWinogradMicro* micro) {
    const double panels = (double)ceil_div(s->out_c, micro->panel), depth = 9.0 * s->in_c;
    const double rows = (double)s->batches * s->out_h * s->out_w;
    return rows * panels * depth + depth * panels * micro->panel * sizeof(float) * BYTE_COST;
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
