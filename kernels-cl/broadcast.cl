// SPDX-License-Identifier: Apache-2.0
// BROADCAST_ARGS. Prelude: TYPE ….
#include "kernels-cl/args/broadcast.h"
#include "kernels-cl/common/common.cl"

// The shape that two shapes broadcast to. Item: a dimension.
KERNEL broadcast_args(ITEM const LiteClBroadcastArgs a, const __global TYPE* restrict left,
                      const __global TYPE* restrict right, __global TYPE* restrict y,
                      __global int* restrict status) {
    const int i = get_global_id(0);
    if (i >= a.count) return;
    const int in_a = i - (a.count - a.a_count), in_b = i - (a.count - a.b_count);
    const VALUE v = in_a < 0 ? 1 : LOAD(left, in_a), w = in_b < 0 ? 1 : LOAD(right, in_b);
    if (v != w && v != 1 && w != 1) atomic_max(status, a.node);
    STORE(y, i, v == 1 ? w : v);
}
