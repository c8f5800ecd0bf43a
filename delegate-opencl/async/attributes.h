// SPDX-License-Identifier: Apache-2.0
// What programs and the delegate agree on: types of buffers and synchronization objects, alignment, size.
#ifndef DELEGATE_OPENCL_ASYNC_ATTRIBUTES_H_
#define DELEGATE_OPENCL_ASYNC_ATTRIBUTES_H_

#include "delegate-opencl/async/state.h"

// The type of buffers of this name; kLiteClMemoryTypes when there is none.
LiteClMemoryType lite_cl_async_memory_type(const char* name);
// How addresses, or offsets, of buffers of the type are aligned, in bytes.
size_t lite_cl_async_alignment(const LiteClAsync* async, LiteClMemoryType type);

// Functions of the kernel.

void lite_cl_async_buffer_types(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                const char* const** types, size_t* n_types);
void lite_cl_async_synchronizations(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                    const char* const** types, size_t* n_types);
bool lite_cl_async_reconcile(const TfLiteAsyncKernel* kernel, const TfLiteOpaqueContext* context,
                             const TfLiteOpaqueNode* node, int tensor_index, const TfLiteAttributeMap* attrs,
                             TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);
TfLiteStatus lite_cl_async_set_attributes(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                          TfLiteOpaqueNode* node, int tensor_index,
                                          const TfLiteAttributeMap* attrs);

#endif
