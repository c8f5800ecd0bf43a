// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/hybrid_loops.h"

#include "core/semantics/quant.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/loops/vector_math.h"

static void extremes(const float* in, int64_t count, float* low, float* high) {
    enum { kLanes = 32 };
    float lows[kLanes] = {0}, highs[kLanes] = {0};
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (int k = 0; k < kLanes; k++) lows[k] = in[i + k] < lows[k] ? in[i + k] : lows[k];
        for (int k = 0; k < kLanes; k++) highs[k] = in[i + k] > highs[k] ? in[i + k] : highs[k];
    }
    float least = 0.0f, most = 0.0f;
    for (; i < count; i++) {
        least = in[i] < least ? in[i] : least;
        most = in[i] > most ? in[i] : most;
    }
    for (int k = 0; k < kLanes; k++) {
        least = lows[k] < least ? lows[k] : least;
        most = highs[k] > most ? highs[k] : most;
    }
    *low = least;
    *high = most;
}

static void quantize(const float* in, int64_t count, float inverse, int32_t zero_point, int32_t low,
                     int8_t* restrict out) {
    const float far = 512.0f; // beyond what any zero point brings back into the range
    for (int64_t i = 0; i < count; i++) {
        const float x = in[i] * inverse;
        const float above = lite_choose(x > -far, x, -far);
        const int32_t q = lite_round_to_integer(lite_choose(above < far, above, far)) + zero_point;
        out[i] = (int8_t)(lite_clamp_i32(q, low, 127) & -(x == x));
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
