// SPDX-License-Identifier: Apache-2.0
// Slices that coordinates name. Prelude: I_TYPE and I_LOAD of the indices.
#include "kernels-cl/args/coordinates.h"
#include "kernels-cl/common/indices.cl"

// The number of the slice at coordinates `row` of the indices, -1 when one of them is outside.
inline int slice_number(const LiteClCoordinatesArgs* a, const __global I_TYPE* restrict indices, int row) {
    int number = 0;
    for (int d = 0; d < a->depth; d++) {
        const long index = I_LOAD(indices, row * a->depth + d);
        if (is_outside(index, a->dims[d])) return -1;
        number = number * a->dims[d] + (int)index;
    }
    return number;
}
