// SPDX-License-Identifier: Apache-2.0
// A table of functions for an instruction set: the hot loops of convolution and matrix products.
//
// That of kLiteCpuReference is plain C and defines what every function computes; the others are the same
// template (micro_tmpl.h) compiled for an instruction set, and tests hold each of them against plain C.
// Integer functions give the same bits in all tables; float sums differ in rounding only.
//
// Weights are packed in panels of `panel` output columns, so that one step over the depth reads one panel
// row.
#ifndef KERNELS_CPU_MICRO_MICRO_TABLE_H_
#define KERNELS_CPU_MICRO_MICRO_TABLE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/precision.h"

#define LITE_MICRO_MAX_ROWS 12
#define LITE_MICRO_MAX_PANEL 32
#define LITE_GATHER_SLACK 64
// Products of bytes: runs of inputs are whole multiples of so many fours.
#define LITE_RUN_QUADS 16
// Most rows of a product that are computed at once: enough to use a panel of weights several times while it
// is in the cache, few enough for their inputs to stay there too.
#define LITE_ITEM_ROWS 128
#define LITE_SUM_BLOCK 64
#define LITE_STRIP_LINES 32
#define LITE_STRIP_SIZE 72

#define LITE_PRECISION_BIT(precision) (1u << (precision))

// Bytes of a packed weight.
static inline size_t lite_weight_bytes(LitePrecision precision) {
    return precision == kLitePrecisionFloat32 ? sizeof(float) : sizeof(uint16_t);
}

// Scaling of int32 sums to 8-bit outputs, arrays with one entry per column.
typedef struct LiteRequantization {
    const int32_t* multiplier; // in [2^30, 2^31), or 0
    const int32_t* shift;      // positive: left
    int32_t zero_point;
    int32_t low;
    int32_t high;
    const int32_t* start; // for `requantize`: what is added to the sums; NULL: nothing
} LiteRequantization;

// Tiles of a product of floats, one below the other: for i < tiles, r < rows, n < columns
//   c[(i * rows + r) * c_step + n] = clamp(bias[n] + sum over t < taps, k < depth of
//                                a[(i * taps + t) * micro->rows_f32 + r][k] * b[(t * depth + k) * panel + n])
// b are floats, or halves that stand for floats.
typedef struct LiteFloatTile {
    int tiles;
    int rows; // of each
    int columns;
    int taps;
    int depth;
    const float* const* a; // pointers let a convolution read its input in place
    size_t a_step; // not 0: only the first tile's are there, and the next one's rows lie so much further
    const void* b;
    const float* bias; // `panel` entries
    float low;
    float high;
    float* c;
    size_t c_step;
    const char* ahead; // `ahead_step` bytes per step over the depth of what will be read next; any address
    size_t ahead_step;
    LitePrecision weights; // of b; one of micro->precisions
} LiteFloatTile;

// A product of floats with few rows, by several panels at a time, because the sums of one would wait for each
// other: for r < rows, n < columns, with p = n / panel and q = n % panel
//   c[r * c_step + n] = clamp(bias[n] + sum over t < taps, k < depth of
//                             a[t * micro->rows_f32 + r][k] * b[p * b_step + (t * depth + k) * b_row + q])
// in the same order as LiteFloatTile, so that a row does not depend on how many there are.
#define LITE_FEW_ROWS 3
#define LITE_FEW_PANELS(rows) (5 - (rows))
typedef struct LiteFloatPanels {
    int rows;    // at most LITE_FEW_ROWS
    int columns; // at most those of LITE_FEW_PANELS(rows) panels
    int taps;
    int depth;
    const float* const* a;
    const void* b;
    size_t b_step; // elements
    size_t b_row;  // elements; `panel` where panels are packed
    const float* bias;
    float low;
    float high;
    float* c;
    size_t c_step;
    size_t ahead;          // bytes from b to what will be read next
    LitePrecision weights; // as in LiteFloatTile
} LiteFloatPanels;

