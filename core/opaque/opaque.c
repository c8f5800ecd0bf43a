// SPDX-License-Identifier: Apache-2.0
// TfLiteOpaqueNode* and those TfLiteOpaqueContext* functions that the callbacks of TfLiteContext can answer.
// Also linked into the delegate plugin, where the context is another runtime's: nothing but core/base, the
// public structs and their callbacks is used here.
#include <stdio.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/base/shape.h"
#include "core/base/status.h"
#include "core/opaque/opaque.h"
#include "oclite/oclite.h"

// Nodes.

static int array_size(const TfLiteIntArray* array) {
    return array ? array->size : 0;
}

// Element `index` of a node's tensor list; kTfLiteOptionalTensor when the list is not that long.
static int array_at(const TfLiteIntArray* array, int index) {
    return index >= 0 && index < array_size(array) ? array->data[index] : kTfLiteOptionalTensor;
}

static TfLiteStatus array_view(const TfLiteIntArray* array, const int** data, int* size) {
    if (data == NULL || size == NULL) return kTfLiteError;
    *size = array_size(array);
    *data = array ? array->data : NULL;
    return kTfLiteOk;
}

int TfLiteOpaqueNodeNumberOfInputs(const TfLiteOpaqueNode* opaque_node) {
    return opaque_node ? array_size(as_const_node(opaque_node)->inputs) : 0;
}

int TfLiteOpaqueNodeNumberOfOutputs(const TfLiteOpaqueNode* opaque_node) {
    return opaque_node ? array_size(as_const_node(opaque_node)->outputs) : 0;
}

int TfLiteOpaqueNodeNumInputs(const TfLiteOpaqueNode* opaque_node) {
    return TfLiteOpaqueNodeNumberOfInputs(opaque_node);
}

int TfLiteOpaqueNodeNumOutputs(const TfLiteOpaqueNode* opaque_node) {
    return TfLiteOpaqueNodeNumberOfOutputs(opaque_node);
}

int TfLiteOpaqueNodeGetInputTensorIndex(const TfLiteOpaqueNode* opaque_node, int index_of_input) {
    return opaque_node ? array_at(as_const_node(opaque_node)->inputs, index_of_input) : -1;
}

int TfLiteOpaqueNodeGetOutputTensorIndex(const TfLiteOpaqueNode* opaque_node, int index_of_output) {
    return opaque_node ? array_at(as_const_node(opaque_node)->outputs, index_of_output) : -1;
}

const TfLiteOpaqueTensor* TfLiteOpaqueNodeGetInput(const TfLiteOpaqueContext* opaque_context,
                                                   const TfLiteOpaqueNode* opaque_node, int index) {
    return TfLiteOpaqueContextGetOpaqueTensor(opaque_context,
                                              TfLiteOpaqueNodeGetInputTensorIndex(opaque_node, index));
}

TfLiteOpaqueTensor* TfLiteOpaqueNodeGetOutput(TfLiteOpaqueContext* opaque_context,
                                              const TfLiteOpaqueNode* opaque_node, int index) {
    return TfLiteOpaqueContextGetOpaqueTensor(opaque_context,
                                              TfLiteOpaqueNodeGetOutputTensorIndex(opaque_node, index));
}

TfLiteStatus TfLiteOpaqueNodeInputs(const TfLiteOpaqueNode* opaque_node, const int** inputs,
                                    int* num_inputs) {
    if (opaque_node == NULL) return kTfLiteError;
    return array_view(as_const_node(opaque_node)->inputs, inputs, num_inputs);
}

TfLiteStatus TfLiteOpaqueNodeOutputs(const TfLiteOpaqueNode* opaque_node, const int** outputs,
                                     int* num_outputs) {
    if (opaque_node == NULL) return kTfLiteError;
    return array_view(as_const_node(opaque_node)->outputs, outputs, num_outputs);
}

TfLiteStatus TfLiteOpaqueNodeTemporaries(const TfLiteOpaqueNode* opaque_node, const int** temporaries,
                                         int* num_temporaries) {
    if (opaque_node == NULL) return kTfLiteError;
    return array_view(as_const_node(opaque_node)->temporaries, temporaries, num_temporaries);
}

TfLiteStatus TfLiteOpaqueNodeSetTemporaries(TfLiteOpaqueNode* opaque_node, const int* temporaries,
                                            int num_temporaries) {
    if (opaque_node == NULL || num_temporaries < 0) return kTfLiteError;
    if (num_temporaries > 0 && temporaries == NULL) return kTfLiteError;
    TfLiteIntArray* array = TfLiteIntArrayCreate(num_temporaries);
    if (array == NULL) return kTfLiteError;
    if (num_temporaries > 0) memcpy(array->data, temporaries, (size_t)num_temporaries * sizeof(int));
    TfLiteNode* node = as_node(opaque_node);
    TfLiteIntArrayFree(node->temporaries);
    node->temporaries = array;
    return kTfLiteOk;
}

void* TfLiteOpaqueNodeGetUserData(const TfLiteOpaqueNode* opaque_node) {
    return opaque_node ? as_const_node(opaque_node)->user_data : NULL;
}

void* TfLiteOpaqueNodeGetBuiltinData(const TfLiteOpaqueNode* opaque_node) {
    return opaque_node ? as_const_node(opaque_node)->builtin_data : NULL;
}

