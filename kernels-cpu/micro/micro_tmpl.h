// SPDX-License-Identifier: Apache-2.0
// The micro kernels over compiler vector types, included once by each micro_<level>.c, which defines
//   MICRO_TABLE    name of the table to make
//   MICRO_NAME     its name as text
//   MICRO_LANES    32-bit lanes of a vector
//   MICRO_ROWS     rows of a tile; 2 * MICRO_ROWS accumulators live in registers
// and, where the instruction set has something better than the plain form here,
//   MICRO_LOAD_PART(from, count)       the first `count` < MICRO_LANES 32-bit elements, zeros in the other
//                                      lanes
//   MICRO_STORE_PART(to, v, count)     the first `count` < MICRO_LANES lanes to memory
// micro_int_tmpl.h has more of these, for the integer kernels.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels-cpu/micro/levels.h"

#define PANEL (2 * MICRO_LANES)
#define INLINE static inline __attribute__((always_inline))

typedef float VF __attribute__((vector_size(4 * MICRO_LANES)));
typedef int32_t VI __attribute__((vector_size(4 * MICRO_LANES)));
typedef uint32_t VU __attribute__((vector_size(4 * MICRO_LANES)));

#ifndef MICRO_LOAD_PART
INLINE VI load_part(const int32_t* from, int count) {
    VI v = {0};
    for (int i = 0; i < count; i++) v[i] = from[i];
    return v;
}
INLINE void store_part(int32_t* to, VI v, int count) {
    for (int i = 0; i < count; i++) to[i] = v[i];
}
#define MICRO_LOAD_PART(from, count) load_part(from, count)
#define MICRO_STORE_PART(to, v, count) store_part(to, v, count)
#endif
// The first `count` lanes from memory, zeros in the others; and back.
INLINE VI load_i32(const void* from, int count) {
    if (count < MICRO_LANES) return MICRO_LOAD_PART(from, count);
    VI v;
    memcpy(&v, from, sizeof(v));
    return v;
}

INLINE VF load_f32(const float* from, int count) {
    return (VF)load_i32(from, count);
}

INLINE void store(void* to, VI v, int count) {
    if (count < MICRO_LANES) {
        MICRO_STORE_PART(to, v, count);
    } else {
        memcpy(to, &v, sizeof(v));
    }
}

// NaN stays NaN.
INLINE VF clamp(VF x, float low, float high) {
    const VF l = (VF){0} + low;
    const VF h = (VF){0} + high;
    const VI under = x < l;
    x = (VF)((under & (VI)l) | (~under & (VI)x));
    const VI over = x > h;
    return (VF)((over & (VI)h) | (~over & (VI)x));
}

INLINE void gemm_f32_tile(const int rows, const int vectors, int columns, int taps, int depth,
                          const float* const* a, const float* b, const float* bias, float low, float high,
                          float* c, size_t c_stride) {
    VF acc[MICRO_ROWS][2];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) acc[r][v] = load_f32(bias + v * MICRO_LANES, MICRO_LANES);
    }
    for (int t = 0; t < taps; t++, a += MICRO_ROWS) {
        const float* row[MICRO_ROWS];
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) row[r] = a[r];
        for (int k = 0; k < depth; k++, b += PANEL) {
            VF w[2];
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) w[v] = load_f32(b + v * MICRO_LANES, MICRO_LANES);
#pragma GCC unroll 8
            for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
                for (int v = 0; v < vectors; v++) acc[r][v] += row[r][k] * w[v];
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            const VF x = clamp(acc[r][v], low, high);
            store(c + r * c_stride + v * MICRO_LANES, (VI)x, columns - v * MICRO_LANES);
        }
    }
}

// One function per number of rows and vectors, so that the accumulators are registers.
#define GEMM_F32_CASE(ROWS)                                                                                  \
    case ROWS:                                                                                               \
        if (columns > MICRO_LANES) {                                                                         \
            gemm_f32_tile(ROWS, 2, columns, taps, depth, a, b, bias, low, high, c, c_stride);                \
        } else {                                                                                             \
            gemm_f32_tile(ROWS, 1, columns, taps, depth, a, b, bias, low, high, c, c_stride);                \
        }                                                                                                    \
        break;

