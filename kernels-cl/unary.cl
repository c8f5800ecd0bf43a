// SPDX-License-Identifier: Apache-2.0
// One formula over all elements. RESULT(x, alpha) comes from core/elementwise.def through the prelude, as
// does the element type.
#include "kernels-cl/args/elementwise.h"
#include "kernels-cl/common/common.cl"

__kernel void unary(const LiteClElementwiseArgs a, const __global TYPE* restrict in,
                    __global TYPE* restrict out) {
    const int begin = (int)get_global_id(0) * a.chunk;
    if (begin >= a.count) return;
    const int end = min(begin + a.chunk, a.count);
    const float alpha = a.alpha;
    for (int i = begin; i < end; i++) {
        const VALUE x = LOAD(in, i);
        STORE(out, i, RESULT(x, alpha));
    }
}
