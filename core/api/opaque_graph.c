// SPDX-License-Identifier: Apache-2.0
// The TfLiteOpaqueContext* functions that need more than the callbacks of TfLiteContext, and those that take
// or return operators, whose struct is our own. This file is not linked into the delegate plugin.
#include "core/base/operator.h"
#include "core/base/status.h"
#include "core/graph/apply.h"
#include "core/graph/subgraph.h"
#include "core/opaque/opaque.h"

static TfLiteStatus ints_view(LiteModelInts ints, const int** data, int* count) {
    if (data == NULL || count == NULL) return kTfLiteError;
    *data = ints.data;
    *count = ints.count;
    return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueContextGetInputs(const struct TfLiteOpaqueContext* opaque_context,
                                          const int** inputs, int* num_inputs) {
    if (opaque_context == NULL) return kTfLiteError;
    return ints_view(lite_subgraph_inputs(lite_subgraph_of(opaque_context)), inputs, num_inputs);
}

TfLiteStatus TfLiteOpaqueContextGetOutputs(const struct TfLiteOpaqueContext* opaque_context,
                                           const int** outputs, int* num_outputs) {
    if (opaque_context == NULL) return kTfLiteError;
    return ints_view(lite_subgraph_outputs(lite_subgraph_of(opaque_context)), outputs, num_outputs);
}

TfLiteStatus TfLiteOpaqueContextGetVariables(const struct TfLiteOpaqueContext* opaque_context,
                                             const int** variables, int* num_variables) {
    if (opaque_context == NULL) return kTfLiteError;
    return ints_view(lite_subgraph_variables(lite_subgraph_of(opaque_context)), variables, num_variables);
}

size_t TfLiteOpaqueContextGetNumNodes(const struct TfLiteOpaqueContext* opaque_context) {
    return opaque_context ? (size_t)lite_subgraph_node_count(lite_subgraph_of(opaque_context)) : 0;
}

const char* TfLiteOpaqueContextGetName(const struct TfLiteOpaqueContext* opaque_context) {
    return opaque_context ? lite_subgraph_name(lite_subgraph_of(opaque_context)) : NULL;
}

TfLiteStatus TfLiteOpaqueContextGetNodeAndRegistration(struct TfLiteOpaqueContext* opaque_context,
                                                       int node_index, TfLiteOpaqueNode** node,
                                                       TfLiteOperator** registration_external) {
    if (opaque_context == NULL || node == NULL || registration_external == NULL) return kTfLiteError;
    TfLiteContext* context = as_context(opaque_context);
    TfLiteNode* found = NULL;
    TfLiteRegistration* registration = NULL;
    LITE_TRY(context->GetNodeAndRegistration(context, node_index, &found, &registration));
    *node = (TfLiteOpaqueNode*)found;
    *registration_external = registration->registration_external;
    return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(
    struct TfLiteOpaqueContext* opaque_context, TfLiteOperator* registration_external,
    const TfLiteIntArray* nodes_to_replace, TfLiteOpaqueDelegate* opaque_delegate) {
    if (opaque_context == NULL || registration_external == NULL || nodes_to_replace == NULL ||
        opaque_delegate == NULL) {
        return kTfLiteError;
    }
    const TfLiteRegistration registration = {
        .builtin_code = registration_external->builtin_code,
        .custom_name = registration_external->custom_name,
        .version = registration_external->version,
        .registration_external = registration_external,
        .inplace_operator = registration_external->inplace_operator,
    };
    TfLiteContext* context = as_context(opaque_context);
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, nodes_to_replace,
                                                          opaque_delegate);
}

TfLiteStatus TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(TfLiteOpaqueContext* opaque_context,
                                                                  int subgraph_index) {
    TfLiteOpaqueContext* other = NULL;
    if (subgraph_index == 0) return kTfLiteError; // the model's own graph
    LITE_TRY(TfLiteOpaqueContextAcquireSubgraphContext(opaque_context, subgraph_index, &other));
    lite_subgraph_skip_delegation(lite_subgraph_of(other));
    return TfLiteOpaqueContextReleaseSubgraphContext(opaque_context, subgraph_index);
}

TfLiteStatus TfLiteOpaqueContextGetNodeInitDataMmapInfo(const TfLiteOpaqueContext* context,
                                                        const TfLiteOpaqueNode* node, int* fd,
                                                        int64_t* custom_initial_data_offset_in_file,
                                                        int64_t* custom_initial_data_size) {
    if (context == NULL || node == NULL || fd == NULL || custom_initial_data_offset_in_file == NULL ||
        custom_initial_data_size == NULL) {
        return kTfLiteError;
    }
    const void* base;
    size_t size;
    *fd = lite_model_file(lite_subgraph_model(lite_subgraph_of(context)), &base, &size);
    *custom_initial_data_offset_in_file = -1;
    *custom_initial_data_size = -1;
    if (*fd < 0) return kTfLiteError;
    const TfLiteNode* plain = as_const_node(node);
    if (plain->custom_initial_data == NULL) return kTfLiteOk;
    *custom_initial_data_offset_in_file = (const char*)plain->custom_initial_data - (const char*)base;
    *custom_initial_data_size = plain->custom_initial_data_size;
    return kTfLiteOk;
}
