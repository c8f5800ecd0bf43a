// SPDX-License-Identifier: Apache-2.0
// Windows of AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D: where they are (pool.c), and what is computed of
// them (pool_loops.c).
#ifndef KERNELS_CPU_LOOPS_POOL_LOOPS_H_
#define KERNELS_CPU_LOOPS_POOL_LOOPS_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

typedef enum LitePool { kLitePoolAverage, kLitePoolMax, kLitePoolL2 } LitePool;

// Neighbouring outputs of a line, whose windows have the same part inside the picture. Distances are in
// elements.
typedef struct LitePoolLine {
    int channels; // that are computed; from one pixel to the next it is `depth`
    int pixels;
    int height; // of the windows, at least 1
    int width;
    size_t depth;
    const void* in;
    size_t step; // from one window to the next
    size_t line; // from one line of the picture to the next
    void* out;
    float low; // limits of the results
    float high;
    int32_t quantized_low;
    int32_t quantized_high;
} LitePoolLine;

// NaN never is the largest; the largest of none is -infinity.
typedef void (*LitePoolLoop)(const LitePoolLine* line);
LitePoolLoop lite_pool_loop(LitePool pool, TfLiteType type);

#endif
