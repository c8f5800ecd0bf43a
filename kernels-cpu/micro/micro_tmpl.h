// SPDX-License-Identifier: Apache-2.0
// The micro kernels over compiler vector types, included once by each micro_<level>.c, which defines
//   MICRO_TABLE    name of the table to make
//   MICRO_NAME     its name as text
//   MICRO_LANES    32-bit lanes of a vector
//   MICRO_ROWS     rows of a tile; 2 * MICRO_ROWS accumulators live in registers
// and, where the instruction set has something better than the plain form here,
//   MICRO_MADD(acc, x, y)              acc + the sum of the two int16 products in each lane
//   MICRO_LOAD_PART(from, count)       the first `count` < MICRO_LANES 32-bit elements, zeros in the other
//   lanes MICRO_STORE_PART(to, v, count)     the first `count` < MICRO_LANES lanes to memory
//   MICRO_LOAD_BYTES(from, count)      as MICRO_LOAD_PART, bytes
//   MICRO_EXTEND_I8(v), MICRO_EXTEND_U8(v)   bytes to 32-bit lanes
//   MICRO_STORE_BYTES(to, v, count)    the low bytes of the first `count` lanes, all for larger counts
//   MICRO_MIN(x, y), MICRO_MAX(x, y)   in each lane
//   MICRO_HIGH_MUL(x, y)               (x * y + 2^30) >> 31 in each lane
#include <math.h>
#include <string.h>

#include "kernels-cpu/micro/levels.h"

#define PANEL (2 * MICRO_LANES)
#define INLINE static inline __attribute__((always_inline))

typedef float VF __attribute__((vector_size(4 * MICRO_LANES)));
typedef int32_t VI __attribute__((vector_size(4 * MICRO_LANES)));
typedef uint32_t VU __attribute__((vector_size(4 * MICRO_LANES)));
typedef int8_t VI8 __attribute__((vector_size(MICRO_LANES)));
typedef uint8_t VU8 __attribute__((vector_size(MICRO_LANES)));

#ifndef MICRO_MADD
INLINE VI madd(VI acc, VI x, VI y) {
    const VI low = ((VI)((VU)x << 16) >> 16) * ((VI)((VU)y << 16) >> 16);
    return (VI)((VU)acc + (VU)low + (VU)((x >> 16) * (y >> 16)));
}
#define MICRO_MADD(acc, x, y) madd(acc, x, y)
#endif

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
#ifndef MICRO_LOAD_BYTES
INLINE VI8 load_bytes(const int8_t* from, int count) {
    VI8 v = {0};
    for (int i = 0; i < count; i++) v[i] = from[i];
    return v;
}
#define MICRO_LOAD_BYTES(from, count) load_bytes(from, count)
#endif

#ifndef MICRO_HIGH_MUL
INLINE VI high_mul(VI x, VI y) {
    VI v = {0};
    for (int i = 0; i < MICRO_LANES; i++) v[i] = (int32_t)(((int64_t)x[i] * y[i] + (INT64_C(1) << 30)) >> 31);
    return v;
}
#define MICRO_HIGH_MUL(x, y) high_mul(x, y)
#endif
#ifndef MICRO_MIN
#define MICRO_MIN(x, y) (((x) & ((x) < (y))) | ((y) & ((x) >= (y))))
#define MICRO_MAX(x, y) (((x) & ((x) > (y))) | ((y) & ((x) <= (y))))
#endif
#ifndef MICRO_STORE_BYTES
INLINE void store_bytes(uint8_t* to, VI v, int count) {
    for (int i = 0; i < MICRO_LANES && i < count; i++) to[i] = (uint8_t)v[i];
}
#define MICRO_STORE_BYTES(to, v, count) store_bytes(to, v, count)
#endif
#ifndef MICRO_EXTEND_I8
#define MICRO_EXTEND_I8(v) __builtin_convertvector(v, VI)
#define MICRO_EXTEND_U8(v) __builtin_convertvector(v, VI)
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

INLINE VI8 load_i8(const void* from, int count) {
    if (count < MICRO_LANES) return MICRO_LOAD_BYTES(from, count);
    VI8 v;
    memcpy(&v, from, sizeof(v));
    return v;
}

INLINE VU8 load_u8(const void* from, int count) {
    return (VU8)load_i8(from, count);
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

INLINE void gemm_i16_tile(const int rows, int pairs, const int16_t* a, size_t a_stride, const int16_t* b,
                          int32_t* c) {
    VI acc[MICRO_ROWS][2];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) acc[r][0] = acc[r][1] = (VI){0};
    for (int p = 0; p < pairs; p++, a += 2, b += 2 * PANEL) {
        const VI w0 = load_i32(b, MICRO_LANES);
        const VI w1 = load_i32(b + PANEL, MICRO_LANES);
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
            int32_t pair;
            memcpy(&pair, a + r * a_stride, sizeof pair);
            const VI x = (VI){0} + pair;
            acc[r][0] = MICRO_MADD(acc[r][0], x, w0);
            acc[r][1] = MICRO_MADD(acc[r][1], x, w1);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        store(c + r * PANEL, acc[r][0], MICRO_LANES);
        store(c + r * PANEL + MICRO_LANES, acc[r][1], MICRO_LANES);
    }
}

#define GEMM_I16_CASE(ROWS)                                                                                  \
    case ROWS:                                                                                               \
        gemm_i16_tile(ROWS, pairs, a, a_stride, b, c);                                                       \
        break;

