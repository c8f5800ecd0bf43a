// SPDX-License-Identifier: Apache-2.0
// Outputs whose shape is computed, from shapes or from contents of other tensors.
#ifndef KERNELS_CPU_SUPPORT_SIZE_H_
#define KERNELS_CPU_SUPPORT_SIZE_H_

#include "kernels-cpu/support/check.h"
#include "kernels-cpu/support/ints.h"

// Appends a dimension; an error when it is negative or too large, or the rank exceeds LITE_MAX_RANK.
TfLiteStatus lite_size_append(TfLiteOpaqueContext* context, const char* op, LiteShape* shape, int64_t length);

// Computes the shape of output 0 from shapes and contents of inputs.
typedef TfLiteStatus (*LiteShapeRule)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape);

typedef TfLiteStatus (*LiteInvoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);

// In prepare: output 0 is sized now when the inputs in `contents` (a bit for each index) are constants, else
// in invoke. String outputs are always sized in invoke, as their bytes are known only there.
//
// Integers that follow from constants alone are computed at once, by `invoke`, and are constants from then
// on: so the shapes of graphs that compute with shapes are known before the first inference. `invoke` NULL:
// never.
TfLiteStatus lite_size_output(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                              uint32_t contents, LiteShapeRule rule, LiteInvoke invoke);

// The same for operators that know the shape of their output: `known` says that its contents follow from
// constants, and from shapes.
TfLiteStatus lite_size_known(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                             const LiteShape* shape, bool known, LiteInvoke invoke);
// In prepare: gives an output its shape and memory at once, for contents that prepare itself writes (fetch
// the view afterwards) and that are a constant for what reads them.
TfLiteStatus lite_size_constant(TfLiteOpaqueContext* context, TfLiteOpaqueTensor* tensor,
                                const LiteShape* shape);
// Are all inputs constants?
bool lite_size_inputs_constant(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);

// In invoke: the view of output 0, sized first when that was put off.
TfLiteStatus lite_size_output_view(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                   LiteShapeRule rule, LiteView* output);

#endif
