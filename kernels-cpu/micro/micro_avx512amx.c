// SPDX-License-Identifier: Apache-2.0
// Products of bytes with AMX: registers of 16 rows of 64 bytes, "tiles", and an instruction that adds to a
// tile of 16 x 16 sums the product of two tiles, 64 steps over the depth at once. Everything else of the
// level is micro_avx512vnni.c. A tile of inputs is 16 rows as they lie in memory, one of weights 16 groups of
// four steps of half a panel.
#include <immintrin.h>
#include <string.h>

#include "kernels-cpu/micro/levels.h"

#define INLINE static inline __attribute__((always_inline))

enum { kTiles = 8, kTileRows = 16, kTileQuads = 16, kHalf = 16, kPanel = 2 * kHalf };

// The instructions take the numbers of tiles as literals: 0 to 3 hold sums of two tiles of rows times two
// halves of a panel, 4 inputs and 5 weights; 6 and 7 are inputs and weights of the last, shorter steps.
typedef struct TileShapes {
    uint8_t palette;
    uint8_t start_row;
    uint8_t reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} TileShapes;

// What the tiles of this thread are shaped for, rows + 256 * last quads; 0: they are not in use. To shape
// them takes as long as a dozen products.
static _Thread_local int shaped;

static void shape_tiles(int rows, int last_quads) {
    if (shaped == rows + 256 * last_quads) return;
    TileShapes shapes = {.palette = 1};
    for (int i = 0; i < kTiles; i++) {
        const int quads = i < 6 || last_quads == 0 ? kTileQuads : last_quads;
        const bool is_weights = i == 5 || i == 7, is_input = i == 4 || i == 6;
        shapes.rows[i] = (uint8_t)(is_weights ? quads : rows);
        shapes.row_bytes[i] = (uint16_t)(is_input ? 4 * quads : 64);
    }
    __asm__ volatile("" ::"r"(&shapes) : "memory"); // which compilers do not see the instruction read
    _tile_loadconfig(&shapes);
    shaped = rows + 256 * last_quads;
}

void lite_micro_release_amx(void) {
    if (shaped == 0) return;
    _tile_release();
    shaped = 0;
}

// Rows `first` and `second` on, and a panel or half of it.
typedef struct Block {
    const LiteByteRows* t;
    int first;
    int second;
    int32_t* c;
    const int8_t* ahead; // what to fetch meanwhile, some lines per step
    int lines;
} Block;

#define MULTIPLY(SUMS, A, B)                                                                                 \
    if (is_signed) {                                                                                         \
        _tile_dpbssd(SUMS, A, B);                                                                            \
    } else {                                                                                                 \
        _tile_dpbusd(SUMS, A, B);                                                                            \
    }

// Some steps over the depth. Weights are read once more rather than inputs, whose rows may be so far apart
// that they do not stay in the first cache.
#define STEP(A, B)                                                                                           \
    _tile_loadd(A, a, t->a_stride);                                                                          \
    _tile_loadd(B, b, 4 * kPanel);                                                                           \
    MULTIPLY(0, A, B)                                                                                        \
    if (halves == 2) {                                                                                       \
        _tile_loadd(B, b + 4 * kHalf, 4 * kPanel);                                                           \
        MULTIPLY(1, A, B)                                                                                    \
    }                                                                                                        \
    if (tiles == 2) {                                                                                        \
        _tile_loadd(A, a + down, t->a_stride);                                                               \
        if (halves == 2) {                                                                                   \
            MULTIPLY(3, A, B)                                                                                \
            _tile_loadd(B, b, 4 * kPanel);                                                                   \
        }                                                                                                    \
        MULTIPLY(2, A, B)                                                                                    \
    }

