// SPDX-License-Identifier: Apache-2.0
// TfLiteAsyncKernel*: the functions by which a delegate runs a graph asynchronously.
#include "core/base/async.h"
#include "core/base/memory.h"

TfLiteAsyncKernel* TfLiteAsyncKernelCreate(void* kernel_data) {
    TfLiteAsyncKernel* kernel = lite_calloc(1, sizeof *kernel);
    if (kernel != NULL) kernel->kernel_data = kernel_data;
    return kernel;
}

void TfLiteAsyncKernelDelete(TfLiteAsyncKernel* kernel) {
    lite_free(kernel);
}

void* TfLiteAsyncKernelGetKernelData(const TfLiteAsyncKernel* async_kernel) {
    return async_kernel ? async_kernel->kernel_data : NULL;
}

#define DEFINE_SETTER(Method, method, result, ...)                                                           \
    void TfLiteAsyncKernelSet##Method(TfLiteAsyncKernel* async_kernel, result (*method)(__VA_ARGS__)) {      \
        if (async_kernel) async_kernel->method = method;                                                     \
    }

DEFINE_SETTER(RegisterBuffer, register_buffer, TfLiteStatus, TfLiteAsyncKernel*, TfLiteOpaqueContext*,
              TfLiteIoType, const TfLiteBackendBuffer*, const TfLiteAttributeMap*, TfLiteBufferHandle)
DEFINE_SETTER(RegisterBufferSlice, register_buffer_slice, TfLiteStatus, TfLiteAsyncKernel*,
              TfLiteOpaqueContext*, TfLiteBufferHandle, const TfLiteAttributeMap*, TfLiteBufferHandle)
DEFINE_SETTER(UnregisterBuffer, unregister_buffer, TfLiteStatus, TfLiteAsyncKernel*, TfLiteOpaqueContext*,
              TfLiteBufferHandle)
DEFINE_SETTER(SupportedBufferTypes, supported_buffer_types, void, const TfLiteAsyncKernel*, TfLiteIoType,
              const char* const**, size_t*)
DEFINE_SETTER(SupportedSynchronizations, supported_synchronizations, void, const TfLiteAsyncKernel*,
              TfLiteIoType, const char* const**, size_t*)
DEFINE_SETTER(ReconcileRestrictions, reconcile_restrictions, bool, const TfLiteAsyncKernel*,
              const TfLiteOpaqueContext*, const TfLiteOpaqueNode*, int, const TfLiteAttributeMap*,
              TfLiteAttributeMap*, TfLiteAttributeMap*)
DEFINE_SETTER(SetAttributes, set_attributes, TfLiteStatus, TfLiteAsyncKernel*, TfLiteOpaqueContext*,
              TfLiteOpaqueNode*, int, const TfLiteAttributeMap*)
DEFINE_SETTER(SetBufferAttributes, set_buffer_attributes, TfLiteStatus, TfLiteAsyncKernel*,
              const TfLiteBackendBuffer*, const TfLiteAttributeMap*)
DEFINE_SETTER(GetBufferAttributes, get_buffer_attributes, TfLiteStatus, TfLiteAsyncKernel*,
              const TfLiteBackendBuffer*, TfLiteAttributeMap*)
DEFINE_SETTER(Prepare, prepare, TfLiteStatus, TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*)
DEFINE_SETTER(Eval, eval, TfLiteStatus, TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteOpaqueNode*,
              TfLiteExecutionTask*)
DEFINE_SETTER(Wait, wait, TfLiteStatus, TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteExecutionTask*)
DEFINE_SETTER(Finish, finish, TfLiteStatus, TfLiteAsyncKernel*, TfLiteOpaqueContext*, TfLiteExecutionTask*)
