// SPDX-License-Identifier: Apache-2.0
// Sum over any dimensions, divided by `divisor`. Dimension 1: rows of the output; in a row, the vectors that
// the item's place in dimension 0 gives it (on a CPU: all of them).
//
// Prelude: VW (1, or at most `inner`).
__kernel void reduce_sum(const LiteClReduceArgs a, const __global float* restrict x,
                         __global float* restrict y) {
    const int row = get_global_id(1);
    if (row >= a.rows) return;
    for (int d = a.outer_rank - 1, rest = row; d >= 0; d--) {
        x += rest % a.outer_dims[d] * a.outer_strides[d];
        rest /= a.outer_dims[d];
    }
    y += row * a.inner;
    for (int begin = (int)get_global_id(0) * VW; begin < a.inner; begin += (int)get_global_size(0) * VW) {
        const int c = min(begin, a.inner - VW);
        vector sum = 0.0f;
        for (int r = 0; r < a.reduced; r++) {
            int offset = c;
            for (int d = a.reduced_rank - 1, rest = r; d >= 0; d--) {
                offset += rest % a.reduced_dims[d] * a.reduced_strides[d];
                rest /= a.reduced_dims[d];
            }
            sum += VLOAD(x + offset);
        }
        VSTORE(sum / a.divisor, y + c);
    }
}
