// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution of a signature, for programs.
//
//     runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, "main");
//     // For every input and output, where io_type tells which of them `name` is:
//     TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, io_type, name, mine, agreed, conflict);
//     TfLiteAsyncSignatureRunnerSetAttributes(runner, io_type, name, agreed);
//     // Once:
//     TfLiteAsyncSignatureRunnerPrepareBackends(runner);
//     TfLiteAsyncSignatureRunnerRegisterBuffer(runner, io_type, buffer, agreed, &handle);
//     task = TfLiteAsyncSignatureRunnerCreateTask(runner);
//     TfLiteExecutionTaskSetBuffer(task, io_type, name, handle);
//     TfLiteAsyncSignatureRunnerInvokeAsync(runner, task);
//     …
//     TfLiteAsyncSignatureRunnerWait(runner, task);
//     TfLiteAsyncSignatureRunnerFinish(runner, task);
//     TfLiteAsyncSignatureRunnerDelete(runner);
//
// A runner needs a delegate that has replaced the whole graph by one kernel and supports asynchronous
// execution. Without one, every function that needs it reports the fact and fails. When the graph is
// delegated again (for example after a resize), everything that was agreed and registered disappears with the
// old kernel. Tasks in flight are waited for and finished first; afterwards the program can only pass them to
// Finish. The same happens when the interpreter is deleted: runners and tasks should be deleted before; if
// they are not, functions on them fail.
//
// Different tasks may be created, scheduled, waited for and finished on different threads at the same time.
// Everything else is used by one thread at a time, as the interpreter is. NULL for an argument that must not
// be NULL is an error.
#ifndef TENSORFLOW_LITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_
#define TENSORFLOW_LITE_ASYNC_C_ASYNC_SIGNATURE_RUNNER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/async/c/types.h"
#include "tensorflow/lite/async/interop/c/attribute_map.h"
#include "tensorflow/lite/async/interop/c/types.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_types.h"
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteAsyncSignatureRunner TfLiteAsyncSignatureRunner;

// Creates a runner for the signature. A key of NULL means the first signature of the main graph; in a model
// without signatures it means the main graph with the names of its tensors. Returns NULL when there is no
// such signature. The caller deletes the runner, before the interpreter.
TFL_CAPI_EXPORT extern TfLiteAsyncSignatureRunner*
TfLiteInterpreterGetAsyncSignatureRunner(const TfLiteInterpreter* interpreter, const char* signature_key);
// Accepts NULL. The tasks remain, and another runner of the interpreter can finish them.
TFL_CAPI_EXPORT extern void TfLiteAsyncSignatureRunnerDelete(TfLiteAsyncSignatureRunner* signature_runner);

// ---- Agreement with the delegate ----

// Store the names of the types of buffers and synchronization objects that the delegate supports: values for
// kTfLiteBufferAttrKeyResourceTypeName and kTfLiteSynchronizationAttrKeyObjectTypeName. The arrays live as
// long as the delegate's kernel.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                  TfLiteIoType io_type, const char* const** types,
                                                  size_t* num_types);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type, const char* const** types,
    size_t* num_types);

// Combines the program's attributes for a tensor's buffer or synchronization object with the delegate's into
// `merged`. Returns true when that was possible. `conflict`, which may be NULL, receives the attributes that
// could not be combined.
TFL_CAPI_EXPORT extern bool
TfLiteAsyncSignatureRunnerReconcileRestrictions(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                TfLiteIoType io_type, const char* name,
                                                const TfLiteAttributeMap* user_provided_attributes,
                                                TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);
TFL_CAPI_EXPORT extern bool TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* user_provided_attributes, TfLiteAttributeMap* merged,
    TfLiteAttributeMap* conflict);

// Sets a tensor's attributes. Returns kTfLiteError when they do not satisfy what the delegate demands.
// TfLiteAsyncSignatureRunnerPrepareBackends must follow. The name and the map may be deleted after the call.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerSetAttributes(TfLiteAsyncSignatureRunner* async_signature_runner,
                                        TfLiteIoType io_type, const char* name,
                                        const TfLiteAttributeMap* attrs);
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerSetAttributesByIndex(TfLiteAsyncSignatureRunner* async_signature_runner,
                                               int tensor_index, const TfLiteAttributeMap* attrs);

