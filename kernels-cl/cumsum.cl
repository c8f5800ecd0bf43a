// SPDX-License-Identifier: Apache-2.0
// CUMSUM. Prelude: TYPE …, SUM(a, b).
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/rows.cl"

KERNEL cumsum(ITEM const LiteClAxisArgs a, const __global TYPE* restrict x, __global TYPE* restrict y) {
    ROW_BEGIN
    VALUE sum = 0;
    for (int n = 0; n < a.length; n++) {
        const int at = AT(a.reverse != 0 ? a.length - 1 - n : n);
        const VALUE before = sum;
        sum = SUM(sum, LOAD(x, at));
        STORE(y, at, a.exclusive != 0 ? before : sum);
    }
}