// Products of floats as sums of LITE_X3_PARTS BFLOAT16 numbers each, of which each is nearest to what those
// before it leave: x = x[0] + x[1] + x[2], exactly unless the last ones are too small to be normal numbers.
// Of the nine products of two such sums the six largest are added; what is left out is at most 2^-22 of the
// whole, in the mean nothing. (Intel's oneMKL has the same as float_to_bf16x3.)
#define LITE_X3_PARTS 3
#define LITE_X3_ROWS 16  // of a tile, at most
#define LITE_X3_STEPS 32 // of a block of the depth
// Elements of a block of a tile of rows, and of a panel with all parts.
#define LITE_X3_TILE ((size_t)LITE_X3_PARTS * LITE_X3_ROWS * LITE_X3_STEPS)
#define LITE_X3_PANEL ((size_t)LITE_X3_PARTS * LITE_MICRO_MAX_PANEL * LITE_X3_STEPS)

// What floats are like.
enum {
    kLiteX3Infinite = 1, // some are, or are NaN, or round to it as BFLOAT16
    kLiteX3Large = 2,    // some are at least 2^-63, so that small ones lose nothing that would matter
    kLiteX3Nonzero = 4,  // some are not 0
};

// Rows of a tile, with zeros behind the last step: for r < rows, k < depth
//   out[k / S * LITE_X3_TILE + (p * LITE_X3_ROWS + r) * S + k % S] = part p of in[r][offset + k]
// where S = LITE_X3_STEPS. What a row is like is added to kinds[r].
typedef struct LiteX3Rows {
    int rows;
    int depth;
    const float* const* in;
    size_t offset;
    uint16_t* out;
    uint8_t* kinds;
} LiteX3Rows;

// Parts of a weight: what BFLOAT16 has is one.
static inline int lite_x3_parts(LitePrecision weights) {
    return weights == kLitePrecisionBfloat16 ? 1 : LITE_X3_PARTS;
}

// A panel of floats, or of halves that stand for them, becomes parts:
//   out[k / S * P * 2 * S * 16 + ((2 * p + n / 16) * S / 2 + k % S / 2) * S + n % 16 * 2 + k % 2] =
//       part p < P of in[k * panel + n], zeros beyond steps
// with P = lite_x3_parts(precision).
typedef struct LiteX3Weights {
    LitePrecision precision;
    int steps;
    const void* in;
    uint16_t* out;
    size_t ahead; // bytes from `in` to what will be read next
    int kind;     // what they are like is added
} LiteX3Weights;

// Tiles of rows, one below the other, times a panel: for all rows r, n < columns
//   c[r * c_step + n] = clamp(init + the product of row r and column n)
// where init is bias[n], or without a bias what c has. The first `larger` tiles have `rows` rows, and the
// others one less.
typedef struct LiteX3Tiles {
    int tiles;
    int rows;
    int larger;
    int columns;
    int blocks;        // of LITE_X3_STEPS
    const uint16_t* a; // [tiles][blocks][LITE_X3_TILE]
    size_t a_step;     // elements from one tile to the next
    const uint16_t* b; // as LiteX3Weights has it
    LitePrecision weights;
    const float* bias; // `panel` entries, or NULL
    float low;
    float high;
    float* c;
    size_t c_step;
    LiteX3Weights* next; // a panel of at most as many blocks, which is split meanwhile; NULL: none
} LiteX3Tiles;

// Not in builds of selected operators, which are small for it.
#ifndef LITE_HAS_X3
#define LITE_HAS_X3 1
#endif

