// SPDX-License-Identifier: Apache-2.0
// Functions of FLOAT32 that are written over what a product or a convolution has just stored, with the bits
// of the row functions of unary_loops.h and binary_loops.h.
#ifndef KERNELS_CPU_LOOPS_OVER_LOOPS_H_
#define KERNELS_CPU_LOOPS_OVER_LOOPS_H_

#include "core/semantics/elementwise.h"
#include "kernels-cpu/support/elementwise.h"

// The operator's function, for the parameters of its row function; NULL: there is none.
LiteBlockFunction lite_unary_over_loop(LiteUnary op);
LiteBlockFunction lite_binary_over_loop(LiteBinary op); // of operands in either order

// The function times its operand; NULL: there is none.
LiteBlockFunction lite_unary_times_over_loop(LiteUnary op);

#endif
