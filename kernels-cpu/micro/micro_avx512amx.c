// SPDX-License-Identifier: Apache-2.0
// Products of bytes with AMX: registers of 16 rows of 64 bytes, "tiles", and an instruction that adds to a
// tile of 16 x 16 sums the product of two tiles, 64 steps over the depth at once. Those of BFLOAT16 are
// micro_avx512amx_x3.c, everything else of the level micro_avx512vnni.c. A tile of inputs is 16 rows as they
// lie in memory, one of weights 16 groups of four steps of half a panel.
#include <assert.h>
#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "kernels-cpu/micro/levels.h"
#include "kernels-cpu/micro/micro_avx512amx_tiles.h"

#define INLINE static inline __attribute__((always_inline))

enum { kTileRows = 16, kTileQuads = LITE_TILE_QUADS, kHalf = 16, kPanel = 2 * kHalf };
static_assert(LITE_RUN_QUADS % kTileQuads == 0, "a run of inputs is whole tiles");

// Rows `first` and `second` on, and a panel or half of it.
typedef struct Block {
    const LiteIntRows* t;
    int first;
    int second;
    int32_t* c;
    const int8_t* ahead; // what to fetch meanwhile, some lines per step
    int lines;
} Block;

// Bytes before a row.
INLINE size_t row_at(const LiteIntRows* t, int row) {
    return (size_t)(row / t->line_rows) * t->line_step + (size_t)(row % t->line_rows) * t->a_stride;
}

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

// The same where all steps are whole ones: two more registers have what would be read again.
#define WHOLE_STEP                                                                                           \
    _tile_loadd(4, a, t->a_stride);                                                                          \
    _tile_loadd(6, b, 4 * kPanel);                                                                           \
    MULTIPLY(0, 4, 6)                                                                                        \
    if (halves == 2) {                                                                                       \
        _tile_loadd(7, b + 4 * kHalf, 4 * kPanel);                                                           \
        MULTIPLY(1, 4, 7)                                                                                    \
    }                                                                                                        \
    if (tiles == 2) {                                                                                        \
        _tile_loadd(5, a + down, t->a_stride);                                                               \
        MULTIPLY(2, 5, 6)                                                                                    \
        if (halves == 2) {                                                                                   \
            MULTIPLY(3, 5, 7)                                                                                \
        }                                                                                                    \
    }

INLINE void multiply_block(const bool is_signed, const int tiles, const int halves, const bool whole,
                           const Block* block) {
    const LiteIntRows* t = block->t;
    const uint8_t *run = t->a + row_at(t, block->first), *a = run;
    const size_t down = row_at(t, block->second) - row_at(t, block->first);
    const int8_t *b = t->b, *ahead = block->ahead;
    const int steps = t->run_quads / kTileQuads;
    _tile_zero(0);
    if (halves == 2) _tile_zero(1);
    if (tiles == 2) _tile_zero(2);
    if (tiles == 2 && halves == 2) _tile_zero(3);
    for (int left = t->quads; left > 0; left -= t->run_quads, run += t->run_step) {
        a = run;
        for (int i = 0; i < steps; i++, a += 4 * kTileQuads, b += 4 * kTileQuads * kPanel) {
            for (int l = 0; l < block->lines; l++, ahead += 64) __builtin_prefetch(ahead, 0, 2);
            if (whole) {
                WHOLE_STEP
            } else {
                STEP(4, 5)
            }
        }
    }
    if (!whole) {
        STEP(6, 7)
    }
    int32_t *c = block->c + block->first * kPanel, *below = block->c + block->second * kPanel;
    _tile_stored(0, c, 4 * kPanel);
    if (halves == 2) _tile_stored(1, c + kHalf, 4 * kPanel);
    if (tiles == 2) _tile_stored(2, below, 4 * kPanel);
    if (tiles == 2 && halves == 2) _tile_stored(3, below + kHalf, 4 * kPanel);
}

#define MULTIPLY_ALL(NAME, IS_SIGNED, IS_WHOLE)                                                              \
    static void NAME(int tiles, int halves, const Block* block) {                                            \
        if (tiles == 2 && halves == 2) {                                                                     \
            multiply_block(IS_SIGNED, 2, 2, IS_WHOLE, block);                                                \
        } else if (tiles == 2) {                                                                             \
            multiply_block(IS_SIGNED, 2, 1, IS_WHOLE, block);                                                \
        } else if (halves == 2) {                                                                            \
            multiply_block(IS_SIGNED, 1, 2, IS_WHOLE, block);                                                \
        } else {                                                                                             \
            multiply_block(IS_SIGNED, 1, 1, IS_WHOLE, block);                                                \
        }                                                                                                    \
    }
