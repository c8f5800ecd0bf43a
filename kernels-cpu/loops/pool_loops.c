// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "core/semantics/quant.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/loops/pool_loops.h"
#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/types.h"

enum {
    kWide = 64,   // channels at a time, whose results stay in registers
    kRow = 128,   // bytes of one pixel's results
    kRoom = 2048, // elements of such parts
    kStep = 16,   // elements that are quick as one step
    // Elements that the narrowest type of a sum has room for, so that a mean is exact in single precision,
    // too: their sum and half their number have less than 23 bits.
    kFew = 128,
    kMany = 1 << 16, // the same of 32 bits, and double precision
};

#define INLINE static inline __attribute__((always_inline))
// A short loop that is to become vectors before anything unrolls it.
#define LOOP _Pragma("GCC unroll 1")

// What the ends of blocks need.
typedef struct Limits {
    float low, high;
    int32_t quantized_low, quantized_high;
    float count; // of the window's pixels
    float share; // 1 / count
    double wide_count;
} Limits;

INLINE Limits limits_of(const LitePoolLine* l) {
    const double count = (double)l->height * (double)l->width;
    return (Limits){l->low, l->high, l->quantized_low, l->quantized_high, (float)count, 1.0f / (float)count,
                    count};
}

// NaN stays NaN.
INLINE float clamped(float x, const Limits* limits) {
    return lite_clamp_f32(x, limits->low, limits->high);
}

INLINE int32_t clamped_integer(int32_t x, const Limits* limits) {
    return lite_clamp_i32(x, limits->quantized_low, limits->quantized_high);
}

// Means of integers, ties away from zero.
INLINE int32_t mean_of_few(int32_t sum, const Limits* limits) {
    const int32_t half = (int32_t)limits->count / 2;
    const int32_t moved = sum + (sum > 0 ? half : -half);
    return clamped_integer((int32_t)((float)moved / limits->count), limits);
}

INLINE int32_t mean_of_many(double sum, const Limits* limits) {
    const int64_t middle = (int64_t)limits->wide_count / 2;
    const double half = (double)middle;
    return clamped_integer((int32_t)((sum > 0.0 ? sum + half : sum - half) / limits->wide_count), limits);
}

// How many pixels' windows are computed line by line, so far as there is room for their results of `size`
// bytes each; 0: not one, single windows are faster.
INLINE int pixels_of_part(const LitePoolLine* l, size_t size) {
    const bool overlapping = l->step == l->depth && l->width > 1;
    if (l->channels >= kWide && !(overlapping && l->depth * size <= kRow)) return 0;
    const size_t window = (size_t)l->width * l->depth;
    if (l->depth != (size_t)l->channels || window > kRoom) return 0;
    return (int)((kRoom - window) / l->step) + 1;
}

