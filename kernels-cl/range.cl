// SPDX-License-Identifier: Apache-2.0
// RANGE. Prelude: TYPE …, SUM(a, b).
#include "kernels-cl/args/range.h"
#include "kernels-cl/common/common.cl"

// One item: each element is the sum of the one before and the step, rounded as that is.
KERNEL range(ITEM const LiteClRangeArgs a, const __global TYPE* restrict start,
             const __global TYPE* restrict limit, const __global TYPE* restrict step,
             __global TYPE* restrict y) {
    if (get_global_id(0) > 0) return;
    VALUE value = LOAD(start, 0);
    for (int i = 0; i < a.count; i++) {
        STORE(y, i, value);
        value = SUM(value, LOAD(step, 0));
    }
}
