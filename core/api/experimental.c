// SPDX-License-Identifier: Apache-2.0
// c_api_experimental.h, except for operators and options (options.c).
#include "core/api/options.h"
#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/interpreter.h"
#include "core/graph/subgraph.h"

TfLiteInterpreter* TfLiteInterpreterCreateWithSelectedOps(const TfLiteModel* model,
                                                          const TfLiteInterpreterOptions* options) {
    return lite_options_create_interpreter(model, options, true);
}

// Variables.

TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter* interpreter) {
    return interpreter ? lite_interpreter_reset_variables(as_interpreter(interpreter)) : kTfLiteError;
}

int32_t TfLiteInterpreterGetVariableTensorCount(const TfLiteInterpreter* interpreter) {
    return interpreter ? lite_subgraph_variables(main_subgraph(interpreter)).count : 0;
}

TfLiteTensor* TfLiteInterpreterGetVariableTensor(const TfLiteInterpreter* interpreter,
                                                 int32_t variable_index) {
    if (variable_index < 0 || variable_index >= TfLiteInterpreterGetVariableTensorCount(interpreter)) {
        return NULL;
    }
    LiteSubgraph* subgraph = main_subgraph(interpreter);
    return lite_subgraph_tensor(subgraph, lite_subgraph_variables(subgraph).data[variable_index]);
}

// Delegates and memory.

TfLiteStatus TfLiteInterpreterModifyGraphWithDelegate(const TfLiteInterpreter* interpreter,
                                                      TfLiteDelegate* delegate) {
    if (interpreter == NULL) return kTfLiteError;
    return lite_interpreter_apply_delegate(as_interpreter(interpreter), delegate);
}

TfLiteStatus TfLiteInterpreterSetCustomAllocationForTensor(TfLiteInterpreter* interpreter, int tensor_index,
                                                           const TfLiteCustomAllocation* allocation,
                                                           int64_t flags) {
    if (allocation == NULL || TfLiteInterpreterGetTensor(interpreter, tensor_index) == NULL) {
        return kTfLiteError;
    }
    return lite_subgraph_set_custom_allocation(main_subgraph(interpreter), tensor_index, allocation, flags);
}

TfLiteStatus TfLiteInterpreterSetBufferHandle(TfLiteInterpreter* interpreter, TfLiteTensor* tensor,
                                              TfLiteBufferHandle buffer_handle,
                                              TfLiteOpaqueDelegate* delegate) {
    if (interpreter == NULL || tensor == NULL || delegate == NULL) return kTfLiteError;
    LiteSubgraph* subgraph = main_subgraph(interpreter);
    const int index = lite_subgraph_tensor_index(subgraph, tensor);
    if (index < 0) return kTfLiteError;
    return lite_subgraph_set_buffer_handle(subgraph, index, buffer_handle, delegate);
}

TfLiteStatus TfLiteInterpreterGetBufferHandle(TfLiteInterpreter* interpreter, int tensor_index,
                                              TfLiteBufferHandle* buffer_handle,
                                              TfLiteOpaqueDelegate** delegate) {
    const TfLiteTensor* tensor = TfLiteInterpreterGetTensor(interpreter, tensor_index);
    if (tensor == NULL || buffer_handle == NULL || delegate == NULL) return kTfLiteError;
    *buffer_handle = tensor->buffer_handle;
    *delegate = tensor->delegate;
    return kTfLiteOk;
}

void TfLiteSetAllowBufferHandleOutput(const TfLiteInterpreter* interpreter, bool allow_buffer_handle_output) {
    if (interpreter == NULL) return;
    lite_interpreter_allow_buffer_handle_output(as_interpreter(interpreter), allow_buffer_handle_output);
}

TfLiteStatus TfLiteInterpreterEnsureTensorDataIsReadable(TfLiteInterpreter* interpreter, int tensor_index) {
    if (TfLiteInterpreterGetTensor(interpreter, tensor_index) == NULL) return kTfLiteError;
    return lite_subgraph_make_readable(main_subgraph(interpreter), tensor_index);
}

// Options without effect here: the header says why.

void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions* options, bool enable) {
    (void)options;
    (void)enable;
}

void TfLiteInterpreterOptionsSetEnableDelegateFallback(TfLiteInterpreterOptions* options, bool enable) {
    if (options) options->delegate_fallback = enable;
}
