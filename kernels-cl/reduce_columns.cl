// SPDX-License-Identifier: Apache-2.0
// The reduction of reduce.cl of columns, on devices with fast local memory: LANES vectors of columns, which
// are neighbours, are shared by the ITEMS of a work-group, in which several items take turns at the elements
// of each.
//
// Prelude: that of reduce.cl, LANES and ITEMS.
#include "kernels-cl/args/reduce.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/fixedpoint.cl"
#include "kernels-cl/common/reductions.cl"

#define PARTS (ITEMS / LANES)
__attribute__((reqd_work_group_size(ITEMS, 1, 1))) __kernel void
reduce_columns(const LiteClReduceArgs args, const __global TYPE* restrict x, __global TYPE* restrict y) {
    __local accumulator each[ITEMS];
    const LiteClReduceArgs a = args;
    const int row = get_global_id(1), item = get_local_id(0), part = item / LANES;
    const int begin = ((int)get_group_id(0) * LANES + item % LANES) * VW;
    const int c = min(begin, a.inner - VW), base = begin_of(&a, row) + c;
    accumulator acc = START;
#pragma unroll 4 // as many elements are on their way at a time
    for (int r = begin < a.inner ? part : a.reduced; r < a.reduced; r += PARTS) {
        const accumulator v = READ(base + place_of(&a, r));
        acc = JOIN(acc, v);
    }
    each[item] = acc;
    for (int step = PARTS / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (part < step) {
            const accumulator v = each[item + step * LANES];
            acc = JOIN(acc, v);
            each[item] = acc;
        }
    }
    if (part == 0 && begin < a.inner) WRITE(row * a.inner + c, FINISH(acc));
}
