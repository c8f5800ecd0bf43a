// SPDX-License-Identifier: Apache-2.0
// The integer kernels of micro_tmpl.h, which includes this file. What a level may define for them:
//   MICRO_MADD(acc, x, y)              acc + the sum of the two int16 products in each lane
//   MICRO_DOT4                         see micro_bytes_tmpl.h; without it the table has no byte kernels
//   MICRO_LOAD_BYTES(from, count)      as MICRO_LOAD_PART, bytes
//   MICRO_EXTEND_I8(v), MICRO_EXTEND_U8(v)   bytes to 32-bit lanes
#ifndef MICRO_MADD
INLINE VI madd(VI acc, VI x, VI y) {
    const VI low = ((VI)((VU)x << 16) >> 16) * ((VI)((VU)y << 16) >> 16);
    return (VI)((VU)acc + (VU)low + (VU)((x >> 16) * (y >> 16)));
}
#define MICRO_MADD(acc, x, y) madd(acc, x, y)
#endif

typedef int8_t VI8 __attribute__((vector_size(MICRO_LANES)));
typedef uint8_t VU8 __attribute__((vector_size(MICRO_LANES)));

#ifndef MICRO_LOAD_BYTES
INLINE VI8 load_bytes(const int8_t* from, int count) {
    VI8 v = {0};
    for (int i = 0; i < count; i++) v[i] = from[i];
    return v;
}
#define MICRO_LOAD_BYTES(from, count) load_bytes(from, count)
#endif

#ifndef MICRO_EXTEND_I8
#define MICRO_EXTEND_I8(v) __builtin_convertvector(v, VI)
#define MICRO_EXTEND_U8(v) __builtin_convertvector(v, VI)
#endif

INLINE VI8 load_i8(const void* from, int count) {
    if (count < MICRO_LANES) return MICRO_LOAD_BYTES(from, count);
    VI8 v;
    memcpy(&v, from, sizeof(v));
    return v;
}

INLINE VU8 load_u8(const void* from, int count) {
    return (VU8)load_i8(from, count);
}

INLINE void gemm_i16_tile(const int rows, int pairs, const int16_t* a, size_t a_stride, const int16_t* b,
                          const int32_t* init, int32_t* c) {
    VI acc[MICRO_ROWS][2];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        acc[r][0] = load_i32(init, MICRO_LANES);
        acc[r][1] = load_i32(init + MICRO_LANES, MICRO_LANES);
    }
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

// One function per number of rows, so that the accumulators are registers.
#if MICRO_ROWS > 6
#define FOR_ROWS(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#elif MICRO_ROWS > 4
#define FOR_ROWS(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#else
#define FOR_ROWS(CASE) CASE(1) CASE(2) CASE(3) CASE(4)
#endif

static void gemm_i16(int rows, int pairs, const int16_t* a, size_t a_stride, const int16_t* b,
                     const int32_t* init, int32_t* c) {
#define GEMM_I16_CASE(ROWS)                                                                                  \
    case ROWS:                                                                                               \
        gemm_i16_tile(ROWS, pairs, a, a_stride, b, init, c);                                                 \
        break;
    switch (rows) { FOR_ROWS(GEMM_I16_CASE) }
}

// The upper half of each weight lane is 0, so the pairwise product is the product of the lower halves.
#define DEPTHWISE_INTEGER(NAME, TYPE, LOAD_BYTES, EXTEND)                                                    \
    INLINE void NAME##_block(const int vectors, int lanes, int taps, const TYPE* const* in, size_t first,    \
                             const uint32_t* w, size_t w_stride, const int32_t* init, int32_t* out) {        \
        VI acc[4];                                                                                           \
        _Pragma("GCC unroll 4") for (int v = 0; v < vectors; v++) {                                          \
            acc[v] = load_i32(init + v * MICRO_LANES, lanes);                                                \
        }                                                                                                    \
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
    static void NAME(int channels, int taps, const TYPE* const* in, const uint32_t* w, const int32_t* init,  \
                     int32_t* out) {                                                                         \
        int c = 0;                                                                                           \
        for (; c + 4 * MICRO_LANES <= channels; c += 4 * MICRO_LANES) {                                      \
            NAME##_block(4, MICRO_LANES, taps, in, c, w + c, channels, init + c, out + c);                   \
        }                                                                                                    \
        for (; c + MICRO_LANES <= channels; c += MICRO_LANES) {                                              \
            NAME##_block(1, MICRO_LANES, taps, in, c, w + c, channels, init + c, out + c);                   \
        }                                                                                                    \
        if (c < channels) NAME##_block(1, channels - c, taps, in, c, w + c, channels, init + c, out + c);    \
    }
DEPTHWISE_INTEGER(depthwise_i8, int8_t, load_i8, MICRO_EXTEND_I8)
DEPTHWISE_INTEGER(depthwise_u8, uint8_t, load_u8, MICRO_EXTEND_U8)

#define WIDEN(NAME, TYPE)                                                                                    \
    static void NAME(int count, const TYPE* restrict in, int32_t zero_point, int16_t* restrict out) {        \
        for (int i = 0; i < count; i++) out[i] = (int16_t)(in[i] - zero_point);                              \
    }
WIDEN(widen_i8, int8_t)
WIDEN(widen_u8, uint8_t)

static void copy_u8(size_t count, const uint8_t* restrict in, uint8_t flip, uint8_t* restrict out) {
    for (size_t i = 0; i < count; i++) out[i] = in[i] ^ flip;
}

static uint32_t sum_u8(size_t count, const uint8_t* in) {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += in[i];
    return sum;
}

#include "kernels-cpu/micro/micro_scale_tmpl.h"
#ifdef MICRO_DOT4
#include "kernels-cpu/micro/micro_bytes_tmpl.h"
#endif
