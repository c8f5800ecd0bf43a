// SPDX-License-Identifier: Apache-2.0
// Sums of products of bytes in floats (gemm_tile.cl), where the compiler does not know the processor and has
// no instruction for them (Intel's compiles for SPIR): floats multiply and add in one instruction, integers
// of 32 bits in three. Not in builds of selected operators, which are small for it.
#include "kernels-cl/common/bytes.cl"

#if defined(QUANTIZED) && defined(MR) && !defined(DOTS) && defined(PROCESSOR) && !defined(__SSE2__) &&       \
    !defined(__aarch64__)
#define FLOAT_STEPS 64 // of four channels: their sums are exact, as 255 * 255 * 256 < 2^24

// Adds the products of two of a step's channels, whose weights are the halves of each word.
INLINE void add_channels(vector sums[MR][NV], const float first[MR], const float second[MR],
                         const __global int* w) {
    vector low[NV], high[NV];
#pragma unroll
    for (int j = 0; j < NV; j++) {
        const integers words = VLOAD(w + j * VW);
        low[j] = CONVERT(float, words << 16 >> 16);
        high[j] = CONVERT(float, words >> 16);
    }
#pragma unroll
    for (int i = 0; i < MR; i++) {
#pragma unroll
        for (int j = 0; j < NV; j++) {
            sums[i][j] += first[i] * low[j];
            sums[i][j] += second[i] * high[j];
        }
    }
}

INLINE void add_step(vector sums[MR][NV], const __global TYPE* const row[MR], int c, int count,
                     const __global int* w) {
    float x0[MR], x1[MR], x2[MR], x3[MR];
#pragma unroll
    for (int i = 0; i < MR; i++) {
        const float4 x = convert_float4(PASTE(as_, PASTE(TYPE, 4))(load_step(row[i] + c, count)));
        x0[i] = x.s0, x1[i] = x.s1, x2[i] = x.s2, x3[i] = x.s3;
    }
    add_channels(sums, x0, x2, w);
    add_channels(sums, x1, x3, w + PANEL);
}

// As add_run of gemm_tile.cl.
INLINE const __global int* add_float_run(integers acc[MR][NV], const __global TYPE* const row[MR], int run,
                                         const __global int* w) {
    for (int c = 0; c < run;) {
        vector sums[MR][NV] = {{0}};
        const int end = min(c + 4 * FLOAT_STEPS, run);
        for (; c < end; c += 4, w += 2 * PANEL) add_step(sums, row, c, end - c, w);
#pragma unroll
        for (int i = 0; i < MR; i++) {
#pragma unroll
            for (int j = 0; j < NV; j++) acc[i][j] += CONVERT(int, sums[i][j]);
        }
    }
    return w;
}
#endif
