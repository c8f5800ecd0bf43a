// SPDX-License-Identifier: Apache-2.0
// Level 0 in plain C, and the choice of the level.
#include "kernels-cpu/micro/micro.h"

#include <math.h>

#include "core/base/quant.h"
#include "kernels-cpu/micro/levels.h"

#define ROWS 4
#define PANEL 8

static float clamp_f32(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

static void gemm_f32(int rows, int columns, int taps, int depth, const float* const* a, const float* b,
                     const float* bias, float low, float high, float* c, size_t c_stride) {
    for (int r = 0; r < rows; r++) {
        for (int n = 0; n < columns; n++) {
            float sum = bias[n];
            for (int t = 0; t < taps; t++) {
                for (int k = 0; k < depth; k++) {
                    sum += a[(size_t)t * ROWS + r][k] * b[((size_t)t * depth + k) * PANEL + n];
                }
            }
            c[r * c_stride + n] = clamp_f32(sum, low, high);
        }
    }
}

static void gemm_i16(int rows, int pairs, const int16_t* a, size_t a_stride, const int16_t* b, int32_t* c) {
    for (int r = 0; r < rows; r++) {
        for (int n = 0; n < PANEL; n++) {
            uint32_t sum = 0;
            for (size_t k = 0; k < 2 * (size_t)pairs; k++) {
                sum += (uint32_t)(a[r * a_stride + k] * b[((k / 2) * PANEL + n) * 2 + k % 2]);
            }
            c[r * PANEL + n] = (int32_t)sum;
        }
    }
}

static void depthwise_f32(int channels, int taps, const float* const* in, const float* w, const float* bias,
                          float low, float high, float* out) {
    for (int c = 0; c < channels; c++) {
        float sum = bias[c];
        for (int t = 0; t < taps; t++) sum += in[t][c] * w[(size_t)t * channels + c];
        out[c] = clamp_f32(sum, low, high);
    }
}

#define DEPTHWISE_INTEGER(NAME, TYPE)                                                                        \
    static void NAME(int channels, int taps, const TYPE* const* in, const uint32_t* w, int32_t* out) {       \
        for (int c = 0; c < channels; c++) {                                                                 \
            uint32_t sum = 0;                                                                                \
            for (int t = 0; t < taps; t++) {                                                                 \
                sum += (uint32_t)(in[t][c] * (int16_t)w[(size_t)t * channels + c]);                          \
            }                                                                                                \
            out[c] = (int32_t)sum;                                                                           \
        }                                                                                                    \
    }
DEPTHWISE_INTEGER(depthwise_i8, int8_t)
DEPTHWISE_INTEGER(depthwise_u8, uint8_t)

static void requantize(int count, const int32_t* in, const LiteRequantization* q, uint8_t* out) {
    for (int i = 0; i < count; i++) {
        const int32_t sum = (int32_t)((uint32_t)in[i] + (uint32_t)q->bias[i]);
        const LiteMultiplier m = {q->multiplier[i], q->shift[i]};
        const int32_t scaled = (int32_t)((uint32_t)lite_multiply(sum, m) + (uint32_t)q->zero_point);
        out[i] = (uint8_t)lite_clamp_i32(scaled, q->low, q->high);
    }
}

#define WIDEN(NAME, TYPE)                                                                                    \
    static void NAME(int count, const TYPE* in, int32_t zero_point, int16_t* out) {                          \
        for (int i = 0; i < count; i++) out[i] = (int16_t)(in[i] - zero_point);                              \
    }
WIDEN(widen_i8, int8_t)
WIDEN(widen_u8, uint8_t)

#define POOL(NAME, FIRST, COMBINE)                                                                           \
    static void NAME(int channels, int height, int width, const float* in, size_t line, float* out) {        \
        for (int c = 0; c < channels; c++) {                                                                 \
            float all = FIRST;                                                                               \
            for (int i = 0; i < height * width; i++) {                                                       \
                const float x = in[(size_t)(i / width) * line + (size_t)(i % width) * channels + c];         \
                all = COMBINE;                                                                               \
            }                                                                                                \
            out[c] = all;                                                                                    \
        }                                                                                                    \
    }
POOL(max_f32, -INFINITY, x > all ? x : all)
POOL(sum_f32, 0.0f, all + x)

static const LiteMicro plain = {
    .name = "c",
    .rows = ROWS,
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

const LiteMicro* lite_micro_level(int level) {
    switch (level) {
    case 0:
        return &plain;
    case 1:
        return &lite_micro_vec128;
#ifdef LITE_MICRO_X86
    case 2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &lite_micro_avx2 : NULL;
    case 3:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
                   ? &lite_micro_avx512
                   : NULL;
    case 4:
        return lite_micro_level(3) != NULL && __builtin_cpu_supports("avx512vnni") ? &lite_micro_avx512vnni
                                                                                   : NULL;
#endif
    default:
        return NULL;
    }
}

static int forced_level = -1;

void lite_micro_force(int level) {
    forced_level = level;
}

const LiteMicro* lite_micro(void) {
    if (forced_level >= 0) return lite_micro_level(forced_level);
    for (int level = LITE_MICRO_LEVELS - 1; level > 0; level--) {
        const LiteMicro* micro = lite_micro_level(level);
        if (micro != NULL) return micro;
    }
    return &plain;
}
