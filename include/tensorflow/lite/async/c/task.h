// SPDX-License-Identifier: Apache-2.0
// A task: which buffer each input and output of a signature has in one execution, and by which
// synchronization object it is known to be ready.
//
// The program fills it between TfLiteAsyncSignatureRunnerCreateTask and …InvokeAsync; delegates read it.
// Tensors are named as in the signature, or by their index in the graph. A task owns neither buffers nor
// synchronization objects.
#ifndef TENSORFLOW_LITE_ASYNC_C_TASK_H_
#define TENSORFLOW_LITE_ASYNC_C_TASK_H_

#include "tensorflow/lite/async/c/types.h"
#include "tensorflow/lite/async/interop/c/types.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Buffers ----

// kTfLiteError when there is no such tensor, for NULL, and out of memory.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteExecutionTaskSetBuffer(TfLiteExecutionTask* task,
                                                                 TfLiteIoType io_type,
                                                                 const char* tensor_signature_name,
                                                                 TfLiteBufferHandle handle);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteExecutionTaskSetBufferByIndex(TfLiteExecutionTask* task, int tensor_index, TfLiteBufferHandle handle);

// kTfLiteNullBufferHandle when there is no such tensor or it has no buffer.
TFL_CAPI_EXPORT extern TfLiteBufferHandle
TfLiteExecutionTaskGetBufferByName(const TfLiteExecutionTask* task, TfLiteIoType io_type,
                                   const char* tensor_signature_name);
TFL_CAPI_EXPORT extern TfLiteBufferHandle TfLiteExecutionTaskGetBufferByIndex(const TfLiteExecutionTask* task,
                                                                              int tensor_index);

// ---- Synchronization objects ----
// Without one, or with the type kTfLiteSyncTypeNoSyncObj, an input is ready when the task is scheduled and an
// output when TfLiteAsyncSignatureRunnerWait has returned. Otherwise an input is ready when its object
// signals, and the delegate closes what the object holds; for an output the delegate puts an object of the
// agreed type into `sync`, which signals when the output is ready and which the program closes. `sync` is the
// program's and must live until the task has been waited for.

// NULL takes it back. Errors as for buffers.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteExecutionTaskSetSync(TfLiteExecutionTask* task,
                                                               TfLiteIoType io_type,
                                                               const char* tensor_signature_name,
                                                               TfLiteSynchronization* sync);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteExecutionTaskSetSyncByIndex(TfLiteExecutionTask* task, int tensor_index, TfLiteSynchronization* sync);

// NULL when there is no such tensor or it has none.
TFL_CAPI_EXPORT extern TfLiteSynchronization*
TfLiteExecutionTaskGetSyncByName(const TfLiteExecutionTask* task, TfLiteIoType io_type,
                                 const char* tensor_signature_name);
TFL_CAPI_EXPORT extern TfLiteSynchronization*
TfLiteExecutionTaskGetSyncByIndex(const TfLiteExecutionTask* task, int tensor_index);

// ---- For delegates ----

// A pointer of the delegate's own, NULL at first; its finish function releases what it points to. `kernel` is
// the async kernel that the data belongs to.
TFL_CAPI_EXPORT extern void* TfLiteExecutionTaskGetDelegateExecutionData(const TfLiteExecutionTask* task,
                                                                         TfLiteAsyncKernel* kernel);
TFL_CAPI_EXPORT extern void
TfLiteExecutionTaskSetDelegateExecutionData(TfLiteExecutionTask* task, TfLiteAsyncKernel* kernel, void* data);

// ---- Status ----

// The latest status: of scheduling, of waiting, or set by the delegate; kTfLiteOk at first, kTfLiteError for
// NULL. From any thread.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteExecutionTaskGetStatus(const TfLiteExecutionTask* task);
TFL_CAPI_EXPORT extern void TfLiteExecutionTaskSetStatus(TfLiteExecutionTask* task, TfLiteStatus status);

#ifdef __cplusplus
}
#endif

#endif
