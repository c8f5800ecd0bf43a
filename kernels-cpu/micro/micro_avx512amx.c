// SPDX-License-Identifier: Apache-2.0
// Products of bytes and of BFLOAT16 with AMX: registers of 16 rows of 64 bytes, "tiles", and an instruction
// that adds to a tile of 16 x 16 sums the product of two tiles, 64 or 32 steps over the depth at once.
// Everything else of the level is micro_avx512vnni.c. A tile of inputs is 16 rows as they lie in memory, one
// of weights 16 groups of four or two steps of half a panel.
#include <assert.h>
#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "kernels-cpu/micro/levels.h"

#define INLINE static inline __attribute__((always_inline))

enum { kTiles = 8, kTileRows = 16, kTileQuads = 16, kHalf = 16, kPanel = 2 * kHalf };
static_assert(LITE_RUN_QUADS % kTileQuads == 0, "a run of inputs is whole tiles");

// The instructions take the numbers of tiles as literals: 0 to 3 hold sums of two tiles of rows times two
// halves of a panel, 4 inputs and 5 weights; 6 and 7 are inputs and weights of the last, shorter steps. Of
// BFLOAT16, 4 and 5 are inputs, 6 and 7 weights.
typedef struct TileShapes {
    uint8_t palette;
    uint8_t start_row;
    uint8_t reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} TileShapes;

// What the tiles of this thread are shaped for, rows + 256 * last quads, or of BFLOAT16 in the place of
// these; 0: they are not in use. To shape them takes as long as a dozen products.
static _Thread_local int shaped;
enum { kBfloat16 = 255 };

static void shape_tiles(int rows, int last) {
    if (shaped == rows + 256 * last) return;
    TileShapes shapes = {.palette = 1};
    const int last_quads = last == 0 || last == kBfloat16 ? kTileQuads : last;
    for (int i = 0; i < kTiles; i++) {
        const int quads = i < 6 ? kTileQuads : last_quads;
        const bool is_weights = last == kBfloat16 ? i >= 6 : i == 5 || i == 7, is_input = i == 4 || i == 6;
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

INLINE void multiply(const bool is_signed, const int tiles, const int halves, const Block* block) {
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
            STEP(4, 5)
        }
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
    shape_tiles(tiling.rows, t->quads % kTileQuads);
    for (int tile = 0; tile < tiling.count; tile += 2) {
        const bool is_two = tile + 1 < tiling.count;
        block.first = tile_first(&tiling, tile);
        block.second = is_two ? tile_first(&tiling, tile + 1) : block.first;
        block.ahead = t->next + (size_t)(tile / 2 * (t->quads / kTileQuads) * block.lines) * 64;
        if (t->is_signed) {
            multiply_signed(is_two ? 2 : 1, halves, &block);
        } else {
            multiply_unsigned(is_two ? 2 : 1, halves, &block);
        }
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

#if LITE_HAS_X3
// Elements of a tile of BFLOAT16.
#define TILE ((size_t)LITE_X3_ROWS * LITE_X3_STEPS)
static_assert(LITE_X3_PANEL == LITE_X3_PARTS * 2 * TILE, "a panel has two tiles of each part");

// The next part of floats, as the upper halves of their bits; what is left stays. Ties do not matter.
INLINE __m512i next_part(__m512* x) {
    const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32((int)0xFFFF0000);
    const __m512i part = _mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(*x), half), upper);
    *x = _mm512_sub_ps(*x, _mm512_castsi512_ps(part));
    return part;
}

INLINE __m512i magnitude(__m512 x) {
    return _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(INT32_MAX));
}

INLINE int kind_of(__m512i largest) {
    const __m512i infinite = _mm512_set1_epi32(0x7F7F8000), large = _mm512_set1_epi32(0x20000000);
    return (_mm512_cmpge_epi32_mask(largest, infinite) != 0 ? kLiteX3Infinite : 0) |
           (_mm512_cmpge_epi32_mask(largest, large) != 0 ? kLiteX3Large : 0) |
           (_mm512_test_epi32_mask(largest, largest) != 0 ? kLiteX3Nonzero : 0);
}