static void gemm_f32(int rows, int columns, int taps, int depth, const float* const* a, const float* b,
                     const float* bias, float low, float high, float* c, size_t c_stride) {
    switch (rows) {
        GEMM_F32_CASE(1)
        GEMM_F32_CASE(2)
        GEMM_F32_CASE(3)
        GEMM_F32_CASE(4)
#if MICRO_ROWS > 4
        GEMM_F32_CASE(5)
        GEMM_F32_CASE(6)
#endif
#if MICRO_ROWS > 6
        GEMM_F32_CASE(7)
        GEMM_F32_CASE(8)
#endif
    }
}

INLINE void depthwise_f32_block(const int vectors, int lanes, int taps, const float* const* in, size_t first,
                                const float* w, size_t w_stride, const float* bias, float low, float high,
                                float* out) {
    VF acc[4];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) acc[v] = load_f32(bias + v * MICRO_LANES, lanes);
    for (int t = 0; t < taps; t++, w += w_stride) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) {
            acc[v] += load_f32(in[t] + first + v * MICRO_LANES, lanes) * load_f32(w + v * MICRO_LANES, lanes);
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
        const VF x = clamp(acc[v], low, high);
        store(out + v * MICRO_LANES, (VI)x, lanes);
    }
}

static void depthwise_f32(int channels, int taps, const float* const* in, const float* w, const float* bias,
                          float low, float high, float* out) {
    int c = 0;
    for (; c + 4 * MICRO_LANES <= channels; c += 4 * MICRO_LANES) {
        depthwise_f32_block(4, MICRO_LANES, taps, in, c, w + c, channels, bias + c, low, high, out + c);
    }
    for (; c + MICRO_LANES <= channels; c += MICRO_LANES) {
        depthwise_f32_block(1, MICRO_LANES, taps, in, c, w + c, channels, bias + c, low, high, out + c);
    }
    if (c < channels) {
        depthwise_f32_block(1, channels - c, taps, in, c, w + c, channels, bias + c, low, high, out + c);
    }
}

// Pixel by pixel, all channels at once.
#define POOL(NAME, TYPE, FIRST, COMBINE)                                                                     \
    static void NAME(int channels, int height, int width, const TYPE* in, size_t line, TYPE* restrict out) { \
        for (int c = 0; c < channels; c++) out[c] = FIRST;                                                   \
        for (int y = 0; y < height; y++) {                                                                   \
            for (int x = 0; x < width; x++) {                                                                \
                const TYPE* pixel = in + y * line + (size_t)x * channels;                                    \
                for (int c = 0; c < channels; c++) out[c] = COMBINE;                                         \
            }                                                                                                \
        }                                                                                                    \
    }
POOL(max_f32, float, -INFINITY, pixel[c] > out[c] ? pixel[c] : out[c])
POOL(max_i8, int8_t, INT8_MIN, pixel[c] > out[c] ? pixel[c] : out[c])
POOL(max_u8, uint8_t, 0, pixel[c] > out[c] ? pixel[c] : out[c])
POOL(sum_f32, float, 0.0f, out[c] + pixel[c])

#include "kernels-cpu/micro/micro_int_tmpl.h"

const LiteMicro MICRO_TABLE = {
    .name = MICRO_NAME,
    .rows = MICRO_ROWS,
    .panel = PANEL,
    .lanes = MICRO_LANES,
    .gemm_f32 = gemm_f32,
    .gemm_i16 = gemm_i16,
#ifdef MICRO_DOT4
    .gemm_u8 = gemm_u8,
    .depthwise_strip = depthwise_strip,
    .gather_u8 = gather_u8,
#endif
    .depthwise_f32 = depthwise_f32,
    .depthwise_i8 = depthwise_i8,
    .depthwise_u8 = depthwise_u8,
    .requantize = requantize,
#ifdef MICRO_HIGH_HALF
    .sum_bytes = sum_bytes,
#endif
    .widen_i8 = widen_i8,
    .widen_u8 = widen_u8,
    .copy_u8 = copy_u8,
    .sum_u8 = sum_u8,
    .max_f32 = max_f32,
    .max_i8 = max_i8,
    .max_u8 = max_u8,
    .sum_f32 = sum_f32,
};
