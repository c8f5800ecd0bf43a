// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/micro/micro_avx512amx_tiles.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define TILES 8

// The instructions take the numbers of tiles as literals: 0 to 3 hold sums of two tiles of rows times two
// halves of a panel. 4 and 5 are inputs and 6 and 7 weights; or, where the last steps of bytes are shorter, 4
// inputs, 5 weights, and 6 and 7 those of the last steps.
typedef struct TileShapes {
    uint8_t palette;
    uint8_t start_row;
    uint8_t reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} TileShapes;

// What the tiles of this thread are shaped for, rows + 256 * last; 0: they are not in use. To shape them
// takes as long as a dozen products.
static _Thread_local int shaped;

void lite_micro_shape_amx(int rows, int last) {
    if (shaped == rows + 256 * last) return;
    TileShapes shapes = {.palette = 1};
    const int last_quads = last == kLiteAmxPairs ? LITE_TILE_QUADS : last;
    for (int i = 0; i < TILES; i++) {
        const int quads = i < 6 ? LITE_TILE_QUADS : last_quads;
        const bool is_weights = last == kLiteAmxPairs ? i >= 6 : i == 5 || i == 7,
                   is_input = i == 4 || i == 6;
        shapes.rows[i] = (uint8_t)(is_weights ? quads : rows);
        shapes.row_bytes[i] = (uint16_t)(is_input ? 4 * quads : 64);
    }
    __asm__ volatile("" ::"r"(&shapes) : "memory"); // which compilers do not see the instruction read
    _tile_loadconfig(&shapes);
    shaped = rows + 256 * last;
}

void lite_micro_release_amx(void) {
    if (shaped == 0) return;
    _tile_release();
    shaped = 0;
}
