// SPDX-License-Identifier: Apache-2.0
// ONE_HOT. Prelude: TYPE, an integer of the element's size; I_TYPE and I_LOAD of the indices.
#include "kernels-cl/args/one_hot.h"
#include "kernels-cl/common/common.cl"

// `on` where the index along `depth` is the one named, else `off`. Item: a chunk of the output.
KERNEL one_hot(ITEM const LiteClOneHotArgs a, const __global I_TYPE* restrict indices,
               const __global TYPE* restrict on, const __global TYPE* restrict off,
               __global TYPE* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const int inner = i % a.inner, position = i / a.inner % a.depth, outer = i / a.inner / a.depth;
        y[i] = I_LOAD(indices, outer * a.inner + inner) == position ? on[0] : off[0];
    }
}