static void gemm_i16(int rows, int pairs, const int16_t* a, size_t a_stride, const int16_t* b, int32_t* c) {
    switch (rows) {
        GEMM_I16_CASE(1)
        GEMM_I16_CASE(2)
        GEMM_I16_CASE(3)
        GEMM_I16_CASE(4)
#if MICRO_ROWS > 4
        GEMM_I16_CASE(5)
        GEMM_I16_CASE(6)
#endif
#if MICRO_ROWS > 6
        GEMM_I16_CASE(7)
        GEMM_I16_CASE(8)
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

// The upper half of each weight lane is 0, so the pairwise product is the product of the lower halves.
#define DEPTHWISE_INTEGER(NAME, TYPE, LOAD_BYTES, EXTEND)                                                    \
    INLINE void NAME##_block(const int vectors, int lanes, int taps, const TYPE* const* in, size_t first,    \
                             const uint32_t* w, size_t w_stride, int32_t* out) {                             \
        VI acc[4] = {{0}, {0}, {0}, {0}};                                                                    \
        for (int t = 0; t < taps; t++, w += w_stride) {                                                      \
            _Pragma("GCC unroll 4") for (int v = 0; v < vectors; v++) {                                      \
                const VI x = EXTEND(LOAD_BYTES(in[t] + first + v * MICRO_LANES, lanes));                     \
                acc[v] = MICRO_MADD(acc[v], x, load_i32(w + v * MICRO_LANES, lanes));                        \
            }                                                                                                \
        }                                                                                                    \
        _Pragma("GCC unroll 4") for (int v = 0; v < vectors; v++) {                                          \
            store(out + v * MICRO_LANES, acc[v], lanes);                                                     \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME(int channels, int taps, const TYPE* const* in, const uint32_t* w, int32_t* out) {       \
        int c = 0;                                                                                           \
        for (; c + 4 * MICRO_LANES <= channels; c += 4 * MICRO_LANES) {                                      \
            NAME##_block(4, MICRO_LANES, taps, in, c, w + c, channels, out + c);                             \
        }                                                                                                    \
        for (; c + MICRO_LANES <= channels; c += MICRO_LANES) {                                              \
            NAME##_block(1, MICRO_LANES, taps, in, c, w + c, channels, out + c);                             \
        }                                                                                                    \
        if (c < channels) NAME##_block(1, channels - c, taps, in, c, w + c, channels, out + c);              \
    }
DEPTHWISE_INTEGER(depthwise_i8, int8_t, load_i8, MICRO_EXTEND_I8)
DEPTHWISE_INTEGER(depthwise_u8, uint8_t, load_u8, MICRO_EXTEND_U8)

// lite_multiply without branches. (x * m + 2^30) >> 31 rounds as the doubling high multiply does, since the
// multiplier is never INT32_MIN; the second rounding, ties away from zero, compares what is shifted out.
INLINE VI requantize_lanes(VI sum, VI multiplier, VI shift) {
    const VI down = shift >> 31; // all ones where the shift is to the right
    const VI left = shift & ~down;
    const VI right = -(shift & down);
    const VI high = MICRO_HIGH_MUL(sum << left, multiplier);
    const VI mask = (VI)(((VU){0} + 1) << (VU)right) - 1;
    const VI threshold = (VI)((VU)mask >> 1) - (high >> 31);
    return (high >> right) - ((threshold - (high & mask)) >> 31);
}

static void requantize(int count, const int32_t* in, const LiteRequantization* q, uint8_t* out) {
    const VI zero_point = (VI){0} + q->zero_point;
    const VI low = (VI){0} + q->low;
    const VI high = (VI){0} + q->high;
    for (int i = 0; i < count; i += MICRO_LANES) {
        const int lanes = count - i;
        const VI sum = load_i32(in + i, lanes) + load_i32(q->bias + i, lanes);
        VI x = requantize_lanes(sum, load_i32(q->multiplier + i, lanes), load_i32(q->shift + i, lanes)) +
               zero_point;
        x = MICRO_MIN(MICRO_MAX(x, low), high);
        MICRO_STORE_BYTES(out + i, x, lanes);
    }
}

#define WIDEN(NAME, TYPE)                                                                                    \
    static void NAME(int count, const TYPE* restrict in, int32_t zero_point, int16_t* restrict out) {        \
        for (int i = 0; i < count; i++) out[i] = (int16_t)(in[i] - zero_point);                              \
    }
WIDEN(widen_i8, int8_t)
WIDEN(widen_u8, uint8_t)

// Pixel by pixel, all channels at once.
#define POOL(NAME, FIRST, COMBINE)                                                                           \
    static void NAME(int channels, int height, int width, const float* in, size_t line,                      \
                     float* restrict out) {                                                                  \
        for (int c = 0; c < channels; c++) out[c] = FIRST;                                                   \
        for (int y = 0; y < height; y++) {                                                                   \
            for (int x = 0; x < width; x++) {                                                                \
                const float* pixel = in + y * line + (size_t)x * channels;                                   \
                for (int c = 0; c < channels; c++) out[c] = COMBINE;                                         \
            }                                                                                                \
        }                                                                                                    \
    }
POOL(max_f32, -INFINITY, pixel[c] > out[c] ? pixel[c] : out[c])
POOL(sum_f32, 0.0f, out[c] + pixel[c])

const LiteMicro MICRO_TABLE = {
    .name = MICRO_NAME,
    .rows = MICRO_ROWS,
    .panel = PANEL,
    .gemm_f32 = gemm_f32,
    .gemm_i16 = gemm_i16,
    .depthwise_f32 = depthwise_f32,
    .depthwise_i8 = depthwise_i8,
    .depthwise_u8 = depthwise_u8,
    .requantize = requantize,
    .widen_i8 = widen_i8,
    .widen_u8 = widen_u8,
    .max_f32 = max_f32,
    .sum_f32 = sum_f32,
};
