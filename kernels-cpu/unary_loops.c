// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/formulas.h"
#include "kernels-cpu/half_math.h"
#include "kernels-cpu/loops.h"
#include "kernels-cpu/selected.h"
#include "kernels-cpu/unary.h"

// LOOPS(X): X(operator, type) for every function there is.
#define UNARY_REAL(NAME, X) X(NAME, f32) X(NAME, f16)
#define LOOPS(X)                                                                                             \
    UNARY_REAL(ABS, X)                                                                                       \
    UNARY_REAL(CEIL, X)                                                                                      \
    UNARY_REAL(ELU, X)                                                                                       \
    X(EXP, f32)                                                                                              \
    UNARY_REAL(FLOOR, X)                                                                                     \
    X(HARD_SWISH, f32)                                                                                       \
    UNARY_REAL(LEAKY_RELU, X)                                                                                \
    UNARY_REAL(NEG, X)                                                                                       \
    UNARY_REAL(RELU, X)                                                                                      \
    UNARY_REAL(RELU6, X)                                                                                     \
    X(RELU_0_TO_1, f32)                                                                                      \
    UNARY_REAL(RELU_N1_TO_1, X)                                                                              \
    UNARY_REAL(ROUND, X)                                                                                     \
    UNARY_REAL(SQRT, X)                                                                                      \
    UNARY_REAL(SQUARE, X)                                                                                    \
    UNARY_REAL(TANH, X)                                                                                      \
    X(SIGN, f32)                                                                                             \
    X(SIGN, f64)                                                                                             \
    X(FLOOR, bf16)                                                                                           \
    X(NEG, bf16)                                                                                             \
    X(ROUND, bf16)                                                                                           \
    X(TANH, bf16)                                                                                            \
    X(ABS, i16)                                                                                              \
    X(ABS, i32)                                                                                              \
    X(NEG, i8)                                                                                               \
    X(NEG, i16)                                                                                              \
    X(NEG, i32)                                                                                              \
    X(NEG, i64)                                                                                              \
    X(SIGN, i32)

// Integers; the lowest value is its own negative.
#define INTEGER(NAME, SUFFIX, RESULT)                                                                        \
    static inline value_##SUFFIX apply_##NAME##_##SUFFIX(value_##SUFFIX x, float alpha) {                    \
        (void)alpha;                                                                                         \
        return (value_##SUFFIX)(RESULT);                                                                     \
    }
INTEGER(ABS, i16, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
INTEGER(ABS, i32, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
INTEGER(NEG, i8, 0u - (uint32_t)x)
INTEGER(NEG, i16, 0u - (uint32_t)x)
INTEGER(NEG, i32, 0u - (uint32_t)x)
INTEGER(NEG, i64, 0u - (uint64_t)x)
INTEGER(SIGN, i32, (x > 0) - (x < 0))

#define DEFINE_LOOP(NAME, SUFFIX)                                                                            \
    static void NAME##_##SUFFIX(const LiteRow* row) {                                                        \
        const float alpha = ((const LiteUnaryParams*)row->params)->alpha;                                    \
        const stored_##SUFFIX* in = row->in[0];                                                              \
        stored_##SUFFIX* out = row->out;                                                                     \
        const int64_t count = row->count;                                                                    \
        for (int64_t i = 0; i < count; i++) {                                                                \
            out[i] = store_##SUFFIX(apply_##NAME##_##SUFFIX(load_##SUFFIX(in[i]), alpha));                   \
        }                                                                                                    \
    }
LOOPS(DEFINE_LOOP)

// Functions of their own, where the formula is not as quick or not what the reference computes.
#define UNARY_BOTH(NAME, FUNCTION, X) X(NAME, f32, FUNCTION) X(NAME, f16, FUNCTION)
#define FUNCTIONS(X)                                                                                         \
    UNARY_BOTH(GELU, lite_geluf, X)                                                                          \
    UNARY_BOTH(GELU_TANH, lite_gelu_tanhf, X)                                                                \
    UNARY_BOTH(LOGISTIC, lite_logisticf, X)                                                                  \
    X(EXP, f16, lite_exp_half)                                                                               \
    X(HARD_SWISH, f16, lite_hard_swish_half)                                                                 \
    X(LOG, f16, lite_log_half)                                                                               \
    X(LOGISTIC, bf16, lite_logisticf)
#define DEFINE_FUNCTION(NAME, SUFFIX, FUNCTION)                                                              \
    static void NAME##_##SUFFIX(const LiteRow* row) {                                                        \
        const stored_##SUFFIX* in = row->in[0];                                                              \
        stored_##SUFFIX* out = row->out;                                                                     \
        const int64_t count = row->count;                                                                    \
        for (int64_t i = 0; i < count; i++) out[i] = store_##SUFFIX(FUNCTION(load_##SUFFIX(in[i])));         \
    }
