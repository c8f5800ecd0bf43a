// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/quantize_loops.h"

#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/micro/micro.h"
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

#if defined(LITE_LOOPS) && defined(__AVX2__)
#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

// lite_quantize_one of eight elements before the limits: numbers that do not fit become the lowest one.
INLINE __m256i divide_8(const float* in, __m256 scale, __m256i zero) {
    const __m256 steps = _mm256_div_ps(_mm256_loadu_ps(in), scale);
    const __m256 sign = _mm256_and_ps(steps, _mm256_set1_ps(-0.0f));
    const __m256 almost_half = _mm256_or_ps(sign, _mm256_set1_ps(0x1.fffffep-2f));
    return _mm256_add_epi32(_mm256_cvttps_epi32(_mm256_add_ps(steps, almost_half)), zero);
}

static void vectors_f32_to_i16(const LiteRow* row) {
    const LiteQuantize q = *(const LiteQuantize*)row->params;
    const __m256 scale = _mm256_set1_ps(q.scale);
    const __m256i zero = _mm256_set1_epi32(q.zero_point);
    const __m256i low = _mm256_set1_epi16((int16_t)q.low), high = _mm256_set1_epi16((int16_t)q.high);
    LiteRow rest = *row;
    for (; rest.count >= 16; rest.count -= 16) {
        const float* in = rest.in[0];
        const __m256i packed = _mm256_packs_epi32(divide_8(in, scale, zero), divide_8(in + 8, scale, zero));
        const __m256i x = _mm256_permute4x64_epi64(packed, 0xD8);
        _mm256_storeu_si256(rest.out, _mm256_min_epi16(_mm256_max_epi16(x, low), high));
        rest.in[0] = in + 16;
        rest.out = (int16_t*)rest.out + 16;
    }
    f32_to_i16(&rest);
}

// `x` holds bytes as 32 bits.
INLINE void scale_8(__m256i x, const LiteQuantize* q, float* out) {
    const __m256 steps = _mm256_cvtepi32_ps(_mm256_sub_epi32(x, _mm256_set1_epi32(q->zero_point)));
    _mm256_storeu_ps(out, _mm256_mul_ps(_mm256_set1_ps(q->scale), steps));
}

#define TO_REAL(SUFFIX, STORED, EXTEND)                                                                      \
    static void vectors_##SUFFIX##_to_f32(const LiteRow* row) {                                              \
        const LiteQuantize q = *(const LiteQuantize*)row->params;                                            \
        LiteRow rest = *row;                                                                                 \
        for (; rest.count >= 16; rest.count -= 16) {                                                         \
            const STORED* in = rest.in[0];                                                                   \
            float* out = rest.out;                                                                           \
            scale_8(EXTEND(_mm_loadl_epi64((const __m128i*)(const void*)in)), &q, out);                      \
            scale_8(EXTEND(_mm_loadl_epi64((const __m128i*)(const void*)(in + 8))), &q, out + 8);            \
            rest.in[0] = in + 16;                                                                            \
            rest.out = out + 16;                                                                             \
        }                                                                                                    \
        SUFFIX##_to_f32(&rest);                                                                              \
    }
TO_REAL(i8, int8_t, _mm256_cvtepi8_epi32)
TO_REAL(u8, uint8_t, _mm256_cvtepu8_epi32)
#else
#define vectors_f32_to_i16 f32_to_i16
#define vectors_i8_to_f32 i8_to_f32
#define vectors_u8_to_f32 u8_to_f32
#endif

// By the reciprocal of the scale, in blocks; those with a result that may be wrong are divided.
static void by_micro(const LiteRow* row, LiteRowFunction divide) {
    const LiteQuantize* q = row->params;
    const LiteMicro* micro = lite_micro();
    const LiteFloatBytes scale = {q->scale, q->zero_point, q->low, q->high};
    const bool usual =
        q->scale > 1e-30f && q->scale < 1e30f && q->zero_point >= q->low && q->zero_point <= q->high;
    LiteRow rest = *row;
    while (usual && rest.count >= LITE_SUM_BLOCK) {
        const int count = rest.count < INT32_MAX ? (int)rest.count : INT32_MAX;
        const int done = micro->quantize_bytes(count, rest.in[0], &scale, rest.out);
        LiteRow block = rest;
        block.in[0] = (const float*)rest.in[0] + done;
        block.out = (uint8_t*)rest.out + done;
        block.count = rest.count - done < LITE_SUM_BLOCK ? rest.count - done : LITE_SUM_BLOCK;
        divide(&block);
        rest.in[0] = (const float*)block.in[0] + block.count;
        rest.out = (uint8_t*)block.out + block.count;
        rest.count -= done + block.count;
    }
    divide(&rest);
}

// 8 bits by the reciprocal of the scale, which divisions take several times as long as. Where |x / scale| is
// under kFar the product differs from the quotient by less than kNear. Blocks with a result that near to the
// middle between two numbers, or beyond that, are divided.
#define kBlock 64
#define kFar 1024.0f
#define kNear 0.00025f
#define NARROW(SUFFIX, STORED)                                                                               \
    static void quick_f32_to_##SUFFIX(const LiteRow* row) {                                                  \
        const LiteQuantize q = *(const LiteQuantize*)row->params;                                            \
        if (lite_micro()->quantize_bytes != NULL) {                                                          \
            by_micro(row, f32_to_##SUFFIX);                                                                  \
            return;                                                                                          \
        }                                                                                                    \
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
#define CHOOSE(SUFFIX, FROM_REAL, TO_REAL)                                                                   \
    if (channels) return real ? f32_to_##SUFFIX##_channels : SUFFIX##_to_f32_channels;                       \
    return real ? FROM_REAL##f32_to_##SUFFIX : TO_REAL##SUFFIX##_to_f32;
    switch (real ? to : to == kTfLiteFloat32 ? from : kTfLiteNoType) {
    case kTfLiteInt8:
        CHOOSE(i8, quick_, vectors_)
    case kTfLiteUInt8:
        CHOOSE(u8, quick_, vectors_)
    case kTfLiteInt16:
        if (!LITE_HAS_TYPE(kTfLiteInt16)) return NULL;
        CHOOSE(i16, vectors_, )
    default:
        return NULL;
    }
}
