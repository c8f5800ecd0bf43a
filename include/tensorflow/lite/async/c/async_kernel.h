// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution, for delegates: the functions that implement TfLiteAsyncSignatureRunner.
//
// A delegate whose kernel runs a whole graph creates an async kernel, for example in the init of its kernel.
// The function set with TfLiteOperatorSetAsyncKernel returns it. The delegate owns it and deletes it together
// with its kernel, in the operator's free function and not earlier. By then the runtime has finished all
// tasks.
//
// All functions should be set. A program that calls a missing one receives an error.
#ifndef TENSORFLOW_LITE_ASYNC_C_ASYNC_KERNEL_H_
#define TENSORFLOW_LITE_ASYNC_C_ASYNC_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/lite/async/c/types.h"
#include "tensorflow/lite/async/interop/c/attribute_map.h"
#include "tensorflow/lite/async/interop/c/types.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates a kernel without functions. Returns NULL when memory runs out. `kernel_data` remains the caller's.
TFL_CAPI_EXPORT extern TfLiteAsyncKernel* TfLiteAsyncKernelCreate(void* kernel_data);
// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelDelete(TfLiteAsyncKernel* kernel);

// Returns what was given to TfLiteAsyncKernelCreate.
TFL_CAPI_EXPORT extern void* TfLiteAsyncKernelGetKernelData(const TfLiteAsyncKernel* async_kernel);

// ---- Buffers ----

// Registers a buffer under `handle`, which the runtime has chosen, or refuses it. `attrs` is a map for
// buffers. The wrapper and the map may be deleted after the call; the buffer lives until it is unregistered.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetRegisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle));

// Registers a part of a registered buffer. The kernel must check that `buffer_pool` is a registered buffer
// and not a slice, and that the part lies within it.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetRegisterBufferSlice(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer_slice)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle buffer_pool, const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle));

// Unregisters a buffer or a slice; fails for unknown handles.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetUnregisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*unregister_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle));

// ---- Agreement with the program ----

// Store the names of the types that the kernel supports. The arrays live as long as the kernel.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSupportedBufferTypes(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_buffer_types)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                   const char* const** types, size_t* n_types));
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSupportedSynchronizations(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_synchronizations)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                       const char* const** types, size_t* n_types));

// Combines a program's attributes with the kernel's own into `merged`. The map says whether they describe a
// tensor's buffer or its synchronization object. Attributes that the kernel does not know are copied. Returns
// whether the attributes could be combined, and stores those that could not in `conflict`, which may be NULL.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetReconcileRestrictions(
    TfLiteAsyncKernel* async_kernel,
    bool (*reconcile_restrictions)(const TfLiteAsyncKernel* async_kernel, const TfLiteOpaqueContext* context,
                                   const TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* user_provided_attributes,
                                   TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict));

// Accepts a tensor's attributes, or refuses them when they do not satisfy what the kernel demands.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSetAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_attributes)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* attrs));

// Change and return the attributes of a registered buffer. They exist for delegates that share kernels: no
// function of the runner calls them.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_buffer_attributes)(TfLiteAsyncKernel* async_kernel, const TfLiteBackendBuffer* buffer,
                                          const TfLiteAttributeMap* attrs));
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetGetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*get_buffer_attributes)(TfLiteAsyncKernel* async_kernel, const TfLiteBackendBuffer* buffer,
                                          TfLiteAttributeMap* attrs));

// Prepares the kernel for execution with the attributes that were set.
TFL_CAPI_EXPORT extern void
TfLiteAsyncKernelSetPrepare(TfLiteAsyncKernel* async_kernel,
                            TfLiteStatus (*prepare)(TfLiteAsyncKernel* async_kernel,
                                                    TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));

// ---- Execution ----

// Schedules an execution with the buffers and synchronization objects of `task`, which is not in flight.
// task.h says who provides and who closes synchronization objects. An object that several inputs share is
// closed once. When several outputs want an object, each receives its own.
TFL_CAPI_EXPORT extern void
TfLiteAsyncKernelSetEval(TfLiteAsyncKernel* async_kernel,
                         TfLiteStatus (*eval)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                              TfLiteOpaqueNode* node, TfLiteExecutionTask* task));

// Waits until a scheduled execution is done. It is called once for each scheduled execution. When the program
// waits on several threads, it is called on each at the same time, and all calls must return the same status.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetWait(TfLiteAsyncKernel* async_kernel,
                                                     TfLiteStatus (*wait)(TfLiteAsyncKernel* async_kernel,
                                                                          TfLiteOpaqueContext* context,
                                                                          TfLiteExecutionTask* task));

// Waits for an execution that is still running, and releases what the kernel keeps for a task. It is called
// exactly once for each task, also for one that was never scheduled. It must release everything even when it
// fails.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetFinish(TfLiteAsyncKernel* async_kernel,
                                                       TfLiteStatus (*finish)(TfLiteAsyncKernel* async_kernel,
                                                                              TfLiteOpaqueContext* context,
                                                                              TfLiteExecutionTask* task));

#ifdef __cplusplus
}
#endif

#endif
