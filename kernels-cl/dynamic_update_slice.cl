// SPDX-License-Identifier: Apache-2.0
// DYNAMIC_UPDATE_SLICE. Prelude: TYPE, an integer of the element's size; I_TYPE and I_LOAD of the start.
#include "kernels-cl/args/dynamic_update_slice.h"
#include "kernels-cl/common/common.cl"

// An update at a place that is moved inside. Item: a chunk of the update.
KERNEL dynamic_update_slice(ITEM const LiteClUpdateSliceArgs args, const __global TYPE* restrict update,
                            const __global I_TYPE* restrict start, __global TYPE* restrict y) {
    const LiteClUpdateSliceArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    int offset = 0;
    for (int d = 0; d < a.rank; d++) {
        const long wanted = I_LOAD(start, d);
        offset += (int)clamp(wanted, 0L, (long)a.most[d]) * a.strides[d];
    }
    for (int i = begin; i < end; i++) {
        int to = offset;
        for (int d = a.rank - 1, rest = i; d >= 0; rest /= a.dims[d--]) to += rest % a.dims[d] * a.strides[d];
        y[to] = update[i];
    }
}
