// SPDX-License-Identifier: Apache-2.0
// Row functions of the COMPARE lines of core/elementwise.def, whose results are bytes; compare.c has their
// operators, and what compares quantized values and strings.
#ifndef KERNELS_CPU_LOOPS_COMPARE_LOOPS_H_
#define KERNELS_CPU_LOOPS_COMPARE_LOOPS_H_

#include "core/semantics/elementwise.h"
#include "kernels-cpu/support/elementwise.h"

typedef enum LiteCompare {
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) kLiteCompare##NAME,
#include "core/elementwise.def"
    kLiteCompareCount,
} LiteCompare;

// Of elements as they are; NULL when there is none for the type.
LiteRowFunction lite_compare_loop(LiteCompare op, TfLiteType type);

#endif
