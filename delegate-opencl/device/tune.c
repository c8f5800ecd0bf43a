// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/tune.h"

static const LiteClTune tunes[] = {
#define TUNE(Class, vector, chunk, height, width, pixels, group)                                             \
    [kLiteCl##Class] = {vector, chunk, height, width, pixels, group},
#include "delegate-opencl/device/tune.def"
};

static const LiteClTile tiles[] = {
#define CONV_TILE(Class, rows, vectors, panel, cost) {kLiteCl##Class, false, rows, vectors, panel, cost},
#define BYTE_TILE(Class, rows, vectors, panel, cost) {kLiteCl##Class, true, rows, vectors, panel, cost},
#include "delegate-opencl/device/tune.def"
};
enum { TILE_COUNT = sizeof tiles / sizeof tiles[0] };

const LiteClTune* lite_cl_tune(LiteClClass class) {
    return &tunes[class];
}

static int64_t round_up(int64_t count, int64_t unit) {
    return (count + unit - 1) / unit * unit;
}

const LiteClTile* lite_cl_tile_at(LiteClClass class, bool bytes, int rows, int i) {
    for (int t = 0; t < TILE_COUNT; t++) {
        const LiteClTile* tile = &tiles[t];
        if (tile->class != class || tile->bytes != bytes || (tile->rows == 1 && rows != 1)) continue;
        if (i-- == 0) return tile;
    }
    return NULL;
}

const LiteClTile* lite_cl_tile(LiteClClass class, bool bytes, int rows, int columns) {
    const LiteClTile* best = NULL;
    int64_t best_cost = 0;
    const LiteClTile* tile;
    for (int i = 0; (tile = lite_cl_tile_at(class, bytes, rows, i)) != NULL; i++) {
        // No overflow: the product without rounding is a tensor's number of elements.
        const int64_t cost = round_up(rows, tile->rows) * round_up(columns, tile->panel) * tile->cost;
        if (best == NULL || cost < best_cost) {
            best = tile;
            best_cost = cost;
        }
    }
    return best;
}

LiteClOffers lite_cl_tune_offers(LiteClClass class) {
    static const LiteClOffers offers[] = {
#define OFFERS(Class, dots, halves) [kLiteCl##Class] = {dots, halves},
#include "delegate-opencl/device/tune.def"
    };
    return offers[class];
}

int lite_cl_tune_group(const LiteClDevice* device, LiteClRowKind kind, int elements) {
    static const struct {
        int group, least[LITE_CL_ROW_KINDS];
    } groups[] = {
#define SUBGROUPS(Class, group, softmax, reduced) [kLiteCl##Class] = {group, {softmax, reduced}},
#include "delegate-opencl/device/tune.def"
    };
    if ((!device->subgroups && !lite_cl_device_has_local_tiles(device)) ||
        elements < groups[device->class].least[kind])
        return 0;
    // Where items meet in local memory: long rows by more of them, in groups of two sizes, so that other
    // lengths need no others.
    enum { LONG = 1024, MANY = 256 };
    const bool many = !device->subgroups && elements >= LONG && device->limits.group >= MANY;
    return many ? MANY : groups[device->class].group;
}

int lite_cl_vector(LiteClClass class, int channels) {
    int vector = tunes[class].vector;
    while (vector > 1 && vector > channels) vector /= 2;
    return vector;
}
