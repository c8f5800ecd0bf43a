// SPDX-License-Identifier: Apache-2.0
// Two products, one behind the other, of rows that are perhaps the means of an image: the gates of
// squeeze-and-excite blocks. For CPUs, and matrices that are small. One item: a row; what is between stays in
// local memory, and so in the cache of one core.
//
// Prelude: VW, NV: vectors of a panel at most; INNER_STEPS, INNER_RESULT, LAST_STEPS and LAST_RESULT: what
// nodes behind either product make of an element v, declarations of floats and one of these, or v.
#include "kernels-cl/args/two_products.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/functions.cl"

#define OPTION(i) a.options[i]

// The means of the channels, in the order in which reduce.cl sums up.
inline void find_means(const __global float* x, int pixels, int channels, __local float* means) {
    // The last vector ends with the channels.
    for (int begin = 0; begin < channels && channels >= VW; begin += VW) {
        const int c = min(begin, channels - VW);
        vector sum = VLOAD(x + c);
        for (int p = 1; p < pixels; p++) sum += VLOAD(x + p * channels + c);
        VSTORE(sum / (float)pixels, means + c);
    }
    for (int c = 0; c < channels && channels < VW; c++) {
        float sum = x[c];
        for (int p = 1; p < pixels; p++) sum += x[p * channels + c];
        means[c] = sum / (float)pixels;
    }
}

// Adds the products of an element and its weights, of so many vectors.
INLINE void add_element(vector acc[NV], float v, int vectors, const __global float* w) {
#pragma unroll
    for (int j = 0; j < NV; j++) {
        if (j >= vectors) continue;
        PREFETCH(w + AHEAD * vectors * VW + j * VW);
        acc[j] += v * VLOAD(w + j * VW);
    }
}

// Results are whole panels, of so many vectors, of which those past the end are 0.
inline void multiply_row(const __local float* row, int depth, int columns, int vectors,
                         const __global float* weights, const __global float* bias, float low, float high,
                         __local float* results) {
    const int panel = vectors * VW, part = depth / PARTS_OF_DEPTH;
    for (int n = 0; n < columns; n += panel, weights += depth * panel) {
        vector acc[NV], sums[PARTS_OF_DEPTH - 1][NV] = {{0}};
#pragma unroll
        for (int j = 0; j < NV; j++) acc[j] = VLOAD(bias + n + min(j, vectors - 1) * VW);
        for (int k = 0; k < part; k++) {
            add_element(acc, row[k], vectors, weights + k * panel);
#pragma unroll
            for (int p = 1; p < PARTS_OF_DEPTH; p++)
                add_element(sums[p - 1], row[k + p * part], vectors, weights + (k + p * part) * panel);
        }
        for (int k = PARTS_OF_DEPTH * part; k < depth; k++)
            add_element(acc, row[k], vectors, weights + k * panel);
#pragma unroll
        for (int j = 0; j < NV; j++) {
#pragma unroll
            for (int p = 1; p < PARTS_OF_DEPTH; p++) acc[j] += sums[p - 1][j];
            if (j < vectors) VSTORE(clamp_vector(acc[j], low, high), results + n + j * VW);
        }
    }
}

KERNEL two_products(ITEM const LiteClTwoProductsArgs a, const __global float* restrict x,
                    const __global float* restrict weights, const __global float* restrict bias,
                    const __global float* restrict last_weights, const __global float* restrict last_bias,
                    __global float* restrict y, __local float* restrict between) {
    const int row = get_global_id(0);
    if (row >= a.rows) return;
    __local float *inner = between + a.depth, *results = inner + a.padded;
    find_means(x + row * a.pixels * a.depth, a.pixels, a.depth, between);
    multiply_row(between, a.depth, a.inner, a.vectors, weights, bias, a.low, a.high, inner);
    for (int i = 0; i < a.inner; i++) {
        const float v = inner[i];
        INNER_STEPS
        inner[i] = INNER_RESULT;
    }
    multiply_row(inner, a.inner, a.columns, a.last_vectors, last_weights, last_bias, a.last_low, a.last_high,
                 results);
    y += row * a.columns;
    for (int i = 0; i < a.columns; i++) {
        const float v = results[i];
        LAST_STEPS
        y[i] = LAST_RESULT;
    }
}
