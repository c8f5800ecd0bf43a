// SPDX-License-Identifier: Apache-2.0
// SCATTER_ND, SEGMENT_SUM and UNSORTED_SEGMENT_…: rows combined with what is at their places, in order.
// Indices outside set the status. Prelude: TYPE … of the elements, I_TYPE … of the indices, JOIN(a, b).
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/coordinates.cl"

// Dimension 0: chunks. Places under 0 of a single coordinate are left out where `skips` is set.
KERNEL combine_rows(ITEM const LiteClCoordinatesArgs args, const __global TYPE* restrict x,
                    const __global I_TYPE* restrict indices, __global TYPE* restrict y,
                    __global int* restrict status) {
    const LiteClCoordinatesArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    for (int row = 0; row < a.rows && begin < end; row++) {
        if (a.skips != 0 && I_LOAD(indices, row) < 0) continue;
        const int number = slice_number(&a, indices, row);
        if (number < 0) {
            atomic_max(status, a.node);
            continue;
        }
        for (int i = begin; i < end; i++) {
            const VALUE held = LOAD(y, number * a.inner + i), added = LOAD(x, row * a.inner + i);
            STORE(y, number * a.inner + i, JOIN(held, added));
        }
    }
}
