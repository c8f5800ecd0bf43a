// SPDX-License-Identifier: Apache-2.0
// The arguments of formula.cl.
#ifndef KERNELS_CL_ARGS_FORMULA_H_
#define KERNELS_CL_ARGS_FORMULA_H_

// A formula of a program's own.
typedef struct LiteClFormulaArgs {
    int count, chunk;
    int steps[4]; // from one element of an input to the next: 1, or 0
    float options[16];
} LiteClFormulaArgs;

#endif
