// SPDX-License-Identifier: Apache-2.0
// Buffers that the program has registered.
#ifndef DELEGATE_OPENCL_ASYNC_BUFFERS_H_
#define DELEGATE_OPENCL_ASYNC_BUFFERS_H_

#include "delegate-opencl/async/state.h"

// NULL: no buffer has the handle. With the mutex held.
LiteClBuffer* lite_cl_async_find_buffer(LiteClAsync* async, TfLiteBufferHandle handle);

// Functions of the kernel.

TfLiteStatus lite_cl_async_register_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                           TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                           const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle);
TfLiteStatus lite_cl_async_register_slice(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle pool, const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle);
TfLiteStatus lite_cl_async_unregister_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                             TfLiteBufferHandle handle);

#endif
