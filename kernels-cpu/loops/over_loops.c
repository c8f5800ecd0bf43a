// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/over_loops.h"

#include "core/semantics/quant.h"
#include "kernels-cpu/loops/binary_loops.h"
#include "kernels-cpu/loops/formulas.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/support/selected.h"
#ifdef __AVX512F__
#include "kernels-cpu/loops/vector_math_avx512.h"
#endif

// Numbers that are worked on at a time: one or more vectors.
enum { kSome = 16 };

// RUN(i, count) computes elements [i, i + count) of each row; rows that follow each other are one.
#define RUN_BLOCK(BLOCK, RUN)                                                                                \
    do {                                                                                                     \
        const bool is_one = (BLOCK)->step == (BLOCK)->columns;                                               \
        const int64_t rows = is_one ? 1 : (BLOCK)->rows;                                                     \
        const int64_t columns = is_one ? (BLOCK)->rows * (BLOCK)->columns : (BLOCK)->columns;                \
        for (int64_t r = 0; r < rows; r++) {                                                                 \
            const int64_t end = r * (BLOCK)->step + columns;                                                 \
            int64_t i = r * (BLOCK)->step;                                                                   \
            for (; i + kSome <= end; i += kSome) RUN(i, kSome);                                              \
            if (i < end) RUN(i, end - i);                                                                    \
        }                                                                                                    \
    } while (0)

#define DEFINE_UNARY(NAME, FUNCTION)                                                                         \
    static void NAME##_over(const LiteBlock* block) {                                                        \
        float* out = block->out;                                                                             \
        RUN_BLOCK(block, FUNCTION);                                                                          \
    }

#define HARD_SWISH(FIRST, COUNT)                                                                             \
    for (int64_t k = 0; k < (COUNT); k++) out[(FIRST) + k] = apply_HARD_SWISH_f32(out[(FIRST) + k], 0.0f)
DEFINE_UNARY(HARD_SWISH, HARD_SWISH)

#ifdef __AVX512F__
static inline void logistic_times(float* out, int64_t count) {
    const __mmask16 mask = (__mmask16)((1u << count) - 1);
    const __m512 x = _mm512_maskz_loadu_ps(mask, out);
    _mm512_mask_storeu_ps(out, mask, _mm512_mul_ps(x, lite_logisticf_512(x)));
}
#define LOGISTIC_TIMES(FIRST, COUNT) logistic_times(out + (FIRST), COUNT)
#else
#define LOGISTIC_TIMES(FIRST, COUNT)                                                                         \
    for (int64_t k = 0; k < (COUNT); k++) out[(FIRST) + k] *= lite_logisticf(out[(FIRST) + k])
#endif
DEFINE_UNARY(LOGISTIC_TIMES, LOGISTIC_TIMES)

#define ADD(FIRST, COUNT)                                                                                    \
    for (int64_t k = 0; k < (COUNT); k++) {                                                                  \
        out[(FIRST) + k] = lite_clamp_f32(out[(FIRST) + k] + other[(FIRST) + k], low, high);                 \
    }
static void ADD_over(const LiteBlock* block) {
    const LiteBinaryRange* range = block->params;
    const float low = range->low.f32, high = range->high.f32;
    const float* other = block->other;
    float* restrict out = block->out;
    RUN_BLOCK(block, ADD);
}

LITE_EXPORT_LOOPS(LiteBlockFunction, lite_unary_over_loop, (LiteUnary op), (op)) {
    return LITE_HAS_TYPE(kTfLiteFloat32) && lite_has_HARD_SWISH && op == kLiteUnaryHARD_SWISH
               ? HARD_SWISH_over
               : NULL;
}

LITE_EXPORT_LOOPS(LiteBlockFunction, lite_unary_times_over_loop, (LiteUnary op), (op)) {
    return LITE_HAS_TYPE(kTfLiteFloat32) && lite_has_LOGISTIC && op == kLiteUnaryLOGISTIC
               ? LOGISTIC_TIMES_over
               : NULL;
}

LITE_EXPORT_LOOPS(LiteBlockFunction, lite_binary_over_loop, (LiteBinary op), (op)) {
    return LITE_HAS_TYPE(kTfLiteFloat32) && lite_has_ADD && op == kLiteBinaryADD ? ADD_over : NULL;
}
