// SPDX-License-Identifier: Apache-2.0
// The contents of inputs that may be sparse (lite_kernel_sparse_input).
#ifndef KERNELS_CPU_SUPPORT_SPARSE_H_
#define KERNELS_CPU_SUPPORT_SPARSE_H_

#include "kernels-cpu/support/kernel.h"

// Writes the dense form of a sparse tensor to `dense`, which has room for it.
TfLiteStatus lite_sparse_view_expand(TfLiteOpaqueContext* context, const char* op, const LiteView* view,
                                     void* dense);

#endif
