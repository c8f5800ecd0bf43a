// SPDX-License-Identifier: Apache-2.0
// A function of quantized elements as the table of all its results, indexed by the element's bits.
//
// Prelude: TYPE; INDEX: unsigned, of its size; CHECKED: no element may be below `lowest`.
#include "kernels-cl/args/table.h"
#include "kernels-cl/common/common.cl"

KERNEL look_up(ITEM const LiteClTableArgs a, const __global TYPE* restrict in,
               const __global TYPE* restrict table, __global TYPE* restrict out
#ifdef CHECKED
               ,
               __global int* restrict status
#endif
) {
    const int begin = (int)get_global_id(0) * a.chunk;
    if (begin >= a.count) return;
    const int end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const TYPE x = in[i];
#ifdef CHECKED
        if (x < a.lowest) {
            atomic_max(status, a.node);
            continue;
        }
#endif
        out[i] = table[(INDEX)x];
    }
}
