// SPDX-License-Identifier: Apache-2.0
// Sizes of tensors, and how they change.
#ifndef CORE_GRAPH_TENSOR_H_
#define CORE_GRAPH_TENSOR_H_

#include "core/graph/types.h"

TfLiteIntArray* lite_ints_copy(const int* data, int count); // NULL: out of memory

// False for strings, and for handles of resources and variants.
bool lite_tensor_has_fixed_size(TfLiteType type);
// Bytes of a tensor with these dimensions; 0 for types without a fixed size. Reports.
TfLiteStatus lite_tensor_size(LiteSubgraph* subgraph, const TfLiteTensor* tensor, const TfLiteIntArray* dims,
                              size_t* bytes);
// Gives a tensor the dimensions `dims`, which it owns from now on, and frees the old ones. `dims` is freed on
// failure.
TfLiteStatus lite_tensor_resize(LiteSubgraph* subgraph, TfLiteTensor* tensor, TfLiteIntArray* dims);
// Gives an arena's tensor memory of its own, for contents that do not change (kTfLitePersistentRo), and back.
TfLiteStatus lite_tensor_make_persistent(LiteSubgraph* subgraph, TfLiteTensor* tensor);
void lite_tensor_leave_persistent(LiteSubgraph* subgraph, TfLiteTensor* tensor);

// The tensor, kTfLiteCustom, lies in the caller's memory if that is large enough for its size as it is now,
// and nowhere else.
void lite_tensor_place_custom(LiteSubgraph* subgraph, TfLiteTensor* tensor);

// What TfLiteTensor.params says of a quantization: its one scale and zero point; 0 where there are others.
TfLiteQuantizationParams lite_tensor_legacy_quantization(const TfLiteQuantization* quantization);

#endif
