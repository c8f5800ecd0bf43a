// SPDX-License-Identifier: Apache-2.0
// The functions of two numbers that StableHLO operators are given as subgraphs, over strided arrays.
#ifndef KERNELS_CPU_FOLD_H_
#define KERNELS_CPU_FOLD_H_

#include "kernels-cpu/kernel.h"

typedef enum LiteFoldFunction {
    kLiteFoldReplace, // b
    kLiteFoldAdd,     // integers wrap around
    kLiteFoldMultiply,
    kLiteFoldGreater, // a < b ? b : a, so that NaN changes nothing
    kLiteFoldLess,
    kLiteFoldMaximum, // a >= b ? a : b, so that NaN gives b
    kLiteFoldMinimum,
    kLiteFoldAnd, // 1 or 0
    kLiteFoldOr,
} LiteFoldFunction;

// a[i * a_step] = f(a[i * a_step], b[i * b_step]) for i from 0 to count - 1, in order. a_step 0 folds all
// into one number, b_step 0 folds in the same number each time. The arrays do not overlap.
typedef void (*LiteFold)(void* a, int64_t a_step, const void* b, int64_t b_step, int64_t count);

// NULL for types that have none.
LiteFold lite_fold(LiteFoldFunction function, TfLiteType type);

// The code of the operator that makes up a subgraph of the model, -1 when it has none; an error when it has
// more.
TfLiteStatus lite_fold_operator(TfLiteOpaqueContext* context, const char* op, int subgraph, int* code);

#endif