INLINE void multiply(const bool is_signed, const int tiles, const int halves, const Block* block) {
    const LiteByteRows* t = block->t;
    const uint8_t* a = t->a + (size_t)block->first * t->a_stride;
    const size_t down = (size_t)(block->second - block->first) * t->a_stride;
    const int8_t *b = t->b, *ahead = block->ahead;
    const int steps = t->quads / kTileQuads;
    _tile_loadd(0, t->init, 0); // all rows begin with the same
    if (halves == 2) _tile_loadd(1, t->init + kHalf, 0);
    if (tiles == 2) _tile_loadd(2, t->init, 0);
    if (tiles == 2 && halves == 2) _tile_loadd(3, t->init + kHalf, 0);
    for (int i = 0; i < steps; i++, a += 4 * kTileQuads, b += 4 * kTileQuads * kPanel) {
        for (int l = 0; l < block->lines; l++, ahead += 64) __builtin_prefetch(ahead, 0, 2);
        STEP(4, 5)
    }
    if (t->quads % kTileQuads != 0) {
        STEP(6, 7)
    }
    int32_t *c = block->c + block->first * kPanel, *below = block->c + block->second * kPanel;
    _tile_stored(0, c, 4 * kPanel);
    if (halves == 2) _tile_stored(1, c + kHalf, 4 * kPanel);
    if (tiles == 2) _tile_stored(2, below, 4 * kPanel);
    if (tiles == 2 && halves == 2) _tile_stored(3, below + kHalf, 4 * kPanel);
}

#define MULTIPLY_ALL(NAME, IS_SIGNED)                                                                        \
    static void NAME(int tiles, int halves, const Block* block) {                                            \
        if (tiles == 2 && halves == 2) {                                                                     \
            multiply(IS_SIGNED, 2, 2, block);                                                                \
        } else if (tiles == 2) {                                                                             \
            multiply(IS_SIGNED, 2, 1, block);                                                                \
        } else if (halves == 2) {                                                                            \
            multiply(IS_SIGNED, 1, 2, block);                                                                \
        } else {                                                                                             \
            multiply(IS_SIGNED, 1, 1, block);                                                                \
        }                                                                                                    \
    }
MULTIPLY_ALL(multiply_signed, true)
MULTIPLY_ALL(multiply_unsigned, false)

static void add_offsets(const LiteByteRows* t, int first, int end, int32_t* c) {
    for (int r = first; r < end; r++) {
        for (int n = 0; n < kPanel; n++) {
            c[r * kPanel + n] = (int32_t)((uint32_t)c[r * kPanel + n] + (uint32_t)t->offsets[r]);
        }
    }
}

// All tiles have the same number of rows; the last ones may begin with rows of those before.
void lite_micro_gemm_amx(const LiteByteRows* t, int32_t* c) {
    const int tiles = (t->rows + kTileRows - 1) / kTileRows;
    const int rows = (t->rows + tiles - 1) / tiles;
    const int halves = t->columns > kHalf ? 2 : 1;
    const int blocks = (tiles + 1) / 2, lines = kTileQuads * kPanel * 4 / 64;
    Block block = {.t = t, .c = c, .lines = (lines + blocks - 1) / blocks};
    shape_tiles(rows, t->quads % kTileQuads);
    for (int tile = 0; tile < tiles; tile += 2) {
        const int last = t->rows - rows;
        const bool is_two = tile + 1 < tiles;
        block.first = tile * rows < last ? tile * rows : last;
        block.second = is_two && block.first + rows < last ? block.first + rows : last;
        block.ahead = t->next + (size_t)(tile / 2 * (t->quads / kTileQuads) * block.lines) * 64;
        if (t->is_signed) {
            multiply_signed(is_two ? 2 : 1, halves, &block);
        } else {
            multiply_unsigned(is_two ? 2 : 1, halves, &block);
        }
        const int first = block.first, end = block.second + rows;
        if (t->offsets != NULL) add_offsets(t, first, end, c);
        if (t->scale == NULL) continue;
        lite_micro_avx512amx.requantize(end - first, t->columns, c + first * kPanel, kPanel, t->scale,
                                        t->out + (size_t)first * t->out_step, t->out_step);
    }
}
