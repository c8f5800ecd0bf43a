// SPDX-License-Identifier: Apache-2.0
// The inner loop of an elementwise operator.
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

#endif
