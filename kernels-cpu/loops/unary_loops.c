// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/unary_loops.h"
#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"
#ifdef __AVX512F__
#include "kernels-cpu/loops/vector_math_avx512.h"
#endif

// A loop of each formula for each type. The table below names those that the lines ask for; the compiler
// drops the others.
#define DEFINE_LOOP(SUFFIX, NAME)                                                                            \
    static void NAME##_##SUFFIX(const LiteRow* row) {                                                        \
        const float alpha = ((const LiteUnaryParams*)row->params)->alpha;                                    \
        const stored_##SUFFIX* in = row->in[0];                                                              \
        stored_##SUFFIX* out = row->out;                                                                     \
        const int64_t count = row->count;                                                                    \
        for (int64_t i = 0; i < count; i++) {                                                                \
            out[i] = store_##SUFFIX(apply_##NAME##_##SUFFIX(load_##SUFFIX(in[i]), alpha));                   \
        }                                                                                                    \
    }
#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER) LITE_EACH_SUFFIX(DEFINE_LOOP, NAME)
#define UNARY_FORM(NAME, OPERATOR, PLAIN, REAL) LITE_EACH_SUFFIX(DEFINE_LOOP, NAME)
#include "core/elementwise.def"

// The exceptions: functions of their own, where the formula is not as quick or not what the reference
// computes.
#define UNARY_BOTH(NAME, FUNCTION, X) X(NAME, f32, FUNCTION) X(NAME, f16, FUNCTION)
#define FUNCTIONS(X)                                                                                         \
    UNARY_BOTH(GELU, lite_geluf, X)                                                                          \
    UNARY_BOTH(GELU_TANH, lite_gelu_tanhf, X)                                                                \
    UNARY_BOTH(LOGISTIC, lite_logisticf, X)                                                                  \
    X(LOGISTIC, bf16, lite_logisticf)
#define DEFINE_FUNCTION(NAME, SUFFIX, FUNCTION)                                                              \
    static void NAME##_##SUFFIX##_function(const LiteRow* row) {                                             \
        const stored_##SUFFIX* in = row->in[0];                                                              \
        stored_##SUFFIX* out = row->out;                                                                     \
        const int64_t count = row->count;                                                                    \
        for (int64_t i = 0; i < count; i++) out[i] = store_##SUFFIX(FUNCTION(load_##SUFFIX(in[i])));         \
    }
FUNCTIONS(DEFINE_FUNCTION)

#ifdef __AVX512F__
#define FUNCTIONS_512(X)                                                                                     \
    X(EXP, f32, lite_expf_512(x))                                                                            \
    X(LOGISTIC, f32, lite_logisticf_512(x))
#define DEFINE_512(NAME, SUFFIX, RESULT)                                                                     \
    static void NAME##_##SUFFIX##_512(const LiteRow* row) {                                                  \
        const float* in = row->in[0];                                                                        \
        float* out = row->out;                                                                               \
        int64_t i = 0;                                                                                       \
        for (; i + 16 <= row->count; i += 16) {                                                              \
            const __m512 x = _mm512_loadu_ps(in + i);                                                        \
            _mm512_storeu_ps(out + i, RESULT);                                                               \
        }                                                                                                    \
        const __mmask16 rest = (__mmask16)((1u << (row->count - i)) - 1);                                    \
        const __m512 x = _mm512_maskz_loadu_ps(rest, in + i);                                                \
        _mm512_mask_storeu_ps(out + i, rest, RESULT);                                                        \
    }
FUNCTIONS_512(DEFINE_512)
DEFINE_512(LOGISTIC_TIMES, f32, _mm512_mul_ps(x, lite_logisticf_512(x)))
#define LOGISTIC_TIMES LOGISTIC_TIMES_f32_512
#else
#define FUNCTIONS_512(X)
#define LITE_LOGISTIC_TIMES(x) ((x)*lite_logisticf(x))
DEFINE_FUNCTION(LOGISTIC_TIMES, f32, LITE_LOGISTIC_TIMES)
#define LOGISTIC_TIMES LOGISTIC_TIMES_f32_function
#endif