// Neighbouring outputs of a line of a depthwise convolution of floats, whose windows lie inside the input or
// have the same part there:
//   out[p * step + c] = clamp(bias[c] + sum over l < lines, k < columns of
//                             in[p * pixel + l * line - (l < wrap ? 0 : ring) + k * column + c] *
//                             w[l * w_line + k * w_column + c])
typedef struct LiteFloatLine {
    int channels;
    int pixels;
    int lines;
    int columns;
    bool by_pixels; // all channels of some pixels, and then others: where lines of one channel crowd a cache
    size_t step;    // channels of the whole tensor
    const float* in;
    size_t pixel;
    size_t line;
    int wrap; // the line from which on the input lies `ring` elements before where it should, as in a ring
    size_t ring;
    size_t column;
    const float* w;
    size_t w_line;
    size_t w_column;
    const float* bias;
    float low;
    float high;
    float* out;
} LiteFloatLine;

// Some rows of a product of integers times a panel. A quad is four bytes of a row: E = 4 unsigned bytes that
// are multiplied by signed ones, or E = 2 of 16 bits.
//   c[r * panel + n] = init[n] + offsets[r] + sum over q < quads, i < E of
//                      a[r][E * q + i] * b[(q * panel + n) * E + i]
// where row r begins at byte r * a_stride. Of the columns, only the vectors that hold the first `columns` are
// written. Sums wrap. With a scale they go to `out` as `requantize` does it, and c is for sums that need it.
// Rows of bytes may be lines of `line_rows`, which begin line_step bytes apart, and what a row is multiplied
// with may be in runs of `run_quads`, run_step bytes apart, so that row r begins at byte
//   r / line_rows * line_step + r % line_rows * a_stride
// and its q-th quad is q / run_quads * run_step + q % run_quads * 4 bytes from there.
typedef struct LiteIntRows {
    int rows;
    int line_rows; // a divisor of rows; only levels that take lines can do with less than all
    int columns;
    int quads;
    int run_quads; // as above, and a multiple of LITE_RUN_QUADS where it is not all
    const uint8_t* a;
    size_t a_stride; // bytes
    size_t line_step;
    size_t run_step;
    const int8_t* b;
    const int32_t* init;
    const int32_t* offsets; // NULL: zeros
    const int8_t* next;     // the panel that will be read next; any address
    const LiteRequantization* scale;
    uint8_t* out;
    size_t out_step;
    bool is_signed; // bytes of a are; only for levels that take them
} LiteIntRows;

// Parts of output lines, one below the other, of a depthwise convolution of bytes, for at most micro->lanes
// channels. Its input lines and columns count from the first that the first output reads.
typedef struct LiteStrip {
    int channels;
    int pixels; // of an output line
    int rows;   // output lines
    int stride; // input columns from one output to the next
    int row_stride;
    int lines;    // of the filter
    int columns;  // of the filter
    int dilation; // of its columns
    int line_dilation;
    // For each input line: where its column `begin` is, and how many bytes to the next one.
    const uint8_t* in[LITE_STRIP_LINES];
    size_t step[LITE_STRIP_LINES];
    int begin; // columns before this one, and from `end` on, have the value `padding`
    int end;
    uint8_t padding;
    uint8_t flip; // inputs are in ^ flip
    // With G = micro->strip_group [columns][(lines + G - 1) / G][micro->lanes][G], zeros beyond the last
    // line; signed bytes where G is 4, 16 bits where it is 2.
    const void* w;
    const int32_t* init;      // [micro->lanes]
    LiteRequantization scale; // of these channels
    uint8_t* out;
    size_t out_step; // bytes from one pixel to the next
    size_t out_row;
} LiteStrip;

// Sums of two inputs of 8 bits, in fixed point with `bits` fractional bits:
//   out[i] = clamp((start + a[i] * scales[0] + b[i] * scales[1]) >> bits)
// where nothing overflows. They stand for something that is a little different, so that a sum whose fraction
// is less than `margin` may belong to the next lower value.
typedef struct LiteByteSum {
    bool is_signed;
    int32_t scales[2]; // of at most 24 bits
    int32_t start;
    int bits;       // 16 to 30
    int32_t margin; // a power of 2
    int32_t low;
    int32_t high;
} LiteByteSum;

