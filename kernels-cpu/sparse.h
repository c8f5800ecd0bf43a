// SPDX-License-Identifier: Apache-2.0
// Inputs that may be sparse.
#ifndef KERNELS_CPU_SPARSE_H_
#define KERNELS_CPU_SPARSE_H_

#include "core/base/sparse.h"
#include "kernels-cpu/kernel.h"

// As lite_input, which refuses sparse tensors, for an input that may be one: its bytes are the stored
// elements' then.
TfLiteStatus lite_sparse_input(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               int index, LiteView* view);

// The sparsity of a tensor; NULL when it is dense.
const TfLiteSparsity* lite_sparsity(const LiteView* view);

// Writes the dense form of a sparse tensor to `dense`, which has room for it.
TfLiteStatus lite_sparse_view_expand(TfLiteOpaqueContext* context, const char* op, const LiteView* view,
                                     void* dense);

#endif
