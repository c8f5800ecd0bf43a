// SPDX-License-Identifier: Apache-2.0
// Sparse tensors of the model format: dimensions in a traversal order, each dense or compressed (CSR), the
// last ones possibly blocks of earlier ones.
#ifndef KERNELS_CPU_SPARSE_H_
#define KERNELS_CPU_SPARSE_H_

#include "core/base/shape.h"
#include "kernels-cpu/kernel.h"

// As lite_input, which refuses sparse tensors, for an input that may be one: its bytes are the stored
// elements' then.
TfLiteStatus lite_sparse_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               int index, LiteView* view);

// The sparsity of a tensor; NULL when it is dense.
const TfLiteSparsity* lite_sparsity(const LiteView* view);

// Writes the dense form of `values` (value_bytes long, elements of `element` bytes) to `dense`, which has
// room for all elements of `shape` and is zeroed first.
TfLiteStatus lite_sparse_expand(TfLiteOpaqueContext* context, const char* op, const TfLiteSparsity* sparsity,
                                const LiteShape* shape, size_t element, const void* values,
                                size_t value_bytes, void* dense);

#endif
