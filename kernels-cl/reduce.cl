// SPDX-License-Identifier: Apache-2.0
// One value for all elements along any dimensions. Dimension 1: rows of the output; in a row, the vectors
// that the item's place in dimension 0 gives it (on a CPU: all of them).
//
// Prelude: TYPE …; START, JOIN(acc, v); FINISH(acc, a); VW (1, or at most `inner`) for float and half,
// with VREAD and VWRITE, else none: then the accumulators are long, or with BYTE_VECTORS, of so few bytes
// that these do not overflow, vectors of int. ALONG: elements that are joined are neighbours, of which VW are
// joined with the next ones at a time; with LOAD and STORE. GROUP: so many items share a row, of floats that
// have no neighbours; ACROSS is the function that joins theirs. LANES: so many vectors are shared by the
// ITEMS of a work-group, in which several items take turns at the elements of each.
#include "kernels-cl/args/reduce.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/fixedpoint.cl"
#include "kernels-cl/common/reductions.cl"
#include "kernels-cl/common/subgroups.cl"

#ifdef GROUP
__attribute__((reqd_work_group_size(GROUP, 1, 1))) __kernel void
reduce(const LiteClReduceArgs args, const __global TYPE* restrict x, __global TYPE* restrict y) {
    __local float each[GROUP];
    const LiteClReduceArgs a = args;
    const int row = get_global_id(1);
    const int base = begin_of(&a, row);
    accumulator acc = START;
    if (a.reduced_rank == 1) {
        for (int r = (int)get_local_id(0); r < a.reduced; r += GROUP) {
            const accumulator v = READ(base + r * a.reduced_strides[0]);
            acc = JOIN(acc, v);
        }
    } else {
        for (int r = (int)get_local_id(0); r < a.reduced; r += GROUP) {
            const accumulator v = READ(base + place_of(&a, r));
            acc = JOIN(acc, v);
        }
    }
    acc = ACROSS(acc, each);
    if (get_local_id(0) == 0) WRITE(row, FINISH(acc));
}
#else
KERNEL reduce(ITEM const LiteClReduceArgs args, const __global TYPE* restrict x, __global TYPE* restrict y) {
    const LiteClReduceArgs a = args;
    const int row = get_global_id(1);
    if (row >= a.rows) return;
    const int base = begin_of(&a, row);
    const int last = a.reduced_rank - 1; // the dimensions before it take turns
    const int run = last < 0 ? a.reduced : a.reduced_dims[last],
              stride = last < 0 ? 0 : a.reduced_strides[last];
#ifdef ALONG
    accumulator acc = START;
    float rest = START;
    for (int r = 0; r < a.reduced; r += run) {
        const int from = base + place_of(&a, r);
        int k = 0;
        for (; k + VW <= run; k += VW) {
            const accumulator v = READ(from + k);
            acc = JOIN(acc, v);
        }
        for (; k < run; k++) {
            const float v = LOAD(x, from + k);
            rest = JOIN(rest, v);
        }
    }
    float each[VW];
    VSTORE(acc, each);
    for (int i = 0; i < VW; i++) rest = JOIN(rest, each[i]);
    STORE(y, row, FINISH(rest));
#else
    for (int begin = (int)get_global_id(0) * VW; begin < a.inner; begin += (int)get_global_size(0) * VW) {
        const int c = min(begin, a.inner - VW);
        accumulator acc = START;
        for (int r = 0; r < a.reduced; r += run) {
            const int from = base + c + place_of(&a, r);
            for (int k = 0; k < run; k++) {
                const accumulator v = READ(from + k * stride);
                acc = JOIN(acc, v);
            }
        }
        WRITE_ALL(row * a.inner + c, acc);
    }
#endif
}
#endif
