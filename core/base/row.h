// SPDX-License-Identifier: Apache-2.0
// The inner loops of an elementwise operator.
#ifndef CORE_BASE_ROW_H_
#define CORE_BASE_ROW_H_

#include <stdint.h>

enum { LITE_MAX_OPERANDS = 3 };

// Elements of one row: out[0 .. count), in[k][0 .. count) where step[k] is 1, in[k][0] for all where it is 0.
// `out` is no input.
typedef struct LiteRow {
    void* out;
    const void* in[LITE_MAX_OPERANDS];
    int step[LITE_MAX_OPERANDS];
    int64_t count;
    const void* params; // the operator's own
} LiteRow;

typedef void (*LiteRowFunction)(const LiteRow* row);

// Rows of FLOAT32 that a function is written over: out[r * step + c] becomes that of itself, for r < rows and
// c < columns, and of other[r * step + c] where it takes two.
typedef struct LiteBlock {
    float* out;
    const float* other;
    int64_t step;
    int64_t rows;
    int64_t columns;
    const void* params; // the operator's own
} LiteBlock;

typedef void (*LiteBlockFunction)(const LiteBlock* block);

#endif