// Two steps of half a panel.
INLINE void split_pair(__m512 x, __m512 y, uint16_t* out, __m512i* largest) {
    *largest = _mm512_max_epi32(*largest, _mm512_max_epi32(magnitude(x), magnitude(y)));
    for (int p = 0; p < LITE_X3_PARTS; p++) {
        const bool is_last = p + 1 == LITE_X3_PARTS; // what is left has no more bits
        const __m512i first = is_last ? _mm512_castps_si512(x) : next_part(&x);
        const __m512i second = is_last ? _mm512_castps_si512(y) : next_part(&y);
        const __m512i both = _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(first, 16), second);
        _mm512_storeu_si512(out + (size_t)(2 * p) * TILE, both);
    }
}

// Steps [first, end) of a block, even numbers.
INLINE void split_steps(const float* in, size_t ahead, int first, int end, uint16_t* out, __m512i* largest) {
    for (int k = first; k < end; k += 2) {
        const float* from = in + (size_t)k * kPanel;
        uint16_t* to = out + (size_t)k / 2 * LITE_X3_STEPS;
        for (int line = 0; line < 4; line++) __builtin_prefetch((const char*)from + ahead + line * 64, 0, 2);
        split_pair(_mm512_loadu_ps(from), _mm512_loadu_ps(from + kPanel), to, largest);
        split_pair(_mm512_loadu_ps(from + kHalf), _mm512_loadu_ps(from + kPanel + kHalf), to + TILE, largest);
    }
}

// Steps of the last block, which has fewer.
static void split_rest(const LiteX3Weights* w, int first, int end, __m512i* largest) {
    alignas(64) float whole[LITE_X3_STEPS * kPanel] = {0};
    const size_t block = (size_t)w->steps / LITE_X3_STEPS, rest = (size_t)w->steps % LITE_X3_STEPS;
    memcpy(whole, w->in + block * LITE_X3_STEPS * kPanel, rest * kPanel * sizeof *whole);
    split_steps(whole, 0, first, end, w->out + block * LITE_X3_PANEL, largest);
}

void lite_micro_x3_weights(LiteX3Weights* w) {
    __m512i largest = _mm512_setzero_si512();
    for (size_t i = 0; i < (size_t)w->steps / LITE_X3_STEPS; i++) {
        split_steps(w->in + i * LITE_X3_STEPS * kPanel, w->ahead, 0, LITE_X3_STEPS,
                    w->out + i * LITE_X3_PANEL, &largest);
    }
    if (w->steps % LITE_X3_STEPS != 0) split_rest(w, 0, LITE_X3_STEPS, &largest);
    w->kind |= kind_of(largest);
}

#define READ_ROWS(PART)                                                                                      \
    _tile_loadd(4, a + (PART)*TILE, 64);                                                                     \
    if (tiles == 2) _tile_loadd(5, below + (PART)*TILE, 64);
#define READ_PANEL(PART)                                                                                     \
    _tile_loadd(6, b + 2 * (PART)*TILE, 64);                                                                 \
    if (halves == 2) _tile_loadd(7, b + (2 * (PART) + 1) * TILE, 64);
#define MULTIPLY_PARTS                                                                                       \
    _tile_dpbf16ps(0, 4, 6);                                                                                 \
    if (halves == 2) _tile_dpbf16ps(1, 4, 7);                                                                \
    if (tiles == 2) _tile_dpbf16ps(2, 5, 6);                                                                 \
    if (tiles == 2 && halves == 2) _tile_dpbf16ps(3, 5, 7);
