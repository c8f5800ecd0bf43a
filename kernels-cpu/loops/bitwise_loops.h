// SPDX-License-Identifier: Apache-2.0
// Row functions of the BITWISE lines of core/elementwise.def; logical.c has their operators.
#ifndef KERNELS_CPU_LOOPS_BITWISE_LOOPS_H_
#define KERNELS_CPU_LOOPS_BITWISE_LOOPS_H_

#include "core/semantics/elementwise.h"
#include "kernels-cpu/support/elementwise.h"

typedef enum LiteBitwise {
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) kLiteBitwise##NAME,
#include "core/elementwise.def"
    kLiteBitwiseCount,
} LiteBitwise;

// NULL when there is none for the type.
LiteRowFunction lite_bitwise_loop(LiteBitwise op, TfLiteType type);

#endif
