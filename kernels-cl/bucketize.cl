// SPDX-License-Identifier: Apache-2.0
// BUCKETIZE. Prelude: TYPE ….
#include "kernels-cl/args/bucketize.h"
#include "kernels-cl/common/common.cl"

// How many of the ascending boundaries are not above each value; NaN is above all. Item: a chunk.
KERNEL bucketize(ITEM const LiteClBucketizeArgs a, const __global TYPE* restrict x,
                 const __global float* restrict boundaries, __global int* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const float value = (float)LOAD(x, i);
        int first = 0;
        for (int count = a.boundaries; count > 0;) {
            const int half_count = count / 2;
            const bool above = value < boundaries[first + half_count];
            first = above ? first : first + half_count + 1;
            count = above ? half_count : count - half_count - 1;
        }
        y[i] = first;
    }
}
