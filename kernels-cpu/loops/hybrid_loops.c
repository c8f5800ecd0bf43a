// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/hybrid_loops.h"

#include <math.h>
#include <string.h>

#include "core/semantics/half.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/loops/loops.h"

#define INFINITE 0x7F800000u
#define SIGN 0x80000000u

static void extremes_of_any(const float* in, int64_t count, float* low, float* high) {
    *low = *high = 0.0f;
    for (int64_t i = 0; i < count; i++) {
        *low = in[i] < *low ? in[i] : *low;
        *high = in[i] > *high ? in[i] : *high;
    }
}

// The bits of floats that are not negative are ordered as they are, and those of negative ones by their
// magnitudes; NaN are beyond all. Compilers make vectors of the greatest integer, which they do not of the
// greatest float.
static void extremes(const float* in, int64_t count, float* low, float* high) {
    uint32_t below = 0;
    int32_t above = 0;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t bits = lite_float_to_bits(in[i]);
        const int32_t bits_or_less = (int32_t)bits;
        below = bits > below ? bits : below;
        above = bits_or_less > above ? bits_or_less : above;
    }
    if (below > (SIGN | INFINITE) || above > (int32_t)INFINITE) {
        extremes_of_any(in, count, low, high);
        return;
    }
    *low = below > SIGN ? lite_float_from_bits(below) : 0.0f;
    *high = lite_float_from_bits((uint32_t)above);
}

// What is added to a number before its fraction is dropped. 1/2 would take the greatest number below it to 1.
#define ALMOST_HALF 0x1.fffffep-2f

enum { kBlock = 64 }; // bytes of the largest vector

typedef struct Range {
    float inverse, least, most; // whole numbers, so that clamp comes first
    int32_t zero_point;
} Range;

static inline __attribute__((always_inline)) void quantize_block(const float* in, const Range* range,
                                                                 int8_t* restrict out) {
    const Range r = *range;
    for (int i = 0; i < kBlock; i++) {
        const float x = in[i] * r.inverse;
        const float above = x > r.least ? x : r.least;
        const float within = above < r.most ? above : r.most;
        const int32_t q = (int32_t)(within + copysignf(ALMOST_HALF, within)) + r.zero_point;
        out[i] = (int8_t)(q & -(x == x));
    }
}

static void quantize(const float* in, int64_t count, float inverse, int32_t zero_point, int32_t low,
                     int8_t* restrict out) {
    const Range range = {inverse, (float)(low - zero_point), (float)(127 - zero_point), zero_point};
    int64_t i = 0;
    for (; i + kBlock <= count; i += kBlock) quantize_block(in + i, &range, out + i);
    if (i == count) return;
    float rest[kBlock] = {0};
    int8_t bytes[kBlock];
    memcpy(rest, in + i, (size_t)(count - i) * sizeof *rest);
    quantize_block(rest, &range, bytes);
    memcpy(out + i, bytes, (size_t)(count - i));
}

static void subtract(int rows, int columns, const int32_t* zero_points, const int32_t* column_sums,
                     int32_t* restrict sums, size_t step) {
    for (int r = 0; r < rows; r++, sums += step) {
        const uint32_t zero_point = (uint32_t)zero_points[r];
        for (int i = 0; i < columns; i++)
            sums[i] = (int32_t)((uint32_t)sums[i] - zero_point * (uint32_t)column_sums[i]);
    }
}

// One loop for each thing that a row may lack.
#define SCALE(WEIGHT, BIAS)                                                                                  \
    for (int i = 0; i < s.columns; i++) {                                                                    \
        out[i] = lite_clamp_f32((float)sums[i] * (scale * s.weights[WEIGHT]) BIAS, s.low, s.high);           \
    }

static void scale_rows(const LiteHybridSums* all) {
    const LiteHybridSums s = *all;
    for (int r = 0; r < s.rows; r++) {
        const float scale = s.scales[(size_t)r * s.scales_step];
        const int32_t* sums = s.sums + (size_t)r * s.sums_step;
        float* restrict out = s.out + (size_t)r * s.out_step;
        if (s.bias != NULL) {
            if (s.is_per_channel) SCALE(i, +s.bias[i]) else SCALE(0, +s.bias[i])
        } else {
            if (s.is_per_channel) SCALE(i, ) else SCALE(0, )
        }
    }
}

LITE_EXPORT_LOOPS(LiteHybridLoops, lite_hybrid_loops, (void), ()) {
    return (LiteHybridLoops){extremes, quantize, subtract, scale_rows};
}
