// SPDX-License-Identifier: Apache-2.0
// Functions of two numbers over strided arrays. StableHLO operators name them as subgraphs.
#ifndef KERNELS_CPU_SUPPORT_REDUCER_H_
#define KERNELS_CPU_SUPPORT_REDUCER_H_

#include "kernels-cpu/support/kernel.h"

typedef enum LiteReducerFunction {
    kLiteReducerReplace, // b
    kLiteReducerAdd,     // integers wrap around
    kLiteReducerMultiply,
    kLiteReducerGreater, // a < b ? b : a, so that NaN changes nothing
    kLiteReducerLess,
    kLiteReducerMaximum, // a >= b ? a : b, so that NaN gives b
    kLiteReducerMinimum,
    kLiteReducerAnd, // 1 or 0
    kLiteReducerOr,
} LiteReducerFunction;

// a[i * a_step] = f(a[i * a_step], b[i * b_step]) for i from 0 to count - 1, in order. a_step 0 reduces all
// to one number, b_step 0 combines with the same number each time. The arrays do not overlap.
typedef void (*LiteReducer)(void* a, int64_t a_step, const void* b, int64_t b_step, int64_t count);

// NULL for types that have none.
LiteReducer lite_reducer_find(LiteReducerFunction function, TfLiteType type);

// The code of the operator that makes up a subgraph of the model, -1 when it has none; an error when it has
// more.
TfLiteStatus lite_reducer_operator(TfLiteOpaqueContext* context, const char* op, int subgraph, int* code);

#endif
