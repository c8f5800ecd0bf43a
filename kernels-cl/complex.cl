// SPDX-License-Identifier: Apache-2.0
// COMPLEX_ABS.
#include "kernels-cl/args/complex.h"
#include "kernels-cl/common/common.cl"

// Absolute values. Item: a chunk.
KERNEL complex_abs(ITEM const LiteClComplexArgs a, const __global float* restrict x,
                   __global float* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) y[i] = hypot(x[2 * i], x[2 * i + 1]);
}
