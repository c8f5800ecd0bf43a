// SPDX-License-Identifier: Apache-2.0
// Constant padding. One item: one row of the output.
__kernel void pad(const LiteClPadArgs a, const __global float* restrict x, __global float* restrict y) {
    const int row = get_global_id(0);
    if (row >= a.rows) return;
    y += row * a.out_width;
    bool inside = true;
    for (int d = a.rank - 1, rest = row, stride = a.in_width; d >= 0; d--) {
        const int index = rest % a.dims[d] - a.begin[d];
        rest /= a.dims[d];
        inside = inside && (uint)index < (uint)a.in_dims[d];
        x += inside ? index * stride : 0;
        stride *= a.in_dims[d];
    }
    const int before = inside ? a.before : a.out_width;
    const int copied = inside ? a.in_width : 0;
    for (int i = 0; i < before; i++) y[i] = a.value;
    for (int i = 0; i < copied; i++) y[before + i] = x[i];
    for (int i = before + copied; i < a.out_width; i++) y[i] = a.value;
}