FUNCTIONS(DEFINE_FUNCTION)

// Functions for most numbers: those whose bits in MASK are less than COUNT from FIRST on. Where there are
// others math.h does the work: in pieces, so that a few do not make all slow.
#define SIGNLESS 0x7FFFFFFFu
#define WAVE_COUNT 0x46000001u // up to LITE_WAVE_LIMIT
#define SINE(x) lite_wavef(x, 0)
#define COSINE(x) lite_wavef(x, 1)
#define NORMAL_COUNT (LITE_INFINITE - LITE_LEAST_NORMAL)
#define PIECEWISE(X)                                                                                         \
    X(SIN, f32, SINE, SIGNLESS, 0u, WAVE_COUNT)                                                              \
    X(SIN, f16, SINE, SIGNLESS, 0u, WAVE_COUNT)                                                              \
    X(COS, f32, COSINE, SIGNLESS, 0u, WAVE_COUNT)                                                            \
    X(COS, f16, COSINE, SIGNLESS, 0u, WAVE_COUNT)                                                            \
    X(LOG, f32, lite_log_normalf, ~0u, LITE_LEAST_NORMAL, NORMAL_COUNT)                                      \
    X(RSQRT, f32, lite_rsqrt_normalf, ~0u, LITE_LEAST_NORMAL, NORMAL_COUNT)                                  \
    X(RSQRT, f16, lite_rsqrt_normalf, ~0u, LITE_LEAST_NORMAL, NORMAL_COUNT)
enum { kPiece = 256 };
#define DEFINE_PIECEWISE(NAME, SUFFIX, FUNCTION, MASK, FIRST, COUNT)                                         \
    static void NAME##_##SUFFIX(const LiteRow* row) {                                                        \
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
                out[i] = store_##SUFFIX(apply_##NAME##_##SUFFIX(load_##SUFFIX(in[i]), 0.0f));                \
            }                                                                                                \
        }                                                                                                    \
    }
PIECEWISE(DEFINE_PIECEWISE)

LITE_EXPORT_LOOPS(LiteRowFunction, lite_unary_loop, (LiteUnary op, TfLiteType type), (op, type)) {
    enum { kTypes = kTfLiteFloat8E5M2 + 1, lite_has_GELU_TANH = lite_has_GELU };
    static const LiteRowFunction loops[kLiteUnaryCount][kTypes] = {
#define ENTRY(NAME, SUFFIX)                                                                                  \
    [kLiteUnary##NAME][type_##SUFFIX] =                                                                      \
        lite_has_##NAME && LITE_HAS_TYPE(type_##SUFFIX) ? NAME##_##SUFFIX : NULL,
#define OTHER_ENTRY(NAME, SUFFIX, ...) ENTRY(NAME, SUFFIX)
        LOOPS(ENTRY) FUNCTIONS(OTHER_ENTRY) PIECEWISE(OTHER_ENTRY)};
    return (unsigned)type < kTypes ? loops[op][type] : NULL;
}

// The reference interpolates in a table of 1 / (1 + exp(-x)). Positions are |x| times the multiplier, of
// which the lowest `bits` say where between two entries; there are none beyond the last one. Reading the
// table is the only step that is not done in vectors.
enum { kBlock = 64 };

#define SIGMOID(NAME, BITS, DOWN, POSITIVE, NEGATIVE)                                                        \
    static void NAME##_block(const LiteUnaryParams* params, const int16_t* in, int count,                    \
                             int16_t* restrict out) {                                                        \
        const int32_t multiplier = params->rule.scale.multiplier.value;                                      \
        const int shift = params->rule.scale.multiplier.shift;                                               \
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
        for (int i = 0; i < count; i++) steps[i] = (int32_t)params->table.steps[indices[i]];                 \
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
            NAME##_block(row->params, in + at, kBlock, out + at);                                            \
        NAME##_block(row->params, in + at, (int)(row->count - at), out + at);                                \
    }
SIGMOID(logistic, 9, 10, value + (1 << 9), (1 << 25) - value + (1 << 9) - 1)
// 2 * logistic(2x) - 1
SIGMOID(hyperbolic_tangent, 8, 8, value - (1 << 23) + (1 << 7), -value + (1 << 23) + (1 << 7) - 1)

LITE_EXPORT_LOOPS(LiteRowFunction, lite_unary_sigmoid_loop, (LiteUnary op), (op)) {
    if (!LITE_HAS_TYPE(kTfLiteInt16)) return NULL;
    return op == kLiteUnaryTANH ? hyperbolic_tangent : logistic;
}
