// SPDX-License-Identifier: Apache-2.0
// Outputs whose shape is computed, from shapes or from contents of other tensors.
#ifndef KERNELS_CPU_SUPPORT_SIZE_H_
#define KERNELS_CPU_SUPPORT_SIZE_H_

#include "kernels-cpu/support/check.h"
#include "kernels-cpu/support/ints.h"

// Appends a dimension; an error when it is negative or too large, or the rank exceeds LITE_MAX_RANK.
TfLiteStatus lite_size_append(TfLiteOpaqueContext* context, const char* op, LiteShape* shape, int64_t length);

// The product of dimensions [first, end), from the left; an error where it exceeds 32 bits on the way, as in
// the reference also beside a dimension of 0.
TfLiteStatus lite_size_product(TfLiteOpaqueContext* context, const char* op, const LiteShape* shape,
                               int first, int end, int64_t* product);

// Computes the shape of output 0 from shapes and contents of inputs.
typedef TfLiteStatus (*LiteShapeRule)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape);

// In prepare: output 0 is sized now when the inputs in `contents` (a bit for each index) are constants, else
// in invoke. String outputs are always sized in invoke, as their bytes are known only there.
TfLiteStatus lite_size_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                              uint32_t contents, LiteShapeRule rule);

// In invoke: the view of output 0, sized first when that was put off.
TfLiteStatus lite_size_output_view(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   LiteShapeRule rule, LiteView* output);

#endif