// Functions for most numbers: those whose bits in MASK are less than COUNT from FIRST on. Where there are
// others math.h does the work, for each of them: what becomes of the others does not depend on them.
#define SIGNLESS 0x7FFFFFFFu
#define WAVE_COUNT 0x46000001u // up to LITE_WAVE_LIMIT
#define SINE(x) lite_wavef(x, 0)
#define COSINE(x) lite_wavef(x, 1)
#define NORMAL_COUNT (LITE_INFINITE - LITE_MIN_NORMAL)
#define PIECEWISE(X)                                                                                         \
    X(SIN, f32, SINE, SIGNLESS, 0u, WAVE_COUNT)                                                              \
    X(SIN, f16, SINE, SIGNLESS, 0u, WAVE_COUNT)                                                              \
    X(COS, f32, COSINE, SIGNLESS, 0u, WAVE_COUNT)                                                            \
    X(COS, f16, COSINE, SIGNLESS, 0u, WAVE_COUNT)                                                            \
    X(LOG, f32, lite_log_normalf, ~0u, LITE_MIN_NORMAL, NORMAL_COUNT)                                        \
    X(LOG, f16, lite_log_normalf, ~0u, LITE_MIN_NORMAL, NORMAL_COUNT)                                        \
    X(RSQRT, f32, lite_rsqrt_normalf, ~0u, LITE_MIN_NORMAL, NORMAL_COUNT)                                    \
    X(RSQRT, f16, lite_rsqrt_normalf, ~0u, LITE_MIN_NORMAL, NORMAL_COUNT)
enum { kPiece = 256 };
#define DEFINE_PIECEWISE(NAME, SUFFIX, FUNCTION, MASK, FIRST, COUNT)                                         \
    static void NAME##_##SUFFIX##_piecewise(const LiteRow* row) {                                            \
        for (int64_t first = 0; first < row->count; first += kPiece) {                                       \
            const stored_##SUFFIX* in = (const stored_##SUFFIX*)row->in[0] + first;                          \
            stored_##SUFFIX* restrict out = (stored_##SUFFIX*)row->out + first;                              \
            const int count = row->count - first < kPiece ? (int)(row->count - first) : kPiece;              \
            uint32_t furthest = 0;                                                                           \
            for (int i = 0; i < count; i++) {                                                                \
                const float x = load_##SUFFIX(in[i]);                                                        \
                const uint32_t distance = (lite_float_to_bits(x) & (MASK)) - (FIRST);                        \
                furthest = distance > furthest ? distance : furthest;                                        \
                out[i] = store_##SUFFIX(FUNCTION(x));                                                        \
            }                                                                                                \
            for (int i = 0; i < count && furthest >= (COUNT); i++) {                                         \
                const float x = load_##SUFFIX(in[i]);                                                        \
                if ((lite_float_to_bits(x) & (MASK)) - (FIRST) < (COUNT)) continue;                          \
                out[i] = store_##SUFFIX(apply_##NAME##_##SUFFIX(x, 0.0f));                                   \
            }                                                                                                \
        }                                                                                                    \
    }