// Prepares the delegate for execution with the attributes that were set.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerPrepareBackends(TfLiteAsyncSignatureRunner* async_signature_runner);

// ---- Buffers ----

// Registers a buffer with the delegate. `attrs`, a map for buffers, must at least state the buffer's type. A
// buffer that is both input and output is registered as an output. On success, *handle receives a handle that
// is unique within the graph. The buffer remains the caller's and must live until it is unregistered. The
// wrapper and the map may be deleted after the call.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerRegisterBuffer(TfLiteAsyncSignatureRunner* async_signature_runner,
                                         TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                         const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle);
// Registers a part of a registered buffer, which `attrs` describes (kTfLiteBufferAttrKeyOffset,
// kTfLiteBufferAttrKeySize).
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerRegisterBufferSlice(TfLiteAsyncSignatureRunner* async_signature_runner,
                                              TfLiteBufferHandle buffer_pool, const TfLiteAttributeMap* attrs,
                                              TfLiteBufferHandle* handle);
// Unregisters a buffer or a slice. The slices of a buffer are unregistered before it. Returns kTfLiteError
// when the delegate does not know the handle.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerUnregisterBuffer(TfLiteAsyncSignatureRunner* async_signature_runner,
                                           TfLiteBufferHandle handle);

// ---- Execution ----

// Creates a task for this signature (task.h). Returns NULL when memory runs out. Pass the task to
// TfLiteAsyncSignatureRunnerFinish when it is no longer needed.
TFL_CAPI_EXPORT extern TfLiteExecutionTask*
TfLiteAsyncSignatureRunnerCreateTask(TfLiteAsyncSignatureRunner* async_signature_runner);

// Schedules an execution. Every call must be followed by one of TfLiteAsyncSignatureRunnerWait, even when all
// outputs have synchronization objects, and even when the call failed. Returns kTfLiteError when nobody has
// waited since the last call, and when the delegate cannot schedule the execution.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerInvokeAsync(TfLiteAsyncSignatureRunner* async_signature_runner,
                                      TfLiteExecutionTask* task);
// Waits until the task's execution is done. Returns kTfLiteCancelled when TfLiteInterpreterCancel or
// TfLiteSignatureRunnerCancel was called since the task was scheduled; the outputs are then invalid. For a
// task that is not scheduled it returns the latest status at once. Several threads may wait at the same time.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerWait(TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteExecutionTask* task);
// Waits if necessary, and deletes the task with everything that belongs to it, even when the delegate fails.
// No other thread may use the task meanwhile.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerFinish(TfLiteAsyncSignatureRunner* async_signature_runner,
                                 TfLiteExecutionTask* task);

// ---- Inputs and outputs ----
// A tensor has type and shape only: its contents are in the buffers. Names and tensors live as long as the
// interpreter.

TFL_CAPI_EXPORT extern size_t
TfLiteAsyncSignatureRunnerGetInputCount(const TfLiteAsyncSignatureRunner* async_signature_runner);
// Returns NULL when there is no such input.
TFL_CAPI_EXPORT extern const char*
TfLiteAsyncSignatureRunnerGetInputName(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                       int32_t input_index);
TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetInputTensor(TfLiteAsyncSignatureRunner* async_signature_runner,
                                         const char* input_name);
// Returns the indices of the tensors that are inputs of the graph, in its order. …GetInputCount returns their
// number.
TFL_CAPI_EXPORT extern const int*
TfLiteAsyncSignatureRunnerInputTensorIndices(const TfLiteAsyncSignatureRunner* async_signature_runner);

TFL_CAPI_EXPORT extern size_t
TfLiteAsyncSignatureRunnerGetOutputCount(const TfLiteAsyncSignatureRunner* async_signature_runner);
TFL_CAPI_EXPORT extern const char*
TfLiteAsyncSignatureRunnerGetOutputName(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                        int32_t output_index);
TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetOutputTensor(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                          const char* output_name);
TFL_CAPI_EXPORT extern const int*
TfLiteAsyncSignatureRunnerOutputTensorIndices(const TfLiteAsyncSignatureRunner* async_signature_runner);

// Returns any tensor of the graph; NULL when there is no tensor of this index.
TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetTensor(const TfLiteAsyncSignatureRunner* async_signature_runner, int index);

#ifdef __cplusplus
}
#endif

#endif
