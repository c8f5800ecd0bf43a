// SPDX-License-Identifier: Apache-2.0
// The integer kernels of micro_tmpl.h, which includes this file. What a level may define for them:
//   MICRO_MADD(acc, x, y)              acc + the sum of the two int16 products in each lane
//   MICRO_DOT4                         see micro_rows_tmpl.h; without it gemm_u8 is slow
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

// One function per number of rows, so that the accumulators are registers.
#if MICRO_ROWS > 6
#define FOR_ROWS(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#elif MICRO_ROWS > 4
#define FOR_ROWS(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#else
#define FOR_ROWS(CASE) CASE(1) CASE(2) CASE(3) CASE(4)
#endif

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

typedef uint32_t ShortVector __attribute__((vector_size(16)));

// Runs of few bytes, as in a first layer, in vectors that seldom lie across the end of a cache line.
INLINE void gather_short(const uint8_t* from, size_t run, uint32_t flips, uint8_t* to) {
    for (size_t i = 0; i < run; i += sizeof(ShortVector)) {
        ShortVector v;
        memcpy(&v, from + i, sizeof v);
        v ^= flips;
        memcpy(to + i, &v, sizeof v);
    }
}

static void gather_u8(int pixels, int lines, const uint8_t* const* in, size_t in_step, size_t run,
                      uint8_t flip, uint8_t* out, size_t out_step) {
    const uint32_t flips = flip * UINT32_C(0x01010101);
    for (size_t p = 0; p < (size_t)pixels; p++, out += out_step) {
        uint8_t* to = out;
        for (int l = 0; l < lines; l++, to += run) {
            const uint8_t* from = in[l] + p * in_step;
            if (run <= 2 * sizeof(ShortVector)) {
                gather_short(from, run, flips, to);
                continue;
            }
            for (size_t i = 0; i < run; i += sizeof(VI)) {
                store(to + i, load_i32(from + i, MICRO_LANES) ^ (int32_t)flips, MICRO_LANES);
            }
        }
    }
}

#include "kernels-cpu/micro/micro_scale_tmpl.h"

#include "kernels-cpu/micro/micro_rows_tmpl.h"
#ifdef MICRO_FIXED
#include "kernels-cpu/micro/micro_strip_tmpl.h"
#endif
