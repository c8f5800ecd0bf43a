// SPDX-License-Identifier: Apache-2.0
// Elementwise operators of a program's own, and what is joined with them. The prelude defines the element
// type, the number of INPUTS, STEPS, declarations of floats made of x0 … and OPTION(i), and RESULT, one of
// these.
#include "kernels-cl/args/formula.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"

#define OPTION(i) a.options[i]

KERNEL compute_formula(ITEM const LiteClFormulaArgs a, const __global TYPE* restrict in0,
#if INPUTS > 1
                       const __global TYPE* restrict in1,
#endif
#if INPUTS > 2
                       const __global TYPE* restrict in2,
#endif
#if INPUTS > 3
                       const __global TYPE* restrict in3,
#endif
                       __global TYPE* restrict out) {
    const int begin = (int)get_global_id(0) * a.chunk;
    if (begin >= a.count) return;
    const int end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const float x0 = LOAD(in0, i * a.steps[0]);
#if INPUTS > 1
        const float x1 = LOAD(in1, i * a.steps[1]);
#endif
#if INPUTS > 2
        const float x2 = LOAD(in2, i * a.steps[2]);
#endif
#if INPUTS > 3
        const float x3 = LOAD(in3, i * a.steps[3]);
#endif
        STEPS
        STORE(out, i, RESULT);
    }
}
