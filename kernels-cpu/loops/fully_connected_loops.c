// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/fully_connected_loops.h"
#include "kernels-cpu/loops/loops.h"

// What is added to a number before its fraction is dropped. 1/2 would take the greatest number below it to 1.
#define HALF 0x1.fffffffffffffp-2

static void scale_sums(int count, const int32_t* restrict sums, const double* restrict scales,
                       int32_t zero_point, int32_t low, int32_t high, uint8_t* restrict out) {
    const double least = (double)low - zero_point,
                 most = (double)high - zero_point; // whole, so clamp comes first
    for (int i = 0; i < count; i++) {
        double x = (double)sums[i] * scales[i];
        x = x > least ? x : least;
        x = x < most ? x : most;
        out[i] = (uint8_t)((int32_t)(x + (x < 0.0 ? -HALF : HALF)) + zero_point);
    }
}

LITE_EXPORT_LOOPS(LiteScaleSums, lite_scale_sums, (void), ()) {
    return scale_sums;
}
