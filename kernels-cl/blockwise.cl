// SPDX-License-Identifier: Apache-2.0
// Rows of bytes that were floats times weights of 4 bits, of which each block has a scale: what
// kernels-cpu/gemm/blockwise.c computes, with its bits. A row is an image of height 1 whose pixels are the
// blocks, and the window covers it.
//
// Weights are [block][8 of its elements][unit], the lowest bits first; scales [block][unit]; `sums` are those
// of a unit's weights. Item: a unit of a row.
#include "kernels-cl/args/conv.h"
#include "kernels-cl/args/hybrid.h"
#include "kernels-cl/common/common.cl"

#pragma OPENCL FP_CONTRACT OFF

inline int dot_word(const __global char* x, uint word, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * ((int)(word << (28 - 4 * i)) >> 28);
    return sum;
}

KERNEL blockwise(ITEM const LiteClConvArgs a, const __global char* restrict x,
                 const __global LiteClRowScale* restrict rows, const __global uint* restrict weights,
                 const __global float* restrict scales, const __global float* restrict sums,
                 const __global float* restrict bias, __global float* restrict y) {
    const int unit = get_global_id(0), row = get_global_id(1);
    if (unit >= a.out_c || row >= a.pixels) return;
    x += (size_t)row * a.kernel_w * a.group_in;
    weights += unit;
    scales += unit;
    float total = 0.0f;
    for (int block = 0; block < a.kernel_w; block++) {
        int sum = 0, k = 0;
        for (; k + 8 <= a.group_in; k += 8, weights += a.out_c) sum += dot_word(x + k, *weights, 8);
        if (k < a.group_in) {
            sum += dot_word(x + k, *weights, a.group_in - k);
            weights += a.out_c;
        }
        total += (float)sum * scales[block * a.out_c];
        x += a.group_in;
    }
    total -= (float)rows[row].zero_point * sums[unit];
    total *= rows[row].scale;
    total += bias[unit];
    y[(size_t)row * a.out_c + unit] = CLAMP(total, a.low, a.high);
}
