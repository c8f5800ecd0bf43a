// SPDX-License-Identifier: Apache-2.0
// Row functions of the binary operators; binary.c chooses among them.
#ifndef KERNELS_CPU_LOOPS_BINARY_LOOPS_H_
#define KERNELS_CPU_LOOPS_BINARY_LOOPS_H_

#include "core/semantics/elementwise.h"
#include "kernels-cpu/support/elementwise.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/types.h"

// Parameters of lite_binary_loop's functions: the result is clamped to a range of values of its type.
typedef struct LiteBinaryRange {
    LiteScalar low;
    LiteScalar high;
} LiteBinaryRange;

// The function for elements of `type` without quantization; NULL when there is none.
LiteRowFunction lite_binary_loop(LiteBinary op, TfLiteType type);

// POW of INT32, by products that wrap.
LiteRowFunction lite_binary_wrapped_power_loop(void);

#endif
