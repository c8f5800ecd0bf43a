// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/hybrid_loops.h"

#include <math.h>

#include "core/semantics/quant.h"
#include "kernels-cpu/loops/loops.h"

static void extremes(const float* in, int64_t count, float* low, float* high) {
    enum { kLanes = 16 };
    float lows[kLanes] = {0}, highs[kLanes] = {0};
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (int k = 0; k < kLanes; k++) lows[k] = in[i + k] < lows[k] ? in[i + k] : lows[k];
        for (int k = 0; k < kLanes; k++) highs[k] = in[i + k] > highs[k] ? in[i + k] : highs[k];
    }
    for (int k = 0; k < count - i; k++) lows[k] = in[i + k] < lows[k] ? in[i + k] : lows[k];
    for (int k = 0; k < count - i; k++) highs[k] = in[i + k] > highs[k] ? in[i + k] : highs[k];
#pragma GCC unroll 4
    for (int half = kLanes / 2; half > 0; half /= 2) {
        for (int k = 0; k < half; k++) lows[k] = lows[k + half] < lows[k] ? lows[k + half] : lows[k];
        for (int k = 0; k < half; k++) highs[k] = highs[k + half] > highs[k] ? highs[k + half] : highs[k];
    }
    *low = lows[0];
    *high = highs[0];
}

// What is added to a number before its fraction is dropped. 1/2 would take the greatest number below it to 1.
#define ALMOST_HALF 0x1.fffffep-2f

static void quantize(const float* in, int64_t count, float inverse, int32_t zero_point, int32_t low,
                     int8_t* restrict out) {
    const float least = (float)(low - zero_point),
                most = (float)(127 - zero_point); // whole, so clamp comes first
    for (int64_t i = 0; i < count; i++) {
        const float x = in[i] * inverse;
        const float above = x > least ? x : least;
        const float within = above < most ? above : most;
        const int32_t q = (int32_t)(within + copysignf(ALMOST_HALF, within)) + zero_point;
        out[i] = (int8_t)(q & -(x == x));
    }
}

// One loop for each thing that a row may lack.
#define SCALE(WEIGHT, BIAS)                                                                                  \
    for (int i = 0; i < s.columns; i++) {                                                                    \
        out[i] = lite_clamp_f32((float)sums[i] * (s.scale * s.weights[WEIGHT]) BIAS, s.low, s.high);         \
    }

static void scale(const LiteHybridSums* all) {
    const LiteHybridSums s = *all;
    for (int r = 0; r < s.rows; r++) {
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
    return (LiteHybridLoops){extremes, quantize, scale};
}
