// SPDX-License-Identifier: Apache-2.0
// TOPK_V2. Prelude: TYPE … of the elements, I_TYPE … of the indices.
#include "kernels-cl/args/rows.h"
#include "kernels-cl/common/common.cl"

#if REAL
#define ABOVE(v, w) above(v, w)
#else
#define ABOVE(v, w) ((v) > (w))
#endif

// The k largest of a row, in descending order; the first one among equals, NaN behind all numbers. Each is
// the best of those that come after the one before.
KERNEL topk(ITEM const LiteClAxisArgs a, const __global TYPE* restrict x, __global TYPE* restrict values,
            __global I_TYPE* restrict indices) {
    const int row = get_global_id(0);
    if (row >= a.outer) return;
    x += row * a.length;
    int last = -1;
    for (int n = 0; n < a.k; n++) {
        int best = -1;
        for (int i = 0; i < a.length; i++) {
            const VALUE v = LOAD(x, i);
            const bool after =
                last < 0 || (i != last && !ABOVE(v, LOAD(x, last)) && (ABOVE(LOAD(x, last), v) || i > last));
            if (after && (best < 0 || ABOVE(v, LOAD(x, best)))) best = i;
        }
        last = max(best, 0);
        STORE(values, row * a.k + n, LOAD(x, last));
        I_STORE(indices, row * a.k + n, last);
    }
}
