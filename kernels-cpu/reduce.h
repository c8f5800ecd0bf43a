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

typedef struct LiteReduceLoops {
    // accumulators[0 .. count) before the first element
    void (*start)(LiteAccumulators* accumulators, int64_t count);
    // accumulators[i] = accumulators[i] ∘ row[i]
    void (*columns)(LiteAccumulators* accumulators, const void* row, int64_t count,
                    const LiteReduceScale* scale);
    // accumulators[0] = accumulators[0] ∘ row[0] ∘ row[1] …
    void (*run)(LiteAccumulators* accumulators, const void* row, int64_t count, const LiteReduceScale* scale);
} LiteReduceLoops;

// false when the reduction does not exist for the type.
bool lite_reduce_loops(LiteReduction reduction, TfLiteType type, LiteReduceLoops* loops);

#endif
