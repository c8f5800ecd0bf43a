// SPDX-License-Identifier: Apache-2.0
// A product of FLOAT32 matrices that computes some rows at a time when it is asked to, as the first or the
// last of steps that run as one by rows (core/base/row_blocks.h). So attention does not need all of its
// scores in memory. core/graph/fuse.c finds such steps.
#ifndef CORE_BASE_ROW_PRODUCT_H_
#define CORE_BASE_ROW_PRODUCT_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

typedef struct LiteRowProduct {
    TfLiteOpaqueNode* node;
    int64_t rows;    // of one pair of matrices; what is asked for belongs to one
    int64_t columns; // of the result
    int tile;        // rows that are best computed together, or a multiple of it
    size_t scratch;  // bytes, a multiple of 64, that each thread lends to `multiply`
    // In invoke, once, before any thread computes. Works on all threads.
    TfLiteStatus (*begin)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    // Rows [first, first + count) of all pairs, to out[count][columns]. `left` has these rows of the left
    // operand; NULL: they are in its tensor. From any thread.
    void (*multiply)(const TfLiteOpaqueNode* node, const float* left, int64_t first, int64_t count,
                     void* scratch, float* out);
    // What the graph sets when the node is to get ready; the latter for the last step only.
    int64_t block; // at most so many rows are asked for at a time; 0: it only asks what the node can do
    size_t lent;   // bytes that the node lends, for an inference, to all that run as one
    int memory;    // the temporary of these bytes: the node sets its number
} LiteRowProduct;

#endif
