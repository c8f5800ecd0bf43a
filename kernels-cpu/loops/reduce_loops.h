// SPDX-License-Identifier: Apache-2.0
// Reductions along some axes: which elements meet in which output (reduce.c), and how they are combined
// (reduce_loops.c).
#ifndef KERNELS_CPU_LOOPS_REDUCE_LOOPS_H_
#define KERNELS_CPU_LOOPS_REDUCE_LOOPS_H_

#include "core/semantics/quant.h"
#include "kernels-cpu/support/kernel.h"

typedef enum LiteReduction {
    kLiteReduceSum,
    kLiteReduceProduct,
    kLiteReduceMaximum,
    kLiteReduceMinimum,
    kLiteReduceQuantizedProduct, // 8 and 16 bits, rescaled after each step
} LiteReduction;

// What becomes of an accumulator.
typedef enum LiteReduceEnd {
    kLiteReduceStore,   // as it is
    kLiteReduceDivide,  // by the number of elements
    kLiteReduceRescale, // sums of quantized values to the scale of the output, or the last step of a product
    kLiteReduceRound,   // sums in float, as the reference does for INT8
} LiteReduceEnd;

enum { kLiteReduceBytes = 2048 }; // accumulators of one task

// Real types accumulate in single precision; extremes are of their own type. Sums of 8 and 16 bits have 32
// bits, modulo 2^32, everything else 64.
typedef union LiteAccumulators {
    float f32[kLiteReduceBytes / sizeof(float)];
    int8_t i8[kLiteReduceBytes];
    uint8_t u8[kLiteReduceBytes];
    int16_t i16[kLiteReduceBytes / sizeof(int16_t)];
    int32_t i32[kLiteReduceBytes / sizeof(int32_t)];
    int64_t i64[kLiteReduceBytes / sizeof(int64_t)];
} LiteAccumulators;

// What the end needs.
typedef struct LiteReduceFinish {
    float divisor;    // kLiteReduceDivide
    int64_t elements; // the same of integers; not 0
    LiteMultiplier multiplier;
    int32_t bias; // zero points of all elements; wraps around
    float ratio;  // kLiteReduceRound: of the scales
    float offset; // zero points of all elements, on the output's scale
    int32_t zero_point;
    int32_t low, high; // limits of the output's type, less the zero point
} LiteReduceFinish;

// What a quantized product needs on the way.
typedef struct LiteReduceScale {
    int32_t zero_point;
    LiteMultiplier step;
} LiteReduceScale;

// Rows of `count` elements.
typedef struct LiteReduceRows {
    const void* data;
    int64_t rows;
    int64_t stride; // elements from one row to the next
    int64_t count;
    int64_t outputs; // of `run`
    int64_t next;    // elements from the rows of one to those of the next
    const LiteReduceScale* scale;
} LiteReduceRows;

typedef struct LiteReduceLoops {
    int64_t size; // bytes of an accumulator
    // accumulators[0 .. count) before the first element
    void (*start)(LiteAccumulators* accumulators, int64_t count);
    // accumulators[i] = accumulators[i] ∘ row[i] for each row
    void (*columns)(LiteAccumulators* accumulators, const LiteReduceRows* rows);
    // accumulators[at] = accumulators[at] ∘ row[0] ∘ row[1] … for each row; so for `outputs` from there on
    void (*run)(LiteAccumulators* accumulators, int64_t at, const LiteReduceRows* rows);
    // accumulators[i] = accumulators[i] ∘ others[i]; NULL where the order of elements matters
    void (*combine)(LiteAccumulators* accumulators, const LiteAccumulators* others, int64_t count);
    // output[i] = the end of accumulators[i]
    void (*store)(const LiteAccumulators* accumulators, int64_t count, const LiteReduceFinish* finish,
                  void* output);
} LiteReduceLoops;

// false when the reduction does not exist for the type.
bool lite_reduce_loops(LiteReduction reduction, LiteReduceEnd end, TfLiteType type, LiteReduceLoops* loops);

#endif
