// SPDX-License-Identifier: Apache-2.0
// A task names the buffer of each input and output of a signature for one execution, and the synchronization
// objects that signal when they are ready.
//
// The program fills it between TfLiteAsyncSignatureRunnerCreateTask and …InvokeAsync; delegates read it. A
// tensor is addressed by its name in the signature, or by its index in the graph. A task owns neither buffers
// nor synchronization objects.
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

// Set a tensor's buffer. Return kTfLiteError when there is no such tensor, for NULL, and when memory runs
// out.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteExecutionTaskSetBuffer(TfLiteExecutionTask* task,
                                                                 TfLiteIoType io_type,
                                                                 const char* tensor_signature_name,
                                                                 TfLiteBufferHandle handle);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteExecutionTaskSetBufferByIndex(TfLiteExecutionTask* task, int tensor_index, TfLiteBufferHandle handle);

// Return a tensor's buffer; kTfLiteNullBufferHandle when there is no such tensor or it has no buffer.
TFL_CAPI_EXPORT extern TfLiteBufferHandle
TfLiteExecutionTaskGetBufferByName(const TfLiteExecutionTask* task, TfLiteIoType io_type,
                                   const char* tensor_signature_name);
TFL_CAPI_EXPORT extern TfLiteBufferHandle TfLiteExecutionTaskGetBufferByIndex(const TfLiteExecutionTask* task,
                                                                              int tensor_index);

// ---- Synchronization objects ----
// A tensor may have no synchronization object, or one of type kTfLiteSyncTypeNoSyncObj. Such an input is
// ready when the task is scheduled, and such an output when TfLiteAsyncSignatureRunnerWait has returned. Any
// other input is ready when its object signals, and the delegate closes what the object holds. For any other
// output the delegate puts an object of the agreed type into `sync`, which signals when the output is ready
// and which the program closes. `sync` belongs to the program and must live until the task has been waited
// for.

// Set a tensor's synchronization object; NULL removes it. The errors are those of the functions for buffers.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteExecutionTaskSetSync(TfLiteExecutionTask* task,
                                                               TfLiteIoType io_type,
                                                               const char* tensor_signature_name,
                                                               TfLiteSynchronization* sync);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteExecutionTaskSetSyncByIndex(TfLiteExecutionTask* task, int tensor_index, TfLiteSynchronization* sync);

// Return a tensor's synchronization object; NULL when there is no such tensor or it has none.
TFL_CAPI_EXPORT extern TfLiteSynchronization*
TfLiteExecutionTaskGetSyncByName(const TfLiteExecutionTask* task, TfLiteIoType io_type,
                                 const char* tensor_signature_name);
TFL_CAPI_EXPORT extern TfLiteSynchronization*
TfLiteExecutionTaskGetSyncByIndex(const TfLiteExecutionTask* task, int tensor_index);

// ---- For delegates ----

// A pointer of the delegate's own, NULL at first. The delegate's finish function releases what it points to.
// `kernel` is the async kernel that the data belongs to.
TFL_CAPI_EXPORT extern void* TfLiteExecutionTaskGetDelegateExecutionData(const TfLiteExecutionTask* task,
                                                                         TfLiteAsyncKernel* kernel);
TFL_CAPI_EXPORT extern void
TfLiteExecutionTaskSetDelegateExecutionData(TfLiteExecutionTask* task, TfLiteAsyncKernel* kernel, void* data);

// ---- Status ----

// The latest status: that of scheduling, of waiting, or the one that the delegate has set. It is kTfLiteOk at
// first, and kTfLiteError for NULL. Any thread may call these functions.
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteExecutionTaskGetStatus(const TfLiteExecutionTask* task);
TFL_CAPI_EXPORT extern void TfLiteExecutionTaskSetStatus(TfLiteExecutionTask* task, TfLiteStatus status);

#ifdef __cplusplus
}
#endif

#endif