PIECEWISE(DEFINE_PIECEWISE)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" // exceptions replace the loops of formulas
LITE_EXPORT_LOOPS(LiteRowFunction, lite_unary_loop, (LiteUnary op, TfLiteType type), (op, type)) {
    enum { kTypes = kTfLiteFloat8E5M2 + 1, lite_has_GELU_TANH = lite_has_GELU };
    static const LiteRowFunction loops[kLiteUnaryCount][kTypes] = {
#define SELECTED(NAME, SUFFIX, LOOP) lite_has_##NAME&& LITE_HAS_TYPE(type_##SUFFIX) ? LOOP : NULL
#define ENTRY(SUFFIX, NAME, PLAIN)                                                                           \
    [kLiteUnary##NAME][type_##SUFFIX] =                                                                      \
        LITE_SET_HAS(PLAIN, SUFFIX) ? SELECTED(NAME, SUFFIX, NAME##_##SUFFIX) : NULL,
#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER) LITE_EACH_SUFFIX(ENTRY, NAME, PLAIN)
#define UNARY_FORM(NAME, OPERATOR, PLAIN, REAL) LITE_EACH_SUFFIX(ENTRY, NAME, PLAIN)
#include "core/elementwise.def"
#define FUNCTION_ENTRY(NAME, SUFFIX, ...)                                                                    \
    [kLiteUnary##NAME][type_##SUFFIX] = SELECTED(NAME, SUFFIX, NAME##_##SUFFIX##_function),
#define PIECEWISE_ENTRY(NAME, SUFFIX, ...)                                                                   \
    [kLiteUnary##NAME][type_##SUFFIX] = SELECTED(NAME, SUFFIX, NAME##_##SUFFIX##_piecewise),
#define ENTRY_512(NAME, SUFFIX, RESULT)                                                                      \
    [kLiteUnary##NAME][type_##SUFFIX] = SELECTED(NAME, SUFFIX, NAME##_##SUFFIX##_512),
        FUNCTIONS(FUNCTION_ENTRY) PIECEWISE(PIECEWISE_ENTRY) FUNCTIONS_512(ENTRY_512)};
    return (unsigned)type < kTypes ? loops[op][type] : NULL;
}
#pragma GCC diagnostic pop

LITE_EXPORT_LOOPS(LiteRowFunction, lite_unary_times_loop, (LiteUnary op, TfLiteType type), (op, type)) {
    if (op != kLiteUnaryLOGISTIC || type != kTfLiteFloat32 || !LITE_HAS_TYPE(kTfLiteFloat32)) return NULL;
    return lite_has_LOGISTIC ? LOGISTIC_TIMES : NULL;
}

// The reference interpolates in a table of 1 / (1 + exp(-x)). Positions are |x| times the multiplier, of
// which the lowest `bits` say where between two entries; there are none beyond the last one. Reading the
// table is the only step that is not done in vectors.
enum { kBlock = 64 };

static inline const LiteUnaryTables* tables_of(const LiteRow* row) {
    return ((const LiteUnaryParams*)row->params)->tables;
}

#define SIGMOID(NAME, BITS, DOWN, POSITIVE, NEGATIVE)                                                        \
    static void NAME##_block(const LiteUnaryTables* tables, const int16_t* in, int count,                    \
                             int16_t* restrict out) {                                                        \
        const int32_t multiplier = tables->rule.scale.multiplier.value;                                      \
        const int shift = tables->rule.scale.multiplier.shift;                                               \
        const int before = shift > 0 ? shift - 1 : 0; /* the bit that rounds */                              \
        const int32_t rounds = shift > 0;                                                                    \
        int32_t positions[kBlock], indices[kBlock], steps[kBlock];                                           \
        for (int i = 0; i < count; i++) {                                                                    \
            const int32_t product = in[i] * multiplier;                                                      \
            const int32_t position = (product >> shift) + ((product >> before) & rounds);                    \
            const int32_t index = (position < 0 ? -position : position) >> (BITS);                           \
            positions[i] = position;                                                                         \
            indices[i] = index < 255 ? index : 255;                                                          \
        }                                                                                                    \
        for (int i = 0; i < count; i++) steps[i] = (int32_t)tables->steps[indices[i]];                       \
        for (int i = 0; i < count; i++) {                                                                    \
            const int32_t position = positions[i], magnitude = position < 0 ? -position : position;          \
            const int32_t here = steps[i] >> 16 & 0xFFFF, next = steps[i] & 0xFFFF;                          \
            const int32_t value = (here << (BITS)) + (magnitude & ((1 << (BITS)) - 1)) * (next - here);      \
            out[i] = (int16_t)((position >= 0 ? (POSITIVE) : (NEGATIVE)) >> (DOWN));                         \
        }                                                                                                    \
    }                                                                                                        \
    static void NAME(const LiteRow* row) {                                                                   \
        const int16_t* in = row->in[0];                                                                      \
        int16_t* out = row->out;                                                                             \
        int64_t at = 0;                                                                                      \
        for (; at + kBlock <= row->count; at += kBlock)                                                      \
            NAME##_block(tables_of(row), in + at, kBlock, out + at);                                         \
        NAME##_block(tables_of(row), in + at, (int)(row->count - at), out + at);                             \
    }
SIGMOID(logistic, 9, 10, value + (1 << 9), (1 << 25) - value + (1 << 9) - 1)
// 2 * logistic(2x) - 1
SIGMOID(hyperbolic_tangent, 8, 8, value - (1 << 23) + (1 << 7), -value + (1 << 23) + (1 << 7) - 1)

LITE_EXPORT_LOOPS(LiteRowFunction, lite_unary_sigmoid_loop, (LiteUnary op), (op)) {
    if (!LITE_HAS_TYPE(kTfLiteInt16)) return NULL;
    return op == kLiteUnaryTANH ? hyperbolic_tangent : logistic;
}