// Products of two inputs of 8 bits less their zero points, scaled as `requantize` does it. Zero points are
// within the inputs' type, the multiplier is in [2^30, 2^31) and the shift less than 0.
typedef struct LiteByteProduct {
    bool is_signed;
    int32_t zero_points[2];
    int32_t multiplier;
    int32_t shift;
    int32_t zero_point; // of the output
    int32_t low;
    int32_t high;
} LiteByteProduct;

// clamp(round(x / scale) + zero_point) of floats, halves away from zero, for a normal scale whose reciprocal
// times 2^16 is one, too, and a zero point within the limits.
typedef struct LiteFloatBytes {
    float scale;
    int32_t zero_point;
    int32_t low;
    int32_t high;
} LiteFloatBytes;

// Winograd's transforms for filters of 3 x 3 (Y = A^T [(G g G^T) (B^T d B)] A): a tile of `size` = tile + 2
// input lines and columns becomes size * size planes, and of as many planes of products come tile x tile
// outputs. Tiles are 2 or 4.
enum { LITE_WINOGRAD_MAX_SIZE = 6 };

// out[(i * size + j) * plane + c] = B^T d B at i, j, of d[y][x] = in[y * line + x * pixel + c]
typedef struct LiteWinogradInput {
    int tile;
    int channels;
    const float* in;
    size_t line;
    size_t pixel;
    float* out;
    size_t plane;
} LiteWinogradInput;

// out[y * line + x * pixel + c] = clamp(bias[c] + A^T m A at y, x) for y < lines, x < columns, of
// m[i][j] = in[(i * size + j) * plane + c]
typedef struct LiteWinogradOutput {
    int tile;
    int channels;
    int lines;   // of the tile, those that there are
    int columns; // the same
    const float* in;
    size_t plane;
    const float* bias;
    float low;
    float high;
    float* out;
    size_t line;
    size_t pixel;
} LiteWinogradOutput;

// The same of bytes, less their zero point, with tiles of 2: exact in 16 bits.
typedef struct LiteWinogradBytes {
    int channels;
    bool is_signed;
    int32_t zero_point; // within the type
    const uint8_t* in;
    size_t line;
    size_t pixel;
    int16_t* out;
    size_t plane;
} LiteWinogradBytes;

// out[y * line + x * pixel + c] = (A^T m A at y, x) / 4 for tiles of 2, of m[i][j] = in[(i * 4 + j) * plane +
// c]. Sums wrap, and are multiples of 4, as those of weights 2 G g (2 G)^T are.
typedef struct LiteWinogradSums {
    int channels; // a multiple of micro->lanes
    const int32_t* in;
    size_t plane;
    int32_t* out;
    size_t line;
    size_t pixel;
} LiteWinogradSums;

// Not in builds of selected operators, which are small for it.
#ifndef LITE_HAS_BYTE_WINOGRAD
#define LITE_HAS_BYTE_WINOGRAD 1
#endif

