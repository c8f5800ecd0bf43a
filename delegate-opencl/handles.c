// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/handles.h"

#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/shared.h"

static TfLiteStatus copy_from_handle(TfLiteContext* context, TfLiteDelegate* delegate,
                                     TfLiteBufferHandle handle, TfLiteTensor* tensor) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    return lite_cl_bindings_copy(&lite_cl_shared_of(delegate)->bindings, handle, tensor, true, &reporter);
}

static TfLiteStatus copy_to_handle(TfLiteContext* context, TfLiteDelegate* delegate,
                                   TfLiteBufferHandle handle, TfLiteTensor* tensor) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    return lite_cl_bindings_copy(&lite_cl_shared_of(delegate)->bindings, handle, tensor, false, &reporter);
}

static void free_handle(TfLiteContext* context, TfLiteDelegate* delegate, TfLiteBufferHandle* handle) {
    (void)context;
    lite_cl_bindings_drop(&lite_cl_shared_of(delegate)->bindings, *handle);
    *handle = kTfLiteNullBufferHandle;
}

void lite_cl_handles_install(TfLiteDelegate* delegate) {
    delegate->CopyFromBufferHandle = copy_from_handle;
    delegate->CopyToBufferHandle = copy_to_handle;
    delegate->FreeBufferHandle = free_handle;
}
