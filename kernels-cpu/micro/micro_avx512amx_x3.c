// SPDX-License-Identifier: Apache-2.0
// Products of floats as sums of BFLOAT16 with AMX (micro_avx512amx.c). A tile of inputs has 16 rows of a
// block of the depth, one of weights 16 pairs of steps of half a panel.
#include <assert.h>
#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "kernels-cpu/micro/levels.h"
#include "kernels-cpu/micro/micro_avx512amx_tiles.h"

#if LITE_HAS_X3
#define INLINE static inline __attribute__((always_inline))

enum { kHalf = 16, kPanel = 2 * kHalf };

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

// 16 weights as floats.
INLINE __m512 read_weights(const LitePrecision precision, const char* from) {
    if (precision == kLitePrecisionFloat32) return _mm512_loadu_ps(from);
    const __m256i halves = _mm256_loadu_si256((const __m256i*)(const void*)from);
    if (precision == kLitePrecisionFloat16) return _mm512_cvtph_ps(halves);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

// Two steps of half a panel.
INLINE void split_pair(const int parts, __m512 x, __m512 y, uint16_t* out, __m512i* largest) {
    *largest = _mm512_max_epi32(*largest, _mm512_max_epi32(magnitude(x), magnitude(y)));
    for (int p = 0; p < parts; p++) {
        const bool is_last = p + 1 == parts; // what is left has no more bits
        const __m512i first = is_last ? _mm512_castps_si512(x) : next_part(&x);
        const __m512i second = is_last ? _mm512_castps_si512(y) : next_part(&y);
        const __m512i both = _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(first, 16), second);
        _mm512_storeu_si512(out + (size_t)(2 * p) * TILE, both);
    }
}

// Steps [first, end) of a block, even numbers.
INLINE void split_steps(const LitePrecision precision, const char* in, size_t ahead, int first, int end,
                        uint16_t* out, __m512i* largest) {
    const size_t weight = precision == kLitePrecisionFloat32 ? 4 : 2, row = kPanel * weight;
    const int parts = precision == kLitePrecisionBfloat16 ? 1 : LITE_X3_PARTS;
    for (int k = first; k < end; k += 2) {
        const char* from = in + (size_t)k * row;
        uint16_t* to = out + (size_t)k / 2 * LITE_X3_STEPS;
        for (size_t line = 0; line < 2 * row; line += 64) __builtin_prefetch(from + ahead + line, 0, 2);
        for (size_t half = 0; half < 2; half++) {
            const char* at = from + half * kHalf * weight;
            split_pair(parts, read_weights(precision, at), read_weights(precision, at + row),
                       to + half * TILE, largest);
        }
    }
}

// Steps of the last block, which has fewer.
INLINE void split_rest(const LitePrecision precision, const LiteX3Weights* w, int first, int end,
                       __m512i* largest) {
    alignas(64) char whole[LITE_X3_STEPS * kPanel * sizeof(float)] = {0};
    const size_t block = (size_t)w->steps / LITE_X3_STEPS, rest = (size_t)w->steps % LITE_X3_STEPS;
    const size_t row = kPanel * lite_weight_bytes(precision);
    const size_t size = (size_t)lite_x3_parts(precision) * 2 * TILE;
    memcpy(whole, (const char*)w->in + block * LITE_X3_STEPS * row, rest * row);
    split_steps(precision, whole, 0, first, end, w->out + block * size, largest);
}

INLINE void split_panel(const LitePrecision precision, LiteX3Weights* w) {
    __m512i largest = _mm512_setzero_si512();
    const size_t block = LITE_X3_STEPS * kPanel * lite_weight_bytes(precision);
    const size_t size = (size_t)lite_x3_parts(precision) * 2 * TILE;
    for (size_t i = 0; i < (size_t)w->steps / LITE_X3_STEPS; i++) {
        split_steps(precision, (const char*)w->in + i * block, w->ahead, 0, LITE_X3_STEPS, w->out + i * size,
                    &largest);
    }
    if (w->steps % LITE_X3_STEPS != 0) split_rest(precision, w, 0, LITE_X3_STEPS, &largest);
    w->kind |= kind_of(largest);
}

