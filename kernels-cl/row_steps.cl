// SPDX-License-Identifier: Apache-2.0
// Nodes that follow each other, element by element, or that make one number of a row: layer norms, softmax
// and the like as converters spell them out. For CPUs. One item: some rows.
//
// The prelude defines the number of INPUTS and, as declarations of floats,
//   ROW    what a row has one of, in order: inputs, results of formulas, and rows that are joined
//   WIDE   what each element has, of in0 …, base + e and e
//   RESULT one of these; NARROW where it is one of a row's
// OPTION(i) is an option; SUM_ROW, MOST_OF_ROW and LEAST_OF_ROW declare a float.
#include "kernels-cl/args/row_steps.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"

#define OPTION(i) a.options[i]

// Joins `value` of all elements, LANES at a time, of which compilers make vectors. `wide` declares what it is
// made of.
#define LANES 16
#define JOIN_ROW(name, wide, value, start, join)                                                             \
    float name = start;                                                                                      \
    {                                                                                                        \
        float lanes[LANES];                                                                                  \
        for (int k = 0; k < LANES; k++) lanes[k] = start;                                                    \
        int from = 0;                                                                                        \
        for (; from + LANES <= width; from += LANES) {                                                       \
            for (int k = 0; k < LANES; k++) {                                                                \
                const int e = from + k;                                                                      \
                wide;                                                                                        \
                lanes[k] = join(lanes[k], (value));                                                          \
            }                                                                                                \
        }                                                                                                    \
        for (int e = from; e < width; e++) {                                                                 \
            wide;                                                                                            \
            name = join(name, (value));                                                                      \
        }                                                                                                    \
        for (int k = 0; k < LANES; k++) name = join(name, lanes[k]);                                         \
    }
#define ADDED(x, y) ((x) + (y))
#define GREATER(x, y) ((y) > (x) ? (y) : (x))
#define LESS(x, y) ((y) < (x) ? (y) : (x))
#define SUM_ROW(name, wide, value) JOIN_ROW(name, wide, value, 0.0f, ADDED)
#define MOST_OF_ROW(name, wide, value) JOIN_ROW(name, wide, value, -FLT_MAX, GREATER)
#define LEAST_OF_ROW(name, wide, value) JOIN_ROW(name, wide, value, FLT_MAX, LESS)

__kernel void row_steps(const LiteClRowStepsArgs a, const __global float* restrict in0,
#if INPUTS > 1
                        const __global float* restrict in1,
#endif
#if INPUTS > 2
                        const __global float* restrict in2,
#endif
#if INPUTS > 3
                        const __global float* restrict in3,
#endif
                        __global float* restrict out) {
    const int first = (int)get_global_id(0) * a.rows_each, end = min(first + a.rows_each, a.rows);
    for (int row = first; row < end; row++) {
        const int base = row * a.width, width = min(a.width, a.elements - base);
        ROW;
#ifdef NARROW
        out[row] = RESULT;
#else
        for (int e = 0; e < width; e++) {
            WIDE;
            out[base + e] = RESULT;
        }
#endif
    }
}