TfLiteStatus TfLiteOpaqueNodeGetCustomInitialData(const TfLiteOpaqueNode* opaque_node, const void** init_data,
                                                  int* size) {
    if (opaque_node == NULL || init_data == NULL || size == NULL) return kTfLiteError;
    *init_data = as_const_node(opaque_node)->custom_initial_data;
    *size = as_const_node(opaque_node)->custom_initial_data_size;
    return kTfLiteOk;
}

// Context.

TfLiteOpaqueTensor* TfLiteOpaqueContextGetOpaqueTensor(const TfLiteOpaqueContext* opaque_context, int index) {
    const TfLiteContext* context = as_const_context(opaque_context);
    if (context == NULL || index < 0 || (size_t)index >= context->tensors_size) return NULL;
    if (context->tensors != NULL) return (TfLiteOpaqueTensor*)&context->tensors[index];
    return context->GetTensor ? (TfLiteOpaqueTensor*)context->GetTensor(context, index) : NULL;
}

size_t TfLiteOpaqueContextGetNumTensors(const struct TfLiteOpaqueContext* opaque_context) {
    return opaque_context ? as_const_context(opaque_context)->tensors_size : 0;
}

TfLiteStatus TfLiteOpaqueContextGetExecutionPlan(TfLiteOpaqueContext* opaque_context,
                                                 TfLiteIntArray** execution_plan) {
    TfLiteContext* context = as_context(opaque_context);
    if (context == NULL || execution_plan == NULL || context->GetExecutionPlan == NULL) return kTfLiteError;
    return context->GetExecutionPlan(context, execution_plan);
}

TfLiteStatus TfLiteOpaqueContextGetExternalContext(TfLiteOpaqueContext* opaque_context,
                                                   void** external_context, TfLiteExternalContextType type) {
    TfLiteContext* context = as_context(opaque_context);
    if (context == NULL || external_context == NULL || context->GetExternalContext == NULL) {
        return kTfLiteError;
    }
    *external_context = context->GetExternalContext(context, type);
    return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueContextResizeTensor(TfLiteOpaqueContext* context, TfLiteOpaqueTensor* tensor,
                                             TfLiteIntArray* new_size) {
    if (context == NULL || tensor == NULL || new_size == NULL || as_context(context)->ResizeTensor == NULL) {
        TfLiteIntArrayFree(new_size);
        return kTfLiteError;
    }
    return as_context(context)->ResizeTensor(as_context(context), as_tensor(tensor), new_size);
}

TfLiteStatus TfLiteOpaqueContextAcquireSubgraphContext(struct TfLiteOpaqueContext* opaque_context,
                                                       int subgraph_index,
                                                       TfLiteOpaqueContext** acquired_opaque_context) {
    TfLiteContext* context = as_context(opaque_context);
    if (context == NULL || acquired_opaque_context == NULL || context->AcquireSubgraphContext == NULL) {
        return kTfLiteError;
    }
    TfLiteContext* acquired = NULL;
    LITE_TRY(context->AcquireSubgraphContext(context, subgraph_index, &acquired));
    *acquired_opaque_context = (TfLiteOpaqueContext*)acquired;
    return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueContextReleaseSubgraphContext(struct TfLiteOpaqueContext* opaque_context,
                                                       int subgraph_index) {
    TfLiteContext* context = as_context(opaque_context);
    if (context == NULL || context->ReleaseSubgraphContext == NULL) return kTfLiteError;
    return context->ReleaseSubgraphContext(context, subgraph_index);
}

TfLiteStatus TfLiteOpaqueContextGetSizeOfType(TfLiteOpaqueContext* context, TfLiteType type, size_t* bytes) {
    if (bytes == NULL) return kTfLiteError;
    *bytes = lite_type_size(type);
    if (type == kTfLiteInt4 || type == kTfLiteUInt4 || type == kTfLiteInt2) *bytes = 1;
    if (*bytes > 0) return kTfLiteOk;
    if (context == NULL) return kTfLiteError;
    return lite_fail(context, "elements of type %s have no fixed size", TfLiteTypeGetName(type));
}

TfLiteStatus TfLiteOpaqueContextGetMetadata(TfLiteOpaqueContext* context, const char* name, const char** ptr,
                                            size_t* bytes) {
    const TfLiteContext* host = as_const_context(context);
    if (host == NULL || name == NULL || ptr == NULL || bytes == NULL || host->GetModelMetadata == NULL) {
        return kTfLiteError;
    }
    return host->GetModelMetadata(host, name, ptr, bytes);
}

// Messages. The callback is variadic, so the text is composed here and passed as one string.

void TfLiteOpaqueContextReportErrorVa(struct TfLiteOpaqueContext* opaque_context, const char* format,
                                      va_list vlist) {
    TfLiteContext* context = as_context(opaque_context);
    if (context == NULL || context->ReportError == NULL || format == NULL) return;
    char message[1024];
    vsnprintf(message, sizeof message, format, vlist);
    context->ReportError(context, "%s", message);
}

void TfLiteOpaqueContextReportError(struct TfLiteOpaqueContext* opaque_context, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    TfLiteOpaqueContextReportErrorVa(opaque_context, format, arguments);
    va_end(arguments);
}

int oclite_context_num_threads(const TfLiteOpaqueContext* context) {
    const int threads = context ? as_const_context(context)->recommended_num_threads : 1;
    return threads > 1 ? threads : 1;
}

bool oclite_context_is_cancelled(const TfLiteOpaqueContext* context) {
    const LiteCancelHook* hook = context ? lite_cancel_hook(as_const_context(context)) : NULL;
    return hook != NULL && hook->is_cancelled(hook);
}
