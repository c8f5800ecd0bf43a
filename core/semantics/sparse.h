// SPDX-License-Identifier: Apache-2.0
// Sparse tensors of the model format: dimensions in a traversal order, each dense or compressed (CSR), the
// last ones possibly blocks of earlier ones.
#ifndef CORE_SEMANTICS_SPARSE_H_
#define CORE_SEMANTICS_SPARSE_H_

#include "core/base/shape.h"
#include "core/base/status.h"

// Writes the dense form of `values` (value_bytes long, elements of `element` bytes) to `dense`, which has
// room for all elements of `shape` and is zeroed first. `op` is the operator that messages name.
TfLiteStatus lite_sparse_expand(const LiteReporter* reporter, const char* op, const TfLiteSparsity* sparsity,
                                const LiteShape* shape, size_t element, const void* values,
                                size_t value_bytes, void* dense);

#endif
