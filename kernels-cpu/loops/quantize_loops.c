// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/quantize_loops.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"

#define LOOP(NAME, FUNCTION, IN, OUT)                                                                        \
    static void NAME(const LiteRow* row) {                                                                   \
        const LiteQuantize q = *(const LiteQuantize*)row->params;                                            \
        const IN* in = row->in[0];                                                                           \
        OUT* restrict out = row->out;                                                                        \
        const int64_t count = row->count;                                                                    \
        for (int64_t i = 0; i < count; i++) out[i] = (OUT)FUNCTION(in[i], &q);                               \
    }
// Scales and zero points are the further inputs; neither both one for all, nor a zero point for each element
// with one scale.
#define CHANNELS(NAME, FUNCTION, IN, OUT)                                                                    \
    static void NAME##_channels(const LiteRow* row) {                                                        \
        LiteQuantize q = *(const LiteQuantize*)row->params;                                                  \
        const IN* in = row->in[0];                                                                           \
        const float* scale = row->in[1];                                                                     \
        const int32_t* zero = row->in[2];                                                                    \
        OUT* restrict out = row->out;                                                                        \
        const int64_t count = row->count;                                                                    \
        q.scale = *scale;                                                                                    \
        q.zero_point = *zero;                                                                                \
        if (row->step[1] == 0) {                                                                             \
            for (int64_t i = 0; i < count; i++) out[i] = (OUT)FUNCTION(in[i], &q);                           \
        } else if (row->step[2] == 0) {                                                                      \
            for (int64_t i = 0; i < count; i++) {                                                            \
                q.scale = scale[i];                                                                          \
                out[i] = (OUT)FUNCTION(in[i], &q);                                                           \
            }                                                                                                \
        } else {                                                                                             \
            for (int64_t i = 0; i < count; i++) {                                                            \
                q.scale = scale[i];                                                                          \
                q.zero_point = zero[i];                                                                      \
                out[i] = (OUT)FUNCTION(in[i], &q);                                                           \
            }                                                                                                \
        }                                                                                                    \
    }
#define LOOPS(SUFFIX, STORED)                                                                                \
    LOOP(f32_to_##SUFFIX, lite_quantize_one, float, STORED)                                                  \
    LOOP(SUFFIX##_to_f32, lite_dequantize_one, STORED, float)                                                \
    CHANNELS(f32_to_##SUFFIX, lite_quantize_one, float, STORED)                                              \
    CHANNELS(SUFFIX##_to_f32, lite_dequantize_one, STORED, float)
LOOPS(i8, int8_t)
LOOPS(u8, uint8_t)
LOOPS(i16, int16_t)

// 8 bits by the reciprocal of the scale, which divisions take several times as long as. Where |x / scale| is
// under kFar the product differs from the quotient by less than kNear. Blocks with a result that near to the
// middle between two numbers, or beyond that, are divided.
#define kBlock 64
#define kFar 1024.0f
#define kNear 0.00025f
#define NARROW(SUFFIX, STORED)                                                                               \
    static void quick_f32_to_##SUFFIX(const LiteRow* row) {                                                  \
        const LiteQuantize q = *(const LiteQuantize*)row->params;                                            \
        const float inverse = 1.0f / q.scale;                                                                \
        const int32_t limit_off = (int32_t)lite_float_to_bits(0.5f - kNear);                                 \
        const int32_t limit_size = (int32_t)lite_float_to_bits(kFar);                                        \
        LiteRow rest = *row;                                                                                 \
        const bool usual = inverse > 1e-30f && inverse < 1e30f && q.zero_point > -512 && q.zero_point < 512; \
        for (; usual && rest.count >= kBlock; rest.count -= kBlock) {                                        \
            const float* in = rest.in[0];                                                                    \
            STORED* restrict out = rest.out;                                                                 \
            int32_t farthest = 0,                                                                            \
                    nearest = 0; /* bits of floats that are not negative, in their order; NaN last */        \
            for (int i = 0; i < kBlock; i++) {                                                               \
                const float steps = in[i] * inverse;                                                         \
                const float moved = steps + 12582912.0f; /* 1.5 * 2^23: rounds */                            \
                const float rest_of = fabsf(steps - (moved - 12582912.0f));                                  \
                const int32_t whole = (int32_t)(lite_float_to_bits(moved) - 0x4B400000u);                    \
                const int32_t off = (int32_t)lite_float_to_bits(rest_of);                                    \
                const int32_t size = (int32_t)(lite_float_to_bits(steps) & 0x7FFFFFFF);                      \
                nearest = off > nearest ? off : nearest;                                                     \
                farthest = size > farthest ? size : farthest;                                                \
                out[i] = (STORED)lite_clamp_i32(lite_wrapping_add(whole, q.zero_point), q.low, q.high);      \
            }                                                                                                \
            LiteRow block = rest;                                                                            \
            block.count = kBlock;                                                                            \
            if (nearest >= limit_off || farthest >= limit_size) f32_to_##SUFFIX(&block);                     \
            rest.in[0] = in + kBlock;                                                                        \
            rest.out = out + kBlock;                                                                         \
        }                                                                                                    \
        f32_to_##SUFFIX(&rest);                                                                              \
    }
NARROW(i8, int8_t)
NARROW(u8, uint8_t)

LITE_EXPORT_LOOPS(LiteRowFunction, lite_quantize_loop, (TfLiteType from, TfLiteType to, bool channels),
                  (from, to, channels)) {
    const bool real = from == kTfLiteFloat32;
    if (!LITE_HAS_TYPE(kTfLiteFloat32)) return NULL;
#define CHOOSE(SUFFIX, QUICK)                                                                                \
    if (channels) return real ? f32_to_##SUFFIX##_channels : SUFFIX##_to_f32_channels;                       \
    return real ? QUICK##f32_to_##SUFFIX : SUFFIX##_to_f32;
    switch (real ? to : to == kTfLiteFloat32 ? from : kTfLiteNoType) {
    case kTfLiteInt8:
        CHOOSE(i8, quick_)
    case kTfLiteUInt8:
        CHOOSE(u8, quick_)
    case kTfLiteInt16:
        if (!LITE_HAS_TYPE(kTfLiteInt16)) return NULL;
        CHOOSE(i16, )
    default:
        return NULL;
    }
}
