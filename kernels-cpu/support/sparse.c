// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/sparse.h"

#include "core/semantics/sparse.h"

TfLiteStatus lite_sparse_view_expand(TfLiteOpaqueContext* context, const char* op, const LiteView* view,
                                     void* dense) {
    const LiteReporter reporter = lite_kernel_reporter(context);
    return lite_sparse_expand(&reporter, op, lite_kernel_sparsity(view), &view->shape,
                              lite_type_size(view->type), view->data, view->bytes, dense);
}
