// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution of a signature, for programs.
//
//     runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, "main");
//     for every input and output:
//         TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, io_type, name, mine, agreed, conflict);
//         TfLiteAsyncSignatureRunnerSetAttributes(runner, io_type, name, agreed);
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
// It takes a delegate that has replaced the whole graph by one kernel and supports asynchronous execution.
// Without one, every function that needs it reports the fact and fails. When the graph is delegated anew
// (after a resize, say) what was agreed and registered is gone with the old kernel; tasks in flight are
// waited for and finished first, and can then only be given to Finish. The same happens when the interpreter
// is deleted: runners and tasks should be gone by then, but if not, functions on them fail.
//
// Different tasks may be created, scheduled, waited for and finished on different threads at the same time;
// everything else is as for the interpreter: one thread at a time. NULL for an argument that must not be NULL
// is an error.
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

// A runner for the signature; with a key of NULL for the first one that runs the main graph, or in a model
// without signatures for that graph under the names of its tensors. NULL when there is no such signature. The
// caller deletes it, before the interpreter.
TFL_CAPI_EXPORT extern TfLiteAsyncSignatureRunner*
TfLiteInterpreterGetAsyncSignatureRunner(const TfLiteInterpreter* interpreter, const char* signature_key);
// Accepts NULL. Tasks live on and can be finished by another runner of the interpreter.
TFL_CAPI_EXPORT extern void TfLiteAsyncSignatureRunnerDelete(TfLiteAsyncSignatureRunner* signature_runner);

// ---- Agreement with the delegate ----

// Names of the kinds of buffers and synchronization objects that the delegate takes: values for
// kTfLiteBufferAttrKeyResourceTypeName and kTfLiteSynchronizationAttrKeyObjectTypeName. They live as long as
// the delegate's kernel.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                  TfLiteIoType io_type, const char* const** types,
                                                  size_t* num_types);
TFL_CAPI_EXPORT extern TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type, const char* const** types,
    size_t* num_types);

// Combines what the program wants of a tensor's buffer or synchronization object with what the delegate
// demands, into `merged`. Returns true when that was possible; `conflict`, which may be NULL, receives what
// was not.
TFL_CAPI_EXPORT extern bool
TfLiteAsyncSignatureRunnerReconcileRestrictions(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                TfLiteIoType io_type, const char* name,
                                                const TfLiteAttributeMap* user_provided_attributes,
                                                TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);
TFL_CAPI_EXPORT extern bool TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* user_provided_attributes, TfLiteAttributeMap* merged,
    TfLiteAttributeMap* conflict);

// Settles a tensor's attributes. kTfLiteError when they do not cover what the delegate demands.
// TfLiteAsyncSignatureRunnerPrepareBackends must follow. Name and map may be gone after the call.
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

// Makes a buffer known to the delegate. `attrs`, a map for buffers, says at least of which type it is. A
// buffer that is both input and output is registered as output. *handle, unique within the graph, is set on
// success. The buffer stays the caller's and must live until it is unregistered; the wrapper and the map may
// be gone after the call.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerRegisterBuffer(TfLiteAsyncSignatureRunner* async_signature_runner,
                                         TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                         const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle);
// Part of a registered buffer: `attrs` says which (kTfLiteBufferAttrKeyOffset, kTfLiteBufferAttrKeySize).
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerRegisterBufferSlice(TfLiteAsyncSignatureRunner* async_signature_runner,
                                              TfLiteBufferHandle buffer_pool, const TfLiteAttributeMap* attrs,
                                              TfLiteBufferHandle* handle);
// Of buffers and slices, these first. kTfLiteError when the delegate does not know the handle.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerUnregisterBuffer(TfLiteAsyncSignatureRunner* async_signature_runner,
                                           TfLiteBufferHandle handle);

// ---- Execution ----

// A task for this signature (task.h); NULL when out of memory. Goes to TfLiteAsyncSignatureRunnerFinish when
// it is no longer needed.
TFL_CAPI_EXPORT extern TfLiteExecutionTask*
TfLiteAsyncSignatureRunnerCreateTask(TfLiteAsyncSignatureRunner* async_signature_runner);

// Schedules an execution. Every call is to be followed by one of TfLiteAsyncSignatureRunnerWait, even when
// all outputs have synchronization objects, and even when it failed. kTfLiteError when that has not happened
// since the last call, and when the delegate cannot schedule it.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerInvokeAsync(TfLiteAsyncSignatureRunner* async_signature_runner,
                                      TfLiteExecutionTask* task);
// Waits until the task's execution is done. kTfLiteCancelled when TfLiteInterpreterCancel or
// TfLiteSignatureRunnerCancel was called since it was scheduled; its outputs are then not to be used. Returns
// the latest status at once for a task that is not scheduled. From several threads at a time.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerWait(TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteExecutionTask* task);
// Waits if need be, releases what belongs to the task, and the task, which is gone even when the delegate
// fails. Not while another thread uses the task.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteAsyncSignatureRunnerFinish(TfLiteAsyncSignatureRunner* async_signature_runner,
                                 TfLiteExecutionTask* task);

// ---- Inputs and outputs ----
// A tensor tells type and shape only: contents are in the buffers. Names and tensors live as long as the
// interpreter.

TFL_CAPI_EXPORT extern size_t
TfLiteAsyncSignatureRunnerGetInputCount(const TfLiteAsyncSignatureRunner* async_signature_runner);
// NULL when there is no such input.
TFL_CAPI_EXPORT extern const char*
TfLiteAsyncSignatureRunnerGetInputName(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                       int32_t input_index);
TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetInputTensor(TfLiteAsyncSignatureRunner* async_signature_runner,
                                         const char* input_name);
// The tensors that are inputs of the graph, in its order; as many as …GetInputCount says.
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

// Any tensor of the graph; NULL when there is none of this index.
TFL_CAPI_EXPORT extern const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetTensor(const TfLiteAsyncSignatureRunner* async_signature_runner, int index);

#ifdef __cplusplus
}
#endif

#endif
