// SPDX-License-Identifier: Apache-2.0
// A function of 8-bit elements as the table of its 256 results, indexed by the element's byte.
__kernel void table8(const LiteClElementwiseArgs a, const __global uchar* restrict in,
                     const __global uchar* restrict table, __global uchar* restrict out) {
    const int begin = (int)get_global_id(0) * a.chunk;
    if (begin >= a.count) return;
    const int end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) out[i] = table[in[i]];
}