MULTIPLY_ALL(multiply_signed, true, false)
MULTIPLY_ALL(multiply_signed_whole, true, true)
MULTIPLY_ALL(multiply_unsigned, false, false)
MULTIPLY_ALL(multiply_unsigned_whole, false, true)

// What tiles do not begin with: to load it there costs more than to add it, most of all where the depth is
// small.
static void add_rest(const LiteIntRows* t, bool with_init, int32_t* c) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i low = with_init ? _mm512_loadu_si512(t->init) : zero;
    const __m512i high = with_init ? _mm512_loadu_si512(t->init + kHalf) : zero;
    for (int r = 0; r < t->rows; r++, c += kPanel) {
        const __m512i offset = t->offsets == NULL ? zero : _mm512_set1_epi32(t->offsets[r]);
        const __m512i first = _mm512_add_epi32(low, offset), second = _mm512_add_epi32(high, offset);
        _mm512_storeu_si512(c, _mm512_add_epi32(_mm512_loadu_si512(c), first));
        _mm512_storeu_si512(c + kHalf, _mm512_add_epi32(_mm512_loadu_si512(c + kHalf), second));
    }
}

// The lines of rows in tiles.
typedef struct Tiling {
    int line_rows;
    int per_line;
    int rows; // of a tile
    int count;
} Tiling;

static Tiling tile_lines(int lines, int line_rows) {
    const int per_line = (line_rows + kTileRows - 1) / kTileRows;
    return (Tiling){line_rows, per_line, (line_rows + per_line - 1) / per_line, lines * per_line};
}

// All tiles have the same number of rows; the last of a line may begin with rows of the one before.
static int tile_first(const Tiling* tiling, int tile) {
    const int line = tile / tiling->per_line, first = tile % tiling->per_line * tiling->rows;
    const int last = tiling->line_rows - tiling->rows;
    return line * tiling->line_rows + (first < last ? first : last);
}

static void multiply_rows(const LiteIntRows* t, int32_t* c) {
    const Tiling tiling = tile_lines(t->rows / t->line_rows, t->line_rows);
    const int halves = t->columns > kHalf ? 2 : 1;
    const int blocks = (tiling.count + 1) / 2, lines = kTileQuads * kPanel * 4 / 64;
    Block block = {.t = t, .c = c, .lines = t->next == t->b ? 0 : (lines + blocks - 1) / blocks};
    const bool whole = t->quads % kTileQuads == 0;
    lite_micro_shape_amx(tiling.rows, whole ? kLiteAmxPairs : t->quads % kTileQuads);
    void (*multiply)(int, int, const Block*) = t->is_signed && whole ? multiply_signed_whole
                                               : t->is_signed        ? multiply_signed
                                               : whole               ? multiply_unsigned_whole
                                                                     : multiply_unsigned;
    for (int tile = 0; tile < tiling.count; tile += 2) {
        const bool is_two = tile + 1 < tiling.count;
        block.first = tile_first(&tiling, tile);
        block.second = is_two ? tile_first(&tiling, tile + 1) : block.first;
        block.ahead = t->next + (size_t)(tile / 2 * (t->quads / kTileQuads) * block.lines) * 64;
        multiply(is_two ? 2 : 1, halves, &block);
    }
}

// Short lines as one, with what is between them, which is left out afterwards. False: not worth it.
static bool multiply_short_lines(const LiteIntRows* t, int32_t* c) {
    alignas(64) int32_t all[LITE_ITEM_ROWS * kPanel];
    const size_t lines = (size_t)(t->rows / t->line_rows);
    if (lines == 1 || t->line_rows > kTileRows / 2) return false; // one line may be of rows without elements
    const size_t line = t->line_step / t->a_stride;
    if (t->line_step % t->a_stride != 0) return false;
    const size_t rows = (lines - 1) * line + (size_t)t->line_rows;
    if (2 * line > 3 * (size_t)t->line_rows || rows > LITE_ITEM_ROWS) return false;
    LiteIntRows whole = *t;
    whole.rows = whole.line_rows = (int)rows;
    multiply_rows(&whole, all);
    for (size_t l = 0; l < lines; l++) {
        const size_t count = (size_t)t->line_rows * kPanel;
        memcpy(c + l * count, all + l * line * kPanel, count * sizeof *c);
    }
    return true;
}

void lite_micro_gemm_amx(const LiteIntRows* t, int32_t* c) {
    if (!multiply_short_lines(t, c)) multiply_rows(t, c);
    if (t->offsets != NULL || t->scale == NULL) add_rest(t, t->scale == NULL, c);
    if (t->scale == NULL) return;
    LiteRequantization scale = *t->scale;
    scale.start = t->init;
    lite_micro_avx512amx.requantize(t->rows, t->columns, c, kPanel, &scale, t->out, t->out_step);
}