void lite_micro_x3_weights(LiteX3Weights* w) {
    if (w->precision == kLitePrecisionFloat32) {
        split_panel(kLitePrecisionFloat32, w);
    } else if (w->precision == kLitePrecisionFloat16) {
        split_panel(kLitePrecisionFloat16, w);
    } else {
        split_panel(kLitePrecisionBfloat16, w);
    }
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
// A block of all, and meanwhile some of the next weights. The order is that in which fewest tiles are read,
// and the same for weights of one part, so that they give the bits of floats that have no more.
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
#define MULTIPLY_BLOCK_OF_1(SPLIT)                                                                           \
    READ_ROWS(0)                                                                                             \
    READ_PANEL(0)                                                                                            \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(0)                                                                                                 \
    SPLIT(1)                                                                                                 \
    READ_ROWS(1)                                                                                             \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(2)                                                                                                 \
    SPLIT(3)                                                                                                 \
    READ_ROWS(2)                                                                                             \
    MULTIPLY_PARTS                                                                                           \
    SPLIT(4)                                                                                                 \
    SPLIT(5)
#define SPLIT_NEXT(SLOT) split_steps(precision, in, ahead, bounds[SLOT], bounds[(SLOT) + 1], out, &largest);
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
INLINE void multiply_x3(const int tiles, const int halves, const LitePrecision precision, const Pair* pair,
                        float* sums) {
    const LiteX3Tiles* t = pair->t;
    const int parts = precision == kLitePrecisionBfloat16 ? 1 : LITE_X3_PARTS;
    const size_t panel = (size_t)parts * 2 * TILE;
    const uint16_t *a = pair->a, *below = a + t->a_step, *b = t->b;
    const LiteX3Weights none = {.precision = precision};
    const LiteX3Weights* next = t->next == NULL ? &none : t->next;
    const int whole = next->steps / LITE_X3_STEPS;
    const size_t ahead = next->ahead;
    const char* in = next->in;
    uint16_t* out = next->out;
    int bounds[7];
    set_bounds(pair, bounds);
    __m512i largest = _mm512_setzero_si512();
    _tile_zero(0);
    if (halves == 2) _tile_zero(1);
    if (tiles == 2) _tile_zero(2);
    if (tiles == 2 && halves == 2) _tile_zero(3);
    for (int i = 0; i < t->blocks; i++, a += LITE_X3_TILE, below += LITE_X3_TILE, b += panel) {
        const bool is_more = i < whole;
        if (parts == 1 && is_more) {
            MULTIPLY_BLOCK_OF_1(SPLIT_NEXT)
        } else if (parts == 1) {
            MULTIPLY_BLOCK_OF_1(SPLIT_NOTHING)
        } else if (is_more) {
            MULTIPLY_BLOCK(SPLIT_NEXT)
        } else {
            MULTIPLY_BLOCK(SPLIT_NOTHING)
        }
        if (!is_more) continue;
        in += LITE_X3_STEPS * kPanel * lite_weight_bytes(precision);
        out += panel;
    }
    float* second = sums + (size_t)LITE_X3_ROWS * kPanel;
    _tile_stored(0, sums, 4 * kPanel);
    if (halves == 2) _tile_stored(1, sums + kHalf, 4 * kPanel);
    if (tiles == 2) _tile_stored(2, second, 4 * kPanel);
    if (tiles == 2 && halves == 2) _tile_stored(3, second + kHalf, 4 * kPanel);
    if (t->next == NULL) return;
    if (next->steps % LITE_X3_STEPS != 0) split_rest(precision, next, pair->first, pair->end, &largest);
    t->next->kind |= kind_of(largest);
}

#define MULTIPLY_PAIR(NAME, PRECISION)                                                                       \
    static void NAME(const Pair* pair, float* sums) {                                                        \
        if (pair->t->columns > kHalf && pair->tiles == 2) {                                                  \
            multiply_x3(2, 2, PRECISION, pair, sums);                                                        \
        } else if (pair->t->columns > kHalf) {                                                               \
            multiply_x3(1, 2, PRECISION, pair, sums);                                                        \
        } else if (pair->tiles == 2) {                                                                       \
            multiply_x3(2, 1, PRECISION, pair, sums);                                                        \
        } else {                                                                                             \
            multiply_x3(1, 1, PRECISION, pair, sums);                                                        \
        }                                                                                                    \
    }
MULTIPLY_PAIR(multiply_pair_f32, kLitePrecisionFloat32)
MULTIPLY_PAIR(multiply_pair_f16, kLitePrecisionFloat16)
MULTIPLY_PAIR(multiply_pair_bf16, kLitePrecisionBfloat16)

static void multiply_pair(const Pair* pair, float* sums) {
    if (pair->t->weights == kLitePrecisionFloat32) {
        multiply_pair_f32(pair, sums);
    } else if (pair->t->weights == kLitePrecisionFloat16) {
        multiply_pair_f16(pair, sums);
    } else {
        multiply_pair_bf16(pair, sums);
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
    lite_micro_shape_amx(t->rows, kLiteAmxPairs);
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
