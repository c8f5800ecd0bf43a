// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays: the one kernel of most operators that only move elements. Dimension 0:
// chunks of a row; dimension 1: rows, some to an item.
//
// Prelude: TYPE, an integer of the element's size.
#include "kernels-cl/args/move.h"
#include "kernels-cl/common/common.cl"

KERNEL move(ITEM const LiteClMoveArgs args, const __global TYPE* restrict x, __global TYPE* restrict y) {
    const LiteClMoveArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, first = (int)get_global_id(1) * a.item_rows;
    const int end = min(begin + a.chunk, a.width), last = min(first + a.item_rows, a.rows);
    for (int row = first; row < last; row++) {
        int from = a.from_offset, to = a.to_offset;
        for (int d = a.rank - 1, rest = row; d >= 0; d--) {
            const int index = rest % a.dims[d];
            rest /= a.dims[d];
            from += index * a.from[d];
            to += index * a.to[d];
        }
        if (a.from_step == 1 && a.to_step == 1) {
            for (int i = begin; i < end; i++) y[to + i] = x[from + i];
        } else {
            for (int i = begin; i < end; i++) y[to + i * a.to_step] = x[from + i * a.from_step];
        }
    }
}
