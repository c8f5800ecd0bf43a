// SPDX-License-Identifier: Apache-2.0
// The hot loops of convolution, matrix products and pooling, one table of functions per instruction set.
//
// Level 0 is plain C and defines what every function computes; the other levels are the same template
// (micro_tmpl.h) compiled for an instruction set, and tests hold each of them against level 0. Integer
// functions give the same bits on all levels; float sums differ in rounding only.
//
// Weights are packed in panels of `panel` output columns, so that one step over the depth reads one panel
// row.
#ifndef KERNELS_CPU_MICRO_MICRO_H_
#define KERNELS_CPU_MICRO_MICRO_H_

#include <stddef.h>
#include <stdint.h>

#define LITE_MICRO_MAX_ROWS 8
#define LITE_MICRO_MAX_PANEL 32

// Scaling of int32 accumulators to 8-bit outputs, arrays with one entry per column.
typedef struct LiteRequantization {
    const int32_t* bias;
    const int32_t* multiplier; // in [2^30, 2^31), or 0
    const int32_t* shift;      // positive: left
    int32_t zero_point;
    int32_t low;
    int32_t high;
} LiteRequantization;

typedef struct LiteMicro {
    const char* name;
    int rows;  // largest tile, at most LITE_MICRO_MAX_ROWS
    int panel; // columns of a tile, at most LITE_MICRO_MAX_PANEL

    // One tile of a product: for r < rows, n < columns
    //   c[r * c_stride + n] = clamp(bias[n] + sum over t < taps, k < depth of
    //                               a[t * micro->rows + r][k] * b[(t * depth + k) * panel + n])
    // Row pointers let a convolution read its input in place. bias has `panel` entries.
    void (*gemm_f32)(int rows, int columns, int taps, int depth, const float* const* a, const float* b,
                     const float* bias, float low, float high, float* c, size_t c_stride);

    // c[r * panel + n] = sum over p < pairs of a[r * a_stride + 2p + i] * b[(p * panel + n) * 2 + i], i =
    // 0, 1. Sums wrap. Writes all `panel` columns.
    void (*gemm_i16)(int rows, int pairs, const int16_t* a, size_t a_stride, const int16_t* b, int32_t* c);

    // One pixel of a depthwise convolution: out[c] = clamp(bias[c] + sum over t of in[t][c] * w[t * channels
    // + c]).
    void (*depthwise_f32)(int channels, int taps, const float* const* in, const float* w, const float* bias,
                          float low, float high, float* out);
    // The same in integers, without bias and clamp; weights are int16 values zero-extended to 32 bits.
    void (*depthwise_i8)(int channels, int taps, const int8_t* const* in, const uint32_t* w, int32_t* out);
    void (*depthwise_u8)(int channels, int taps, const uint8_t* const* in, const uint32_t* w, int32_t* out);

    // out[i] = clamp(zero_point + (in[i] + bias[i]) * multiplier[i] * 2^(shift[i] - 31)), rounded as
    // lite_multiply does. out holds int8 or uint8.
    void (*requantize)(int count, const int32_t* in, const LiteRequantization* q, uint8_t* out);

    // out[i] = in[i] - zero_point, as 16 bits.
    void (*widen_i8)(int count, const int8_t* in, int32_t zero_point, int16_t* out);
    void (*widen_u8)(int count, const uint8_t* in, int32_t zero_point, int16_t* out);

    // Largest value, and sum, per channel over a window of height x width >= 1 pixels of a picture whose
    // lines are `line` elements apart. NaN never is the largest; the largest of none is -infinity.
    void (*max_f32)(int channels, int height, int width, const float* in, size_t line, float* out);
    void (*sum_f32)(int channels, int height, int width, const float* in, size_t line, float* out);
} LiteMicro;

// The best table for this processor.
const LiteMicro* lite_micro(void);

// Table of a level (0: plain C), NULL when this processor or build has no such level, or beyond the last.
#define LITE_MICRO_LEVELS 5
const LiteMicro* lite_micro_level(int level);

// Tests only: lite_micro() gives this level from now on (negative: the best again).
void lite_micro_force(int level);

#endif