// A block of all, and meanwhile some of the next weights. The order is that in which fewest tiles are read.
#define MULTIPLY_BLOCK(SPLIT)                                                                                \
    READ_ROWS(0)                                                                                             \
    READ_PANEL(2)                                                                                            \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(0)                                                                                                 \
    READ_PANEL(0)                                                                                            \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(1)                                                                                                 \
    READ_PANEL(1)                                                                                            \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(2)                                                                                                 \
    READ_ROWS(1)                                                                                             \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(3)                                                                                                 \
    READ_PANEL(0)                                                                                            \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(4)                                                                                                 \
    READ_ROWS(2)                                                                                             \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(5)
#define SPLIT_NEXT(SLOT) split_steps(in, ahead, bounds[SLOT], bounds[(SLOT) + 1], out, &largest);
#define SPLIT_NOTHING(SLOT)

// Two tiles of rows or the last one, and which steps of each block of the next panel are split meanwhile.
typedef struct Pair {
    const LiteX3Tiles* t;
    const uint16_t* a;
    int tiles;
    int first;
    int end;
} Pair;

static Pair find_pair(const LiteX3Tiles* t, int number) {
    const int pairs = (t->tiles + 1) / 2, share = (LITE_X3_STEPS / 2 + pairs - 1) / pairs * 2;
    const int first = number * share, end = first + share;
    return (Pair){.t = t,
                  .a = t->a + (size_t)(2 * number) * t->a_step,
                  .tiles = 2 * number + 1 < t->tiles ? 2 : 1,
                  .first = first < LITE_X3_STEPS ? first : LITE_X3_STEPS,
                  .end = end < LITE_X3_STEPS ? end : LITE_X3_STEPS};
}

// What follows each of the six groups of products: a sixth of the steps that are split.
INLINE void set_bounds(const Pair* pair, int* bounds) {
    const int share = (pair->end - pair->first + 11) / 12 * 2;
    for (int i = 0; i <= 6; i++) {
        const int bound = pair->first + i * share;
        bounds[i] = bound < pair->end ? bound : pair->end;
    }
}

// Sums [2 * LITE_X3_ROWS][kPanel].
INLINE void multiply_x3(const int tiles, const int halves, const Pair* pair, float* sums) {
    const LiteX3Tiles* t = pair->t;
    const uint16_t *a = pair->a, *below = a + t->a_step, *b = t->b;
    const LiteX3Weights none = {0};
    const LiteX3Weights* next = t->next == NULL ? &none : t->next;
    const int whole = next->steps / LITE_X3_STEPS;
    const size_t ahead = next->ahead;
    const float* in = next->in;
    uint16_t* out = next->out;
    int bounds[7];
    set_bounds(pair, bounds);
    __m512i largest = _mm512_setzero_si512();
    _tile_zero(0);
    if (halves == 2) _tile_zero(1);
    if (tiles == 2) _tile_zero(2);
    if (tiles == 2 && halves == 2) _tile_zero(3);
    for (int i = 0; i < t->blocks; i++, a += LITE_X3_TILE, below += LITE_X3_TILE, b += LITE_X3_PANEL) {
        if (i < whole) {
            MULTIPLY_BLOCK(SPLIT_NEXT)
            in += (size_t)LITE_X3_STEPS * kPanel;
            out += LITE_X3_PANEL;
        } else {
            MULTIPLY_BLOCK(SPLIT_NOTHING)
        }
    }
    float* second = sums + (size_t)LITE_X3_ROWS * kPanel;
    _tile_stored(0, sums, 4 * kPanel);
    if (halves == 2) _tile_stored(1, sums + kHalf, 4 * kPanel);
    if (tiles == 2) _tile_stored(2, second, 4 * kPanel);
    if (tiles == 2 && halves == 2) _tile_stored(3, second + kHalf, 4 * kPanel);
    if (t->next == NULL) return;
    if (next->steps % LITE_X3_STEPS != 0) split_rest(next, pair->first, pair->end, &largest);
    t->next->kind |= kind_of(largest);
}

