// SPDX-License-Identifier: Apache-2.0
// TfLiteAsyncSignatureRunner*: asynchronous execution of a signature.
#include "tensorflow/lite/async/c/async_signature_runner.h"

#include "core/api/handles.h"
#include "core/graph/async.h"
#include "core/graph/signature.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"

struct TfLiteAsyncSignatureRunner {
    LiteAsync* async; // a reference
    const LiteModelSignature* signature;
};

TfLiteAsyncSignatureRunner* TfLiteInterpreterGetAsyncSignatureRunner(const TfLiteInterpreter* interpreter,
                                                                     const char* signature_key) {
    if (interpreter == NULL) return NULL;
    LiteInterpreter* owner = as_interpreter(interpreter);
    const LiteModelSignature* signature = lite_interpreter_signature(owner, signature_key);
    if (signature == NULL) return NULL;
    TfLiteAsyncSignatureRunner* runner = lite_malloc(sizeof *runner);
    if (runner == NULL) return NULL;
    runner->signature = signature;
    runner->async = lite_async_open(lite_interpreter_subgraph(owner, signature->subgraph));
    if (runner->async == NULL) {
        lite_free(runner);
        return NULL;
    }
    return runner;
}

void TfLiteAsyncSignatureRunnerDelete(TfLiteAsyncSignatureRunner* signature_runner) {
    if (signature_runner == NULL) return;
    lite_async_release(signature_runner->async);
    lite_free(signature_runner);
}

// NULL when the runner is NULL, or its interpreter (and the signature with it) is gone.
static LiteSubgraph* subgraph_of(const TfLiteAsyncSignatureRunner* runner) {
    return runner ? lite_async_subgraph(runner->async) : NULL;
}

// The tensor of this name; -1, after a message, when there is none.
static int find_tensor(const TfLiteAsyncSignatureRunner* runner, TfLiteIoType io_type, const char* name) {
    LiteSubgraph* subgraph = subgraph_of(runner);
    if (subgraph == NULL || name == NULL) return -1;
    int tensor = -1;
    if (io_type == kTfLiteIoTypeInput) tensor = lite_signature_input(runner->signature, name);
    if (io_type == kTfLiteIoTypeOutput) tensor = lite_signature_output(runner->signature, name);
    if (tensor < 0) {
        lite_fail(lite_subgraph_context(subgraph), "Signature tensor name %s was not found", name);
    }
    return tensor;
}

// Agreement.

TfLiteStatus
TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                  TfLiteIoType io_type, const char* const** types,
                                                  size_t* num_types) {
    if (async_signature_runner == NULL || types == NULL || num_types == NULL) return kTfLiteError;
    return lite_async_buffer_types(async_signature_runner->async, io_type, types, num_types);
}

TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type, const char* const** types,
    size_t* num_types) {
    if (async_signature_runner == NULL || types == NULL || num_types == NULL) return kTfLiteError;
    return lite_async_sync_types(async_signature_runner->async, io_type, types, num_types);
}

bool TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* user_provided_attributes, TfLiteAttributeMap* merged,
    TfLiteAttributeMap* conflict) {
    if (async_signature_runner == NULL || user_provided_attributes == NULL || merged == NULL) return false;
    return lite_async_reconcile(async_signature_runner->async, tensor_index, user_provided_attributes, merged,
                                conflict) == kTfLiteOk;
}

bool TfLiteAsyncSignatureRunnerReconcileRestrictions(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                     TfLiteIoType io_type, const char* name,
                                                     const TfLiteAttributeMap* user_provided_attributes,
                                                     TfLiteAttributeMap* merged,
                                                     TfLiteAttributeMap* conflict) {
    const int tensor = find_tensor(async_signature_runner, io_type, name);
    if (tensor < 0) return false;
    return TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(async_signature_runner, tensor,
                                                                  user_provided_attributes, merged, conflict);
}

