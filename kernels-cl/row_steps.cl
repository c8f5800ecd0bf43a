// SPDX-License-Identifier: Apache-2.0
// Nodes that follow each other, element by element, or that make one number of a row: layer norms, softmax
// and the like as converters spell them out. One item: some rows; with GROUP, as many items: one row.
//
// The prelude defines the number of INPUTS and, as declarations of floats,
//   ROW    what a row has one of, in order: inputs, results of formulas, and rows that are joined
//   WIDE   what each element has, of in0 …, base + e and e
//   RESULT one of these; NARROW where it is one of a row's
// OPTION(i) is an option; SUM_ROW, MOST_OF_ROW and LEAST_OF_ROW declare a float.
#include "kernels-cl/args/row_steps.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/subgroups.cl"

#define OPTION(i) a.options[i]

#ifdef GROUP
#define JOIN_ROW(name, wide, value, start, join, across)                                                     \
    float name = start;                                                                                      \
    for (int e = get_local_id(0); e < width; e += GROUP) {                                                   \
        wide;                                                                                                \
        name = join(name, (value));                                                                          \
    }                                                                                                        \
    name = across(name, each);
#define FIRST_ELEMENT (int)get_local_id(0)
#else
#define GROUP 1
#define ADDED(x, y) ((x) + (y))
#define FIRST_ELEMENT 0

// Joins `value` of all elements, LANES at a time, of which compilers make vectors. `wide` declares what it is
// made of.
#define LANES 16
#define JOIN_ROW(name, wide, value, start, join, across)                                                     \
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
#endif
#define GREATER(x, y) ((y) > (x) ? (y) : (x))
#define LESS(x, y) ((y) < (x) ? (y) : (x))
#define SUM_ROW(name, wide, value) JOIN_ROW(name, wide, value, 0.0f, ADDED, sum_across)
#define MOST_OF_ROW(name, wide, value) JOIN_ROW(name, wide, value, -FLT_MAX, GREATER, most_across)
#define LEAST_OF_ROW(name, wide, value) JOIN_ROW(name, wide, value, FLT_MAX, LESS, least_across)

#if GROUP > 1
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
#endif
KERNEL
row_steps(ITEM const LiteClRowStepsArgs a, const __global float* restrict in0,
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
#if GROUP > 1
    __local float each[GROUP];
    const int first = get_global_id(1), end = first + 1;
#else
    const int first = (int)get_global_id(0) * a.rows_each, end = min(first + a.rows_each, a.rows);
#endif
    for (int row = first; row < end; row++) {
        const int base = row * a.width, width = min(a.width, a.elements - base);
        ROW;
#ifdef NARROW
        if (FIRST_ELEMENT == 0) out[row] = RESULT;
#else
        for (int e = FIRST_ELEMENT; e < width; e += GROUP) {
            WIDE;
            out[base + e] = RESULT;
        }
#endif
    }
}
