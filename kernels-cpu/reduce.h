// SPDX-License-Identifier: Apache-2.0
// Reductions along some axes: which elements meet in which output (reduce.c), and how they are combined
// (reduce_loops.c).
#ifndef KERNELS_CPU_REDUCE_H_
#define KERNELS_CPU_REDUCE_H_

#include "core/base/quant.h"
#include "kernels-cpu/kernel.h"

typedef enum LiteReduction {
    kLiteReduceSum,
    kLiteReduceProduct,
    kLiteReduceMaximum,
    kLiteReduceMinimum,
    kLiteReduceQuantizedProduct, // 8 and 16 bits, rescaled after each step
} LiteReduction;

enum { kLiteReduceColumns = 256 }; // accumulators of one task

// Real types accumulate in single precision, integers in 64 bits, modulo 2^64.
typedef union LiteAccumulators {
    float f[kLiteReduceColumns];
    int64_t i[kLiteReduceColumns];
} LiteAccumulators;

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
    // accumulators[0 .. count) before the first element
    void (*start)(LiteAccumulators* accumulators, int64_t count);
    // accumulators[i] = accumulators[i] ∘ row[i] for each row
    void (*columns)(LiteAccumulators* accumulators, const LiteReduceRows* rows);
    // accumulators[at] = accumulators[at] ∘ row[0] ∘ row[1] … for each row; so for `outputs` from there on
    void (*run)(LiteAccumulators* accumulators, int64_t at, const LiteReduceRows* rows);
    // accumulators[i] = accumulators[i] ∘ others[i]; NULL where the order of elements matters
    void (*combine)(LiteAccumulators* accumulators, const LiteAccumulators* others, int64_t count);
} LiteReduceLoops;

// false when the reduction does not exist for the type.
bool lite_reduce_loops(LiteReduction reduction, TfLiteType type, LiteReduceLoops* loops);

#endif