TfLiteStatus
TfLiteAsyncSignatureRunnerSetAttributesByIndex(TfLiteAsyncSignatureRunner* async_signature_runner,
                                               int tensor_index, const TfLiteAttributeMap* attrs) {
    if (async_signature_runner == NULL || attrs == NULL) return kTfLiteError;
    return lite_async_set_attributes(async_signature_runner->async, tensor_index, attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerSetAttributes(TfLiteAsyncSignatureRunner* async_signature_runner,
                                                     TfLiteIoType io_type, const char* name,
                                                     const TfLiteAttributeMap* attrs) {
    const int tensor = find_tensor(async_signature_runner, io_type, name);
    if (tensor < 0) return kTfLiteError;
    return TfLiteAsyncSignatureRunnerSetAttributesByIndex(async_signature_runner, tensor, attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerPrepareBackends(TfLiteAsyncSignatureRunner* async_signature_runner) {
    return async_signature_runner ? lite_async_prepare(async_signature_runner->async) : kTfLiteError;
}

// Buffers.

TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBuffer(TfLiteAsyncSignatureRunner* async_signature_runner,
                                                      TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                                      const TfLiteAttributeMap* attrs,
                                                      TfLiteBufferHandle* handle) {
    if (async_signature_runner == NULL || buffer == NULL || attrs == NULL || handle == NULL) {
        return kTfLiteError;
    }
    return lite_async_register_buffer(async_signature_runner->async, io_type, buffer, attrs, handle);
}

TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBufferSlice(TfLiteAsyncSignatureRunner* async_signature_runner,
                                                           TfLiteBufferHandle buffer_pool,
                                                           const TfLiteAttributeMap* attrs,
                                                           TfLiteBufferHandle* handle) {
    if (async_signature_runner == NULL || attrs == NULL || handle == NULL) return kTfLiteError;
    return lite_async_register_slice(async_signature_runner->async, buffer_pool, attrs, handle);
}

TfLiteStatus TfLiteAsyncSignatureRunnerUnregisterBuffer(TfLiteAsyncSignatureRunner* async_signature_runner,
                                                        TfLiteBufferHandle handle) {
    if (async_signature_runner == NULL) return kTfLiteError;
    return lite_async_unregister_buffer(async_signature_runner->async, handle);
}

// Execution.

TfLiteExecutionTask*
TfLiteAsyncSignatureRunnerCreateTask(TfLiteAsyncSignatureRunner* async_signature_runner) {
    if (async_signature_runner == NULL) return NULL;
    return lite_async_create_task(async_signature_runner->async, async_signature_runner->signature);
}

TfLiteStatus TfLiteAsyncSignatureRunnerInvokeAsync(TfLiteAsyncSignatureRunner* async_signature_runner,
                                                   TfLiteExecutionTask* task) {
    if (async_signature_runner == NULL || task == NULL) return kTfLiteError;
    return lite_async_invoke(async_signature_runner->async, task);
}

TfLiteStatus TfLiteAsyncSignatureRunnerWait(TfLiteAsyncSignatureRunner* async_signature_runner,
                                            TfLiteExecutionTask* task) {
    if (async_signature_runner == NULL || task == NULL) return kTfLiteError;
    return lite_async_wait(async_signature_runner->async, task);
}

TfLiteStatus TfLiteAsyncSignatureRunnerFinish(TfLiteAsyncSignatureRunner* async_signature_runner,
                                              TfLiteExecutionTask* task) {
    return async_signature_runner && task ? lite_async_finish(task) : kTfLiteError;
}

// Inputs and outputs.

static const char* name_of(const LiteModelTensorName* names, int count, int32_t index) {
    return index >= 0 && index < count ? names[index].name : NULL;
}

static const TfLiteOpaqueTensor* tensor_of(const TfLiteAsyncSignatureRunner* runner, TfLiteIoType io_type,
                                           const char* name) {
    const int tensor = find_tensor(runner, io_type, name);
    return TfLiteAsyncSignatureRunnerGetTensor(runner, tensor);
}

size_t TfLiteAsyncSignatureRunnerGetInputCount(const TfLiteAsyncSignatureRunner* async_signature_runner) {
    const LiteSubgraph* subgraph = subgraph_of(async_signature_runner);
    return subgraph ? (size_t)lite_subgraph_inputs(subgraph).count : 0;
}

const char* TfLiteAsyncSignatureRunnerGetInputName(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                   int32_t input_index) {
    if (subgraph_of(async_signature_runner) == NULL) return NULL;
    const LiteModelSignature* signature = async_signature_runner->signature;
    return name_of(signature->inputs, signature->input_count, input_index);
}

const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetInputTensor(TfLiteAsyncSignatureRunner* async_signature_runner,
                                         const char* input_name) {
    return tensor_of(async_signature_runner, kTfLiteIoTypeInput, input_name);
}

const int*
TfLiteAsyncSignatureRunnerInputTensorIndices(const TfLiteAsyncSignatureRunner* async_signature_runner) {
    const LiteSubgraph* subgraph = subgraph_of(async_signature_runner);
    return subgraph ? lite_subgraph_inputs(subgraph).data : NULL;
}

size_t TfLiteAsyncSignatureRunnerGetOutputCount(const TfLiteAsyncSignatureRunner* async_signature_runner) {
    const LiteSubgraph* subgraph = subgraph_of(async_signature_runner);
    return subgraph ? (size_t)lite_subgraph_outputs(subgraph).count : 0;
}

const char* TfLiteAsyncSignatureRunnerGetOutputName(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                                    int32_t output_index) {
    if (subgraph_of(async_signature_runner) == NULL) return NULL;
    const LiteModelSignature* signature = async_signature_runner->signature;
    return name_of(signature->outputs, signature->output_count, output_index);
}

const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetOutputTensor(const TfLiteAsyncSignatureRunner* async_signature_runner,
                                          const char* output_name) {
    return tensor_of(async_signature_runner, kTfLiteIoTypeOutput, output_name);
}

const int*
TfLiteAsyncSignatureRunnerOutputTensorIndices(const TfLiteAsyncSignatureRunner* async_signature_runner) {
    const LiteSubgraph* subgraph = subgraph_of(async_signature_runner);
    return subgraph ? lite_subgraph_outputs(subgraph).data : NULL;
}

const TfLiteOpaqueTensor*
TfLiteAsyncSignatureRunnerGetTensor(const TfLiteAsyncSignatureRunner* async_signature_runner, int index) {
    const LiteSubgraph* subgraph = subgraph_of(async_signature_runner);
    return subgraph ? (const TfLiteOpaqueTensor*)lite_subgraph_tensor(subgraph, index) : NULL;
}