typedef struct LiteMicro {
    const char* name;
    int rows;     // largest tile, at most LITE_MICRO_MAX_ROWS
    int rows_f32; // the same of floats
    int panel;    // columns of a tile, at most LITE_MICRO_MAX_PANEL
    int lanes;    // columns of a vector, at most LITE_MICRO_MAX_PANEL

    void (*gemm_f32)(const LiteFloatTile* tile);
    void (*few_f32)(const LiteFloatPanels* few);
    // What they take as weights: LITE_PRECISION_BIT of each.
    unsigned precisions;
    // out[i] = in[i] rounded to the nearest BFLOAT16 or FLOAT16, to even where two are as near; what is too
    // large becomes an infinity, NaN stays NaN.
    void (*narrow)(LitePrecision precision, size_t count, const float* in, uint16_t* out);

    // NULL: none, or they are not faster.
    void (*gemm_x3)(const LiteX3Tiles* tiles);
    void (*x3_rows)(const LiteX3Rows* rows);
    void (*x3_weights)(LiteX3Weights* weights);

    void (*gemm_i16)(const LiteIntRows* rows, int32_t* c);
    void (*gemm_u8)(const LiteIntRows* rows, int32_t* c); // NULL: none
    // The processor has no exact product of bytes: that of int16 is faster where weights are used several
    // times, but they have twice the size.
    bool slow_bytes;
    bool takes_signed; // gemm_u8 does
    bool takes_lines;
    // Gives back what gemm_u8 and gemm_x3 took for their thread. NULL: nothing.
    void (*release)(void);

    void (*depthwise_f32)(const LiteFloatLine* line);
    void (*winograd_input)(const LiteWinogradInput* input);
    // Returns whether all results of the tile, also those beyond `lines` and `columns`, were finite before
    // they were clamped.
    bool (*winograd_output)(const LiteWinogradOutput* output);
    // NULL: none.
    void (*winograd_bytes)(const LiteWinogradBytes* input);
    void (*winograd_sums)(const LiteWinogradSums* output);
    // One pixel of a depthwise convolution: out[c] = init[c] + sum over t of in[t][c] * w[t * channels + c].
    // Weights are int16 values zero-extended to 32 bits.
    void (*depthwise_i8)(int channels, int taps, const int8_t* const* in, const uint32_t* w,
                         const int32_t* init, int32_t* out);
    void (*depthwise_u8)(int channels, int taps, const uint8_t* const* in, const uint32_t* w,
                         const int32_t* init, int32_t* out);
    // A whole strip, scaled as `requantize` does. For it the input columns times the groups of filter lines
    // are at most LITE_STRIP_SIZE, and the input lines at most LITE_STRIP_LINES. NULL: not faster.
    void (*depthwise_strip)(const LiteStrip* strip);
    int strip_group; // filter lines that it takes at a time, 4 or 2

    // out[r * out_step + i] =
    //     clamp(zero_point + (in[r * in_step + i] + start[i]) * multiplier[i] * 2^(shift[i] - 31)),
    // rounded as lite_multiply does. out holds int8 or uint8.
    void (*requantize)(int rows, int columns, const int32_t* in, size_t in_step, const LiteRequantization* q,
                       uint8_t* out, size_t out_step);

    // The sums of whole blocks of LITE_SUM_BLOCK, up to the first block that has an uncertain one; returns
    // how many elements that are; out may be a or b. NULL where this is not faster than something exact.
    int (*sum_bytes)(int count, const uint8_t* a, const uint8_t* b, const LiteByteSum* sum, uint8_t* out);
    // The same of products, and of floats, whose bytes go elsewhere; NULL: none.
    int (*multiply_bytes)(int count, const uint8_t* a, const uint8_t* b, const LiteByteProduct* product,
                          uint8_t* out);
    int (*quantize_bytes)(int count, const float* in, const LiteFloatBytes* scale, uint8_t* out);

    // out[i] = in[i] - zero_point, as 16 bits.
    void (*widen_i8)(int count, const int8_t* in, int32_t zero_point, int16_t* out);
    void (*widen_u8)(int count, const uint8_t* in, int32_t zero_point, int16_t* out);
    // out[i] = in[i] ^ flip.
    void (*copy_u8)(size_t count, const uint8_t* in, uint8_t flip, uint8_t* out);
    uint32_t (*sum_u8)(size_t count, const uint8_t* in);
    // out[p * out_step + l * run + i] = in[l][p * in_step + i] ^ flip, for p < pixels, l < lines, i < run, in
    // that order. Reads and writes less than LITE_GATHER_SLACK bytes beyond the end of each run.
    void (*gather_u8)(int pixels, int lines, const uint8_t* const* in, size_t in_step, size_t run,
                      uint8_t flip, uint8_t* out, size_t out_step);
} LiteMicro;

#endif
