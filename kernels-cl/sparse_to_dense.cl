// SPDX-License-Identifier: Apache-2.0
// SPARSE_TO_DENSE. Indices outside set the status and move nothing. Prelude: TYPE, an integer of the
// element's size; I_TYPE and I_LOAD of the indices.
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/coordinates.cl"

// Updates at coordinates, one row after the other, as the last one counts. Dimension 0: chunks.
KERNEL sparse_to_dense(ITEM const LiteClCoordinatesArgs args, const __global TYPE* restrict x,
                       const __global I_TYPE* restrict indices, __global TYPE* restrict y,
                       __global int* restrict status) {
    const LiteClCoordinatesArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.inner);
    for (int row = 0; row < a.rows && begin < end; row++) {
        const int number = slice_number(&a, indices, row);
        if (number < 0) {
            atomic_max(status, a.node);
            continue;
        }
        for (int i = begin; i < end; i++) y[number * a.inner + i] = x[row * a.row_step + i];
    }
}
