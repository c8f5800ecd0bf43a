// SPDX-License-Identifier: Apache-2.0
// Small vectors. Prelude: TYPE …; each kernel is there for the operator that FOR_… names.

#ifdef FOR_RANGE
// One item: each element is the sum of the one before and the step, rounded as that is.
__kernel void range(const LiteClVectorArgs a, const __global TYPE* restrict start,
                    const __global TYPE* restrict limit, const __global TYPE* restrict step,
                    __global TYPE* restrict y) {
    if (get_global_id(0) > 0) return;
    VALUE value = LOAD(start, 0);
    for (int i = 0; i < a.count; i++) {
        STORE(y, i, value);
        value = SUM(value, LOAD(step, 0));
    }
}
#endif

#ifdef FOR_BROADCAST_ARGS
// The shape that two shapes broadcast to. Item: a dimension.
__kernel void broadcast_args(const LiteClVectorArgs a, const __global TYPE* restrict left,
                             const __global TYPE* restrict right, __global TYPE* restrict y,
                             __global int* restrict status) {
    const int i = get_global_id(0);
    if (i >= a.count) return;
    const int in_a = i - (a.count - a.a_count), in_b = i - (a.count - a.b_count);
    const VALUE v = in_a < 0 ? 1 : LOAD(left, in_a), w = in_b < 0 ? 1 : LOAD(right, in_b);
    if (v != w && v != 1 && w != 1) atomic_max(status, a.node);
    STORE(y, i, v == 1 ? w : v);
}
#endif

#ifdef FOR_BUCKETIZE
// How many of the ascending boundaries are not above each value; NaN is above all. Item: a chunk.
__kernel void bucketize(const LiteClBucketizeArgs a, const __global TYPE* restrict x,
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
#endif

#ifdef FOR_COMPLEX
// Absolute values. Item: a chunk.
__kernel void complex_abs(const LiteClElementwiseArgs a, const __global float* restrict x,
                          __global float* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) y[i] = hypot(x[2 * i], x[2 * i + 1]);
}
#endif
