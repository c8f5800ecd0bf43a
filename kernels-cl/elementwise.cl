// SPDX-License-Identifier: Apache-2.0
// One formula over all elements. RESULT(x, alpha) comes from core/elementwise.def through the prelude.
__kernel void elementwise(const LiteClElementwiseArgs a, const __global float* restrict in,
                          __global float* restrict out) {
    const int begin = (int)get_global_id(0) * a.chunk;
    if (begin >= a.count) return;
    const int end = min(begin + a.chunk, a.count);
    const float alpha = a.alpha;
    for (int i = begin; i < end; i++) {
        const float x = in[i];
        out[i] = RESULT(x, alpha);
    }
}
