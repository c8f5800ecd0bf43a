// SPDX-License-Identifier: Apache-2.0
// GATHER and GATHER_ND. Indices outside set the status and move nothing. Prelude: TYPE, an integer of the
// element's size; I_TYPE and I_LOAD of the indices.
#include "kernels-cl/args/gather.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/coordinates.cl"

// Slices of one axis by number. Dimension 0: chunks of a slice; dimension 1: slices, some to an item.
KERNEL gather(ITEM const LiteClGatherArgs a, const __global TYPE* restrict x,
              const __global I_TYPE* restrict indices, __global TYPE* restrict y,
              __global int* restrict status) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    const int first = (int)get_global_id(1) * a.item_slices, last = min(first + a.item_slices, a.slices);
    for (int slice = first; slice < last; slice++) {
        const int row = slice / a.per_batch;
        const long index = I_LOAD(indices, row / a.outer * a.per_batch + slice % a.per_batch);
        if (is_outside(index, a.entries)) {
            atomic_max(status, a.node);
            continue;
        }
        const int from = (row * a.entries + (int)index) * a.inner, to = slice * a.inner;
        for (int i = begin; i < end; i++) y[to + i] = x[from + i];
    }
}

// Slices by coordinates. Dimensions as in gather.
KERNEL gather_nd(ITEM const LiteClCoordinatesArgs args, const __global TYPE* restrict x,
                 const __global I_TYPE* restrict indices, __global TYPE* restrict y,
                 __global int* restrict status) {
    const LiteClCoordinatesArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    const int row = get_global_id(1);
    if (row >= a.rows) return;
    const int number = slice_number(&a, indices, row);
    if (number < 0) {
        atomic_max(status, a.node);
        return;
    }
    for (int i = begin; i < end; i++) y[row * a.inner + i] = x[number * a.inner + i];
}
