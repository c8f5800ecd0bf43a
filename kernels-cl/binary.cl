// SPDX-License-Identifier: Apache-2.0
// One formula over two tensors with broadcasting. RESULT(a, b) comes from core/elementwise.def through the
// prelude. Dimension 0: chunks of a row; dimension 1: rows.
#define ROW(LEFT, RIGHT)                                                                                     \
    for (int i = begin; i < end; i++) {                                                                      \
        const float value = RESULT((LEFT), (RIGHT));                                                         \
        out[i] = CLAMP(value, low, high);                                                                    \
    }

__kernel void binary(const LiteClBinaryArgs p, const __global float* restrict left,
                     const __global float* restrict right, __global float* restrict out) {
    const int row = get_global_id(1), begin = (int)get_global_id(0) * p.chunk;
    if (row >= p.rows || begin >= p.width) return;
    const int end = min(begin + p.chunk, p.width);
    const float low = p.low, high = p.high;
    for (int d = p.rank - 1, rest = row; d >= 0; d--) {
        const int index = rest % p.dims[d];
        rest /= p.dims[d];
        left += index * p.a_strides[d];
        right += index * p.b_strides[d];
    }
    out += row * p.width;
    if (p.a_step != 0 && p.b_step != 0) {
        ROW(left[i], right[i])
    } else if (p.a_step != 0) {
        const float b = right[0];
        ROW(left[i], b)
    } else if (p.b_step != 0) {
        const float a = left[0];
        ROW(a, right[i])
    } else {
        const float a = left[0], b = right[0];
        ROW(a, b)
    }
}
