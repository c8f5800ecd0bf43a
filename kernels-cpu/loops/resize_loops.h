// SPDX-License-Identifier: Apache-2.0
// Rows of images that RESIZE_BILINEAR interpolates.
#ifndef KERNELS_CPU_LOOPS_RESIZE_LOOPS_H_
#define KERNELS_CPU_LOOPS_RESIZE_LOOPS_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

// One output coordinate between two of the input: `fraction` of the way, in single precision for FLOAT32 and
// UINT8 as the reference does it, in units of 1 / 1024 for INT8 and INT16. UINT8 may have both.
typedef struct LiteResizeSample {
    int32_t low, high;
    float fraction;
    int32_t fraction_10;
} LiteResizeSample;

// A row of the output from two of the input, which may be the same one.
typedef struct LiteResizeRow {
    const void* low;
    const void* high;
    LiteResizeSample y;
    const LiteResizeSample* columns; // one for each pixel of the output
    bool exact; // UINT8: all fractions are multiples of 1 / 128, of which floats round nothing
    int32_t width;
    int32_t depth;
    void* to;
} LiteResizeRow;

// For FLOAT32, UINT8, INT8 and INT16.
typedef void (*LiteResizeRowFunction)(const LiteResizeRow* row);
LiteResizeRowFunction lite_resize_row(TfLiteType type);

#endif
