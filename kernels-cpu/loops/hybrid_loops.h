// SPDX-License-Identifier: Apache-2.0
// What hybrid operators do to numbers before and after their products of integers.
#ifndef KERNELS_CPU_LOOPS_HYBRID_LOOPS_H_
#define KERNELS_CPU_LOOPS_HYBRID_LOOPS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sums of rows of a product: out = sums * (scale * weights) + bias, between low and high, where scale is the
// row's. The arrays do not overlap.
typedef struct LiteHybridSums {
    int rows, columns;
    const int32_t* sums;
    size_t sums_step;     // elements from row to row
    const float* scales;  // of the rows
    size_t scales_step;   // 1: each row has its own; 0: one is for all
    const float* weights; // scales: one for each column, or one for all
    bool is_per_channel;  // which of these
    const float* bias;    // of each column; NULL: none
    float low;            // -INFINITY and INFINITY: all that there is, also NaN
    float high;
    float* out;
    size_t out_step;
} LiteHybridSums;

typedef struct LiteHybridLoops {
    // The least and the greatest of the numbers, 0 and NaN aside: *low is at most 0, *high at least.
    void (*extremes)(const float* in, int64_t count, float* low, float* high);
    // out[i] = clamp(round(in[i] * inverse) + zero_point, low, 127), halves away from zero; 0 for NaN.
    // -128 <= zero_point <= 127.
    void (*quantize)(const float* in, int64_t count, float inverse, int32_t zero_point, int32_t low,
                     int8_t* out);
    // sums[r][i] -= zero_points[r] * column_sums[i], modulo 2^32; rows are `step` apart.
    void (*subtract)(int rows, int columns, const int32_t* zero_points, const int32_t* column_sums,
                     int32_t* sums, size_t step);
    void (*scale)(const LiteHybridSums* sums);
} LiteHybridLoops;

LiteHybridLoops lite_hybrid_loops(void);

#endif
