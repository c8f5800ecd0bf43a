// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER. Prelude: TYPE, an integer of the element's size; I_TYPE and I_LOAD of the indices.
#include "kernels-cl/args/stablehlo_gather.h"
#include "kernels-cl/common/common.cl"

// Item: a chunk of the output.
KERNEL stablehlo_gather(ITEM const LiteClWindowsArgs args, const __global TYPE* restrict x,
                        const __global I_TYPE* restrict indices, __global TYPE* restrict y) {
    const LiteClWindowsArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        int at = 0, from = 0;
        for (int d = a.rank - 1, rest = i; d >= 0; rest /= a.dims[d--]) {
            at += rest % a.dims[d] * a.in_indices[d];
            from += rest % a.dims[d] * a.in_input[d];
        }
        for (int n = 0; n < a.length; n++) {
            const long start = I_LOAD(indices, at + n * a.step);
            from += (int)clamp(start, 0L, (long)a.most[n]) * a.strides[n];
        }
        y[i] = x[from];
    }
}
