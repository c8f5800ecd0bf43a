// SPDX-License-Identifier: Apache-2.0
// Operators that work hand in hand: one computes some channels of some lines of its output at a time, the
// other reads them right away, on the same thread. They stay in that processor's first cache, and the tensor
// between the two needs no memory. core/graph/join.c finds such pairs; what follows are methods beside those
// of TfLiteOperator.
#ifndef CORE_BASE_LINES_H_
#define CORE_BASE_LINES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

typedef struct LiteLineBlock {
    int32_t image;
    int32_t first;
    int32_t end;
    int32_t block;
} LiteLineBlock;

// A node that computes lines of its output, FLOAT32 [images, lines, columns, channels].
typedef struct LiteLineSource {
    TfLiteOpaqueNode* node;
    int32_t block;  // channels that are computed together; the last block may have fewer
    size_t scratch; // bytes, a multiple of 64, that each thread lends to `compute`
    // In invoke, once, before any thread computes.
    TfLiteStatus (*begin)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    // A block of the channels of lines [first, end) of an image, to out[end - first][columns][block]. Called
    // by several threads at the same time.
    void (*compute)(const TfLiteOpaqueNode* node, const struct LiteLineBlock* what, void* scratch,
                    float* out);
} LiteLineSource;

// Both methods are called after the prepare of both nodes; the next prepare ends what they agreed on.
typedef struct LiteLines {
    // The node gets ready to compute lines; source->compute stays NULL where it cannot. NULL: never can.
    TfLiteStatus (*offer)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteLineSource* source);
    // The node, whose input 0 only it reads, may take that from `producer`, by the `offer` of `lines`. NULL:
    // never does.
    TfLiteStatus (*join)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const struct LiteLines* lines,
                         TfLiteOpaqueNode* producer, bool* joined);
} LiteLines;

#endif
