// SPDX-License-Identifier: Apache-2.0
// Two operators that run as one: the first computes a part of its output, and the second reads that part
// right away, on the same thread. The part stays in that processor's caches, and the tensor between the two
// needs no memory. core/graph/join.c finds such pairs. The methods below belong to an operator beside those
// of TfLiteOperator.
#ifndef CORE_BASE_LINES_H_
#define CORE_BASE_LINES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

// Lines [first, end) of image `image`, and of each pixel the block of channels number `block`.
typedef struct LiteLineBlock {
    int32_t image;
    int32_t first;
    int32_t end;
    int32_t block;
} LiteLineBlock;

// A node that computes parts of its output, FLOAT32 [images, lines, columns, channels]. compute_lines is
// called by several threads at the same time.
typedef struct LiteLineSource {
    TfLiteOpaqueNode* node;
    size_t scratch; // bytes, a multiple of 64, that each thread lends to what follows
    // In invoke, once, before any thread computes.
    TfLiteStatus (*begin)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    // A block of the channels of lines [first, end) of an image, to out[end - first][columns][block].
    int32_t block; // channels that are computed together; the last block may have fewer
    void (*compute_lines)(const TfLiteOpaqueNode* node, const LiteLineBlock* what, void* scratch, float* out);
} LiteLineSource;

// What is above the first line and left of the first column of a picture, in a larger one.
typedef struct LiteBorder {
    int32_t above;
    int32_t left;
} LiteBorder;

struct LiteEpilogue;
struct LiteEpilogueStep;
struct LitePlaces;
struct LiteRowProduct;

// The methods are called after the prepare of both nodes; the next prepare ends what they agreed on.
typedef struct LiteLines {
    // The node gets ready to compute parts; source->begin stays NULL where it cannot. NULL: never can.
    TfLiteStatus (*offer)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteLineSource* source);
    // The node, whose input number `input` only it reads, may take that from `producer`, by the `offer` of
    // `lines`, or reads what `producer` reads, where its `find_border` says so. NULL: never does.
    TfLiteStatus (*join)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int input,
                         const struct LiteLines* lines, TfLiteOpaqueNode* producer, bool* joined);
    // Describes a node that is elementwise, or works on rows, as a step of an epilogue
    // (core/base/epilogue.h), all but where operands and result are. False: this one cannot be. NULL: none
    // can.
    bool (*describe)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, struct LiteEpilogueStep* step);
    // The node calls lite_epilogue_run for each part of its output, FLOAT32, when it has computed it. False:
    // this one does not. NULL: none does.
    bool (*take)(TfLiteOpaqueNode* node, const struct LiteEpilogue* epilogue);
    // Tells which outputs of the node are parts of an input, or inputs parts of the output
    // (core/base/places.h): its invoke copies these, and none that is there already. False: nothing is known.
    // NULL: none ever is.
    bool (*find_places)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, struct LitePlaces* places);
    // Tells where the input is in the output, both [images, lines, columns, channels], of a node that does no
    // more than to surround it with what stands for zero. False: this one does something else. NULL: all do.
    bool (*find_border)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteBorder* border);
    // Describes a node that is a product (core/base/row_product.h), and gets it ready; product->multiply
    // stays NULL where this one cannot compute some rows at a time. NULL: none can.
    TfLiteStatus (*product)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                            struct LiteRowProduct* product);
} LiteLines;

#endif