static void multiply_pair(const Pair* pair, float* sums) {
    if (pair->t->columns > kHalf) {
        if (pair->tiles == 2) {
            multiply_x3(2, 2, pair, sums);
        } else {
            multiply_x3(1, 2, pair, sums);
        }
    } else if (pair->tiles == 2) {
        multiply_x3(2, 1, pair, sums);
    } else {
        multiply_x3(1, 1, pair, sums);
    }
}

INLINE void store(const LiteX3Tiles* t, const float* init, const float* sum, __mmask16 columns, float* c) {
    const __m512 low = _mm512_set1_ps(t->low), high = _mm512_set1_ps(t->high);
    const __m512 x = _mm512_add_ps(_mm512_load_ps(sum), _mm512_maskz_loadu_ps(columns, init));
    _mm512_mask_storeu_ps(c, columns, _mm512_min_ps(high, _mm512_max_ps(low, x)));
}

// Returns where the next pair's results go.
static float* store_pair(const LiteX3Tiles* t, int number, const float* sums, float* c) {
    const uint32_t columns = t->columns < kPanel ? (1u << t->columns) - 1 : UINT32_MAX;
    const __mmask16 left = (__mmask16)columns, right = (__mmask16)(columns >> kHalf);
    for (int i = 2 * number; i < t->tiles && i < 2 * number + 2; i++, sums += (size_t)LITE_X3_ROWS * kPanel) {
        const float* sum = sums;
        const int rows = t->rows - (i >= t->larger);
        for (int r = 0; r < rows; r++, c += t->c_step, sum += kPanel) {
            const float* init = t->bias == NULL ? c : t->bias;
            store(t, init, sum, left, c);
            if (right != 0) store(t, init + kHalf, sum + kHalf, right, c + kHalf);
        }
    }
    return c;
}

// Sums are stored after the next pair has been multiplied, so that nothing waits for them.
void lite_micro_gemm_x3(const LiteX3Tiles* t) {
    alignas(64) float sums[2][2 * LITE_X3_ROWS * kPanel];
    shape_tiles(t->rows, kBfloat16);
    const int pairs = (t->tiles + 1) / 2;
    float* c = t->c;
    for (int i = 0; i < pairs; i++) {
        const Pair pair = find_pair(t, i);
        multiply_pair(&pair, sums[i % 2]);
        if (i > 0) c = store_pair(t, i - 1, sums[(i - 1) % 2], c);
    }
    if (pairs > 0) store_pair(t, pairs - 1, sums[(pairs - 1) % 2], c);
}

void lite_micro_x3_rows(const LiteX3Rows* rows) {
    const __m512i odd = _mm512_add_epi16(
        _mm512_set1_epi16(1),
        _mm512_slli_epi16(_mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
                                           14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                          1));
    for (int r = 0; r < rows->rows; r++) {
        const float* in = rows->in[r] + rows->offset;
        uint16_t* out = rows->out + (size_t)r * LITE_X3_STEPS;
        __m512i largest = _mm512_setzero_si512();
        for (int left = rows->depth; left > 0;
             left -= LITE_X3_STEPS, in += LITE_X3_STEPS, out += LITE_X3_TILE) {
            const uint32_t there = left < LITE_X3_STEPS ? (1u << left) - 1 : UINT32_MAX;
            __m512 x = _mm512_maskz_loadu_ps((__mmask16)there, in);
            __m512 y = _mm512_maskz_loadu_ps((__mmask16)(there >> 16), in + 16);
            largest = _mm512_max_epi32(largest, _mm512_max_epi32(magnitude(x), magnitude(y)));
            for (int p = 0; p < LITE_X3_PARTS; p++) {
                const bool is_last = p + 1 == LITE_X3_PARTS;
                const __m512i first = is_last ? _mm512_castps_si512(x) : next_part(&x);
                const __m512i second = is_last ? _mm512_castps_si512(y) : next_part(&y);
                _mm512_storeu_si512(out + (size_t)p * TILE, _mm512_permutex2var_epi16(first, odd, second));
            }
        }
        rows->kinds[r] |= (uint8_t)kind_of(largest);
    }
}
#endif
