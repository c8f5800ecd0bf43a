// SPDX-License-Identifier: Apache-2.0
// Copies the rows of one input to their place in the rows of the output. Dimension 0: chunks of a row;
// dimension 1: rows.
__kernel void concatenation(const LiteClConcatenationArgs a, const __global float* restrict x,
                            __global float* restrict y) {
    const int row = get_global_id(1), begin = (int)get_global_id(0) * a.chunk;
    if (row >= a.rows || begin >= a.width) return;
    const int end = min(begin + a.chunk, a.width);
    x += row * a.width;
    y += row * a.out_width + a.offset;
    for (int i = begin; i < end; i++) y[i] = x[i];
}