// TERM is what `x` adds to a result, JOIN that of `all` and `x`, two results of type ALL; FINISH is of `all`.
#define DEFINE_POOL(NAME, TYPE, ALL, START, TERM, JOIN, FINISH)                                              \
    INLINE ALL NAME##_join(ALL all, ALL x) {                                                                 \
        return (ALL)(JOIN);                                                                                  \
    }                                                                                                        \
    INLINE ALL NAME##_term(TYPE x) {                                                                         \
        return (ALL)(TERM);                                                                                  \
    }                                                                                                        \
    INLINE TYPE NAME##_finish(ALL all, Limits limits) {                                                      \
        (void)limits;                                                                                        \
        return (TYPE)(FINISH);                                                                               \
    }                                                                                                        \
    /* kWide channels of a window. */                                                                        \
    INLINE void NAME##_block(const LitePoolLine* l, Limits limits, const TYPE* in, TYPE* restrict out) {     \
        ALL alls[kWide];                                                                                     \
        for (int i = 0; i < kWide; i++) alls[i] = (START);                                                   \
        for (int row = 0; row < l->height; row++, in += l->line) {                                           \
            const TYPE* pixel = in;                                                                          \
            for (int column = 0; column < l->width; column++, pixel += l->depth) {                           \
                for (int i = 0; i < kWide; i++) alls[i] = NAME##_join(alls[i], NAME##_term(pixel[i]));       \
            }                                                                                                \
        }                                                                                                    \
        for (int i = 0; i < kWide; i++) out[i] = NAME##_finish(alls[i], limits);                             \
    }                                                                                                        \
    /* Any number of channels of a window, one line after the other. */                                      \
    static void NAME##_window(const LitePoolLine* l, Limits limits, const TYPE* in, TYPE* restrict out) {    \
        ALL alls[kWide];                                                                                     \
        for (int i = 0; i < l->channels; i++) alls[i] = (START);                                             \
        for (int row = 0; row < l->height; row++, in += l->line) {                                           \
            const TYPE* pixel = in;                                                                          \
            for (int column = 0; column < l->width; column++, pixel += l->depth) {                           \
                for (int i = 0; i < l->channels; i++) alls[i] = NAME##_join(alls[i], NAME##_term(pixel[i])); \
            }                                                                                                \
        }                                                                                                    \
        for (int i = 0; i < l->channels; i++) out[i] = NAME##_finish(alls[i], limits);                       \
    }                                                                                                        \
    /* alls[i] = what is in v[i], v[i + depth], .. together. */                                              \
    INLINE void NAME##_across(ALL* restrict alls, const ALL* v, size_t depth, int width, size_t count) {     \
        if (width == 2) {                                                                                    \
            for (size_t i = 0; i < count; i++) alls[i] = NAME##_join(v[i], v[i + depth]);                    \
            return;                                                                                          \
        }                                                                                                    \
        if (width == 3) {                                                                                    \
            for (size_t i = 0; i < count; i++) {                                                             \
                alls[i] = NAME##_join(NAME##_join(v[i], v[i + depth]), v[i + 2 * depth]);                    \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        for (size_t i = 0; i < count; i++) alls[i] = v[i];                                                   \
        for (int k = 1; k < width; k++) {                                                                    \
            v += depth;                                                                                      \
            for (size_t i = 0; i < count; i++) alls[i] = NAME##_join(alls[i], v[i]);                         \
        }                                                                                                    \
    }                                                                                                        \
    /* The same of kStep elements. */                                                                        \
    INLINE void NAME##_step(ALL* restrict alls, const ALL* v, size_t depth, int width) {                     \
        if (width == 2) {                                                                                    \
            LOOP for (int i = 0; i < kStep; i++) alls[i] = NAME##_join(v[i], v[i + depth]);                  \
            return;                                                                                          \
        }                                                                                                    \
        if (width == 3) {                                                                                    \
            LOOP for (int i = 0; i < kStep; i++) {                                                           \
                alls[i] = NAME##_join(NAME##_join(v[i], v[i + depth]), v[i + 2 * depth]);                    \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        NAME##_across(alls, v, depth, width, kStep);                                                         \
    }                                                                                                        \
    /* Windows of all channels: first the lines of a picture together, then columns. */                      \
    static void NAME##_part(const LitePoolLine* l, Limits limits, int pixels, const TYPE* in,                \
                            TYPE* restrict out) {                                                            \
        ALL v[kRoom + kStep], alls[kRoom + kStep];                                                           \
        const size_t reads = (size_t)(pixels - 1) * l->step + (size_t)l->width * l->depth;                   \
        const size_t writes = (size_t)pixels * l->depth;                                                     \
        for (size_t i = 0; i < reads; i++) v[i] = NAME##_join(START, NAME##_term(in[i]));                    \
        for (size_t i = reads; i < reads + kStep; i++) v[i] = (START);                                       \
        for (int row = 1; row < l->height; row++) {                                                          \
            in += l->line;                                                                                   \
            for (size_t i = 0; i < reads; i++) v[i] = NAME##_join(v[i], NAME##_term(in[i]));                 \
        }                                                                                                    \
        if (l->step == l->depth) {                                                                           \
            NAME##_across(alls, v, l->depth, l->width, writes);                                              \
        } else { /* in whole steps: what is beyond a pixel comes from the next one again */                  \
            for (size_t p = 0; p < (size_t)pixels; p++) {                                                    \
                for (size_t c = 0; c < l->depth; c += kStep) {                                               \
                    NAME##_step(alls + p * l->depth + c, v + p * l->step + c, l->depth, l->width);           \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        for (size_t i = 0; i < writes; i++) out[i] = NAME##_finish(alls[i], limits);                         \
    }                                                                                                        \
    static void NAME(const LitePoolLine* l) {                                                                \
        const Limits limits = limits_of(l);                                                                  \
        const TYPE* in = l->in;                                                                              \
        TYPE* out = l->out;                                                                                  \
        const int most = pixels_of_part(l, sizeof(ALL));                                                     \
        int pixels = 1;                                                                                      \
        for (int p = 0; p < l->pixels;                                                                       \
             p += pixels, in += (size_t)pixels * l->step, out += (size_t)pixels * l->depth) {                \
            if (most > 0) {                                                                                  \
                pixels = l->pixels - p < most ? l->pixels - p : most;                                        \
                NAME##_part(l, limits, pixels, in, out);                                                     \
            } else if (l->channels >= kWide) {                                                               \
                int c = 0;                                                                                   \
                for (; c + kWide <= l->channels; c += kWide) NAME##_block(l, limits, in + c, out + c);       \
                c = l->channels - kWide; /* some again, where they are no whole blocks */                    \
                if (l->channels % kWide != 0) NAME##_block(l, limits, in + c, out + c);                      \
            } else {                                                                                         \
                NAME##_window(l, limits, in, out);                                                           \
            }                                                                                                \
        }                                                                                                    \
    }

// Builds for size do with the same sums in a wider type.
#ifdef __OPTIMIZE_SIZE__
enum { kForSize = true };
#else
enum { kForSize = false };
#endif

// Extremes are clamped in their own type, of which a vector has more.
#define DEFINE_INTEGER(SUFFIX, TYPE, FEW, LOWEST)                                                            \
    INLINE TYPE clamped_##SUFFIX(TYPE x, const Limits* limits) {                                             \
        const TYPE low = (TYPE)limits->quantized_low, high = (TYPE)limits->quantized_high;                   \
        const TYPE raised = x < low ? low : x;                                                               \
        return raised > high ? high : raised;                                                                \
    }                                                                                                        \
    DEFINE_POOL(max_##SUFFIX, TYPE, TYPE, LOWEST, x, x > all ? x : all, clamped_##SUFFIX(all, &limits))      \
    DEFINE_POOL(average_few_##SUFFIX, TYPE, FEW, 0, x, all + x, mean_of_few(all, &limits))                   \
    DEFINE_POOL(average_many_##SUFFIX, TYPE, int32_t, 0, x, all + x, mean_of_many(all, &limits))             \
    DEFINE_POOL(average_any_##SUFFIX, TYPE, int64_t, 0, x, all + x, mean_of_many((double)all, &limits))      \
    static void average_##SUFFIX(const LitePoolLine* l) {                                                    \
        const int64_t count = (int64_t)l->height * l->width;                                                 \
        if (count <= kFew && !kForSize) {                                                                    \
            average_few_##SUFFIX(l);                                                                         \
        } else if (count < kMany) {                                                                          \
            average_many_##SUFFIX(l);                                                                        \
        } else {                                                                                             \
            average_any_##SUFFIX(l);                                                                         \
        }                                                                                                    \
    }
DEFINE_INTEGER(i8, int8_t, int16_t, INT8_MIN)
DEFINE_INTEGER(u8, uint8_t, int16_t, 0)
DEFINE_INTEGER(i16, int16_t, int32_t, INT16_MIN)

DEFINE_POOL(max_f32, float, float, -INFINITY, x, x > all ? x : all, clamped(all, &limits))
DEFINE_POOL(average_f32, float, float, 0.0f, x, all + x, clamped(all* limits.share, &limits))
DEFINE_POOL(l2_f32, float, float, 0.0f, x* x, all + x, clamped(sqrtf(all / limits.count), &limits))

LITE_EXPORT_LOOPS(LitePoolLoop, lite_pool_loop, (LitePool pool, TfLiteType type), (pool, type)) {
    const bool max = lite_has_MAX_POOL_2D && pool == kLitePoolMax;
    const bool average = lite_has_AVERAGE_POOL_2D && pool == kLitePoolAverage;
    const bool l2 = lite_has_L2_POOL_2D && pool == kLitePoolL2;
#define CHOOSE(SUFFIX, OTHER)                                                                                \
    (!LITE_HAS_TYPE(type_##SUFFIX) ? NULL : max ? max_##SUFFIX : average ? average_##SUFFIX : (OTHER))
    switch (type) {
    case kTfLiteFloat32:
        return CHOOSE(f32, l2 ? l2_f32 : NULL);
    case kTfLiteUInt8:
        return CHOOSE(u8, NULL);
    case kTfLiteInt8:
        return CHOOSE(i8, NULL);
    default:
        return CHOOSE(i16, NULL);
    }
}
