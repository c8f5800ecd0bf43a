// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution, for delegates: the functions behind TfLiteAsyncSignatureRunner.
//
// A delegate whose kernel runs a whole graph makes an async kernel, for instance in the kernel's init, and
// gives it out by the function set with TfLiteOperatorSetAsyncKernel. The delegate owns it: it is deleted
// with the kernel, in the operator's free function, not earlier. Until then the runtime has finished all
// tasks.
//
// All functions should be set; calling one that is missing is an error for the program that does.
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

// A kernel without functions; NULL when out of memory. `kernel_data` stays the caller's.
TFL_CAPI_EXPORT extern TfLiteAsyncKernel* TfLiteAsyncKernelCreate(void* kernel_data);
// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelDelete(TfLiteAsyncKernel* kernel);

// What was given to TfLiteAsyncKernelCreate.
TFL_CAPI_EXPORT extern void* TfLiteAsyncKernelGetKernelData(const TfLiteAsyncKernel* async_kernel);

// ---- Buffers ----

// Takes note of a buffer under `handle`, which the runtime has chosen, or refuses it. `attrs` is a map for
// buffers. Wrapper and map may be gone after the call; the buffer lives until it is unregistered.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetRegisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle));

// The same for a part of a registered buffer. It is for the kernel to check that `buffer_pool` is a
// registered buffer, not itself a slice, and that the part lies within it.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetRegisterBufferSlice(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer_slice)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle buffer_pool, const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle));

// Forgets a buffer or slice; fails for handles it does not know.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetUnregisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*unregister_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle));

// ---- Agreement with the program ----

// Tell the names of what the kernel takes; the arrays live as long as the kernel.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSupportedBufferTypes(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_buffer_types)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                   const char* const** types, size_t* n_types));
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSupportedSynchronizations(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_synchronizations)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                       const char* const** types, size_t* n_types));

// Combines a program's attributes for a tensor's buffer or synchronization object, whichever the map is for,
// with the kernel's own, into `merged`; attributes that it does not know are taken over. Returns whether that
// was possible, and puts into `conflict`, which may be NULL, what was not.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetReconcileRestrictions(
    TfLiteAsyncKernel* async_kernel,
    bool (*reconcile_restrictions)(const TfLiteAsyncKernel* async_kernel, const TfLiteOpaqueContext* context,
                                   const TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* user_provided_attributes,
                                   TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict));

// Takes note of a tensor's attributes, or refuses them when they do not cover what the kernel needs.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSetAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_attributes)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* attrs));

// Change and tell the attributes of a registered buffer. Kept for delegates that share kernels: no function
// of the runner calls them.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetSetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_buffer_attributes)(TfLiteAsyncKernel* async_kernel, const TfLiteBackendBuffer* buffer,
                                          const TfLiteAttributeMap* attrs));
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetGetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*get_buffer_attributes)(TfLiteAsyncKernel* async_kernel, const TfLiteBackendBuffer* buffer,
                                          TfLiteAttributeMap* attrs));

// Makes ready for execution with the attributes that were set.
TFL_CAPI_EXPORT extern void
TfLiteAsyncKernelSetPrepare(TfLiteAsyncKernel* async_kernel,
                            TfLiteStatus (*prepare)(TfLiteAsyncKernel* async_kernel,
                                                    TfLiteOpaqueContext* context, TfLiteOpaqueNode* node));

// ---- Execution ----

// Schedules an execution with the buffers and synchronization objects in `task`, which is not in flight
// already. See task.h for who provides and who closes synchronization objects: where several inputs have the
// same one it is closed once, and where several outputs want one each gets its own.
TFL_CAPI_EXPORT extern void
TfLiteAsyncKernelSetEval(TfLiteAsyncKernel* async_kernel,
                         TfLiteStatus (*eval)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                              TfLiteOpaqueNode* node, TfLiteExecutionTask* task));

// Waits until a scheduled execution is done. Called once for each that was scheduled, and at the same time on
// several threads if the program waits there: all must return the same.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetWait(TfLiteAsyncKernel* async_kernel,
                                                     TfLiteStatus (*wait)(TfLiteAsyncKernel* async_kernel,
                                                                          TfLiteOpaqueContext* context,
                                                                          TfLiteExecutionTask* task));

// Releases what the kernel keeps for a task, after waiting for an execution that is still going on. Called
// exactly once for each task, also for one that was never scheduled; after a failure nothing may be left.
TFL_CAPI_EXPORT extern void TfLiteAsyncKernelSetFinish(TfLiteAsyncKernel* async_kernel,
                                                       TfLiteStatus (*finish)(TfLiteAsyncKernel* async_kernel,
                                                                              TfLiteOpaqueContext* context,
                                                                              TfLiteExecutionTask* task));

#ifdef __cplusplus
}
#endif

#endif
