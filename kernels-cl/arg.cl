// SPDX-License-Identifier: Apache-2.0
// ARG_MAX and ARG_MIN. Prelude: TYPE … of the elements, OUT_TYPE … of the indices, BETTER(a, b).
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/rows.cl"

// The first of the best elements; any number is better than NaN.
KERNEL arg(ITEM const LiteClAxisArgs a, const __global TYPE* restrict x, __global OUT_TYPE* restrict y) {
    ROW_BEGIN
    int best = 0;
    VALUE top = LOAD(x, AT(0));
    for (int k = 1; k < a.length; k++) {
        const VALUE v = LOAD(x, AT(k));
        if (BETTER(v, top)) {
            top = v;
            best = k;
        }
    }
    y[row] = best;
}
