// SPDX-License-Identifier: Apache-2.0
// oclite.h: what models and interpreters consist of.
#include "oclite/oclite.h"
#include "core/graph/allocate.h"
#include "core/graph/background.h"
#include "core/graph/inspect.h"
#include "core/graph/interpreter.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"

#include "core/api/handles.h"
#include "core/base/cpu_path.h"
#include "core/base/operator.h"
#include "core/base/winograd_choice.h"
#include "core/model/open.h"

const char* oclite_version(void) {
    return OCLITE_VERSION_STRING;
}

void oclite_interpreter_options_set_memory_limit(TfLiteInterpreterOptions* options, size_t bytes) {
    if (options) options->memory_limit = bytes;
}

const char* oclite_precision_name(int index) {
    return lite_precision_name((LitePrecision)index);
}

TfLiteStatus oclite_interpreter_options_set_precision(TfLiteInterpreterOptions* options, const char* name) {
    if (options == NULL) return kTfLiteError;
    const LitePrecision precision = lite_precision_find(name);
    if (precision == kLitePrecisions) {
        return lite_report(&options->reporter, "precision \"%s\" is none of float32, bfloat16, float16",
                           name == NULL ? "" : name);
    }
    options->precision = precision;
    return kTfLiteOk;
}

void oclite_interpreter_options_set_weight_cache(TfLiteInterpreterOptions* options, const char* folder,
                                                 size_t bytes) {
    if (options == NULL) return;
    char* copy = lite_strdup(folder);
    if (folder != NULL && copy == NULL) options->out_of_memory = true;
    lite_free(options->weight_cache);
    options->open_weight_cache = copy != NULL ? lite_shared_cache_open : NULL;
    options->weight_cache = copy;
    options->weight_cache_limit = bytes;
}

// Operators.

int oclite_operator_count(void) {
    return lite_registry_count();
}

const TfLiteRegistration* oclite_operator(int index) {
    return lite_registry_registration(index);
}

const char* oclite_operator_name(int builtin_code) {
    return builtin_code >= 0 && builtin_code <= kTfLiteBuiltinStablehloCase ? lite_operator_name(builtin_code)
                                                                            : NULL;
}

// CPU paths.

const char* oclite_available_cpu_path(int index) {
    for (LiteCpuPath path = kLiteCpuAuto; index >= 0 && path < kLiteCpuPaths; path++) {
        if (lite_cpu_path_available(path) && index-- == 0) return lite_cpu_path_name(path);
    }
    return NULL;
}

TfLiteStatus oclite_set_cpu_path(const char* name) {
    return lite_cpu_path_choose(lite_cpu_path_find(name)) ? kTfLiteOk : kTfLiteError;
}

const char* oclite_cpu_path(void) {
    return lite_cpu_path_name(lite_cpu_path());
}

TfLiteStatus oclite_set_winograd(const char* name) {
    return lite_winograd_choose(lite_winograd_choice_find(name)) ? kTfLiteOk : kTfLiteError;
}

const char* oclite_winograd(void) {
    return lite_winograd_choice_name(lite_winograd_choice());
}

// Models.

TfLiteModel* oclite_model_create_from_root(const void* root_table,
                                           void (*reporter)(void* user_data, const char* format,
                                                            va_list args),
                                           void* user_data) {
    const LiteReporter messages = {reporter, user_data};
    if (root_table == NULL) {
        lite_report(&messages, "model: no root table");
        return NULL;
    }
    return (TfLiteModel*)lite_model_create_from_root(root_table, &messages);
}

const void* oclite_model_root(const TfLiteModel* model) {
    return model ? lite_model_root((const LiteModel*)model) : NULL;
}

const void* oclite_model_data(const TfLiteModel* model, size_t* size) {
    const void* data = NULL;
    size_t bytes = 0;
    if (model != NULL) (void)lite_model_file((const LiteModel*)model, &data, &bytes);
    if (size != NULL) *size = bytes;
    return data;
}

const char* oclite_model_description(const TfLiteModel* model) {
    return model ? lite_model_description((const LiteModel*)model) : "";
}

int oclite_model_metadata_count(const TfLiteModel* model) {
    return model ? lite_model_metadata_count((const LiteModel*)model) : 0;
}

TfLiteStatus oclite_model_metadata(const TfLiteModel* model, int index, const char** name, const void** data,
                                   size_t* size) {
    if (index < 0 || index >= oclite_model_metadata_count(model)) return kTfLiteError;
    const LiteModelMetadata* metadata = lite_model_metadata((const LiteModel*)model, index);
    if (name != NULL) *name = metadata->name;
    if (data != NULL) *data = metadata->data;
    if (size != NULL) *size = metadata->bytes;
    return kTfLiteOk;
}

// Interpreters.

void oclite_interpreter_options_set_preserve_all_tensors(TfLiteInterpreterOptions* options, bool preserve) {
    if (options) options->preserve_all_tensors = preserve;
}

void oclite_interpreter_set_cancellation(TfLiteInterpreter* interpreter,
                                         bool (*is_cancelled)(void* user_data), void* user_data) {
    if (interpreter) lite_interpreter_set_cancellation(as_interpreter(interpreter), is_cancelled, user_data);
}

// NULL for NULL, and where there is no such subgraph.
static LiteSubgraph* subgraph_of(const TfLiteInterpreter* interpreter, int subgraph) {
    return interpreter ? lite_interpreter_subgraph(as_interpreter(interpreter), subgraph) : NULL;
}

int oclite_interpreter_subgraph_count(const TfLiteInterpreter* interpreter) {
    return interpreter ? lite_interpreter_subgraph_count(as_interpreter(interpreter)) : 0;
}

const char* oclite_interpreter_subgraph_name(const TfLiteInterpreter* interpreter, int subgraph) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_name(graph) : NULL;
}

TfLiteContext* oclite_interpreter_context(const TfLiteInterpreter* interpreter, int subgraph) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? (TfLiteContext*)lite_subgraph_context(graph) : NULL;
}

TfLiteStatus oclite_interpreter_resize_input(TfLiteInterpreter* interpreter, int subgraph, int tensor,
                                             const int* dims, int rank) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_resize_input(graph, tensor, dims, rank) : kTfLiteError;
}

TfLiteStatus oclite_interpreter_set_custom_allocation(TfLiteInterpreter* interpreter, int subgraph,
                                                      int tensor, const TfLiteCustomAllocation* allocation,
                                                      int64_t flags) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    if (graph == NULL || allocation == NULL) return kTfLiteError;
    return lite_subgraph_set_custom_allocation(graph, tensor, allocation, flags);
}

static TfLiteStatus give_ints(LiteModelInts ints, const int** data, int* count) {
    if (data == NULL || count == NULL) return kTfLiteError;
    *data = ints.data;
    *count = ints.count;
    return kTfLiteOk;
}

TfLiteStatus oclite_interpreter_inputs(const TfLiteInterpreter* interpreter, int subgraph,
                                       const int** tensors, int* count) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? give_ints(lite_subgraph_inputs(graph), tensors, count) : kTfLiteError;
}

TfLiteStatus oclite_interpreter_outputs(const TfLiteInterpreter* interpreter, int subgraph,
                                        const int** tensors, int* count) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? give_ints(lite_subgraph_outputs(graph), tensors, count) : kTfLiteError;
}

int oclite_interpreter_signature_subgraph(const TfLiteInterpreter* interpreter, int signature) {
    if (signature < 0 || signature >= TfLiteInterpreterGetSignatureCount(interpreter)) return -1;
    return lite_model_signature(lite_interpreter_model(as_interpreter(interpreter)), signature)->subgraph;
}

int oclite_interpreter_tensor_count(const TfLiteInterpreter* interpreter, int subgraph) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_tensor_count(graph) : 0;
}

const TfLiteTensor* oclite_interpreter_tensor(const TfLiteInterpreter* interpreter, int subgraph,
                                              int tensor) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_tensor(graph, tensor) : NULL;
}

int oclite_interpreter_node_count(const TfLiteInterpreter* interpreter, int subgraph) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_node_count(graph) : 0;
}

TfLiteStatus oclite_interpreter_node(const TfLiteInterpreter* interpreter, int subgraph, int node,
                                     OcliteNode* result) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    LiteNodeInfo info;
    if (graph == NULL || result == NULL || !lite_subgraph_node_info(graph, node, &info)) return kTfLiteError;
    *result = (OcliteNode){
        .op = info.op,
        .builtin_code = info.builtin_code,
        .version = info.version,
        .is_delegate = info.builtin_code == kTfLiteBuiltinDelegate,
        .in_plan = info.in_plan,
        .resolved = info.resolved,
        .delegate_node = info.delegate_node,
        .replaced_count = info.replaced_count,
        .replaced = info.replaced,
        .input_count = info.node->inputs ? info.node->inputs->size : 0,
        .inputs = info.node->inputs ? info.node->inputs->data : NULL,
        .output_count = info.node->outputs ? info.node->outputs->size : 0,
        .outputs = info.node->outputs ? info.node->outputs->data : NULL,
        .node = info.node,
        .registration = info.registration,
    };
    return kTfLiteOk;
}

TfLiteStatus oclite_interpreter_plan(const TfLiteInterpreter* interpreter, int subgraph, const int** nodes,
                                     int* count) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? give_ints(lite_subgraph_plan(graph), nodes, count) : kTfLiteError;
}

size_t oclite_interpreter_memory(const TfLiteInterpreter* interpreter) {
    size_t bytes = 0;
    for (int i = 0; i < oclite_interpreter_subgraph_count(interpreter); i++) {
        bytes += lite_subgraph_memory(subgraph_of(interpreter, i));
    }
    return bytes;
}

TfLiteStatus oclite_interpreter_packed_weights(const TfLiteInterpreter* interpreter,
                                               OclitePackedWeights* result) {
    if (interpreter == NULL || result == NULL) return kTfLiteError;
    LiteModel* model = (LiteModel*)lite_interpreter_model(as_interpreter(interpreter));
    const LiteSharedAccount account = lite_shared_account(lite_model_shared(model));
    *result = (OclitePackedWeights){.bytes = account.bytes,
                                    .bfloat16_bytes = account.halves[kLitePrecisionBfloat16],
                                    .float16_bytes = account.halves[kLitePrecisionFloat16],
                                    .mapped_bytes = account.mapped};
    return kTfLiteOk;
}

TfLiteStatus oclite_interpreter_tensor_memory(const TfLiteInterpreter* interpreter, int subgraph, int tensor,
                                              OcliteTensorMemory* result) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    if (graph == NULL || result == NULL) return kTfLiteError;
    return lite_subgraph_tensor_memory(graph, tensor, result) ? kTfLiteOk : kTfLiteError;
}

size_t oclite_interpreter_arena_bytes(const TfLiteInterpreter* interpreter, int subgraph, int arena) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_arena_bytes(graph, arena) : 0;
}

void oclite_interpreter_set_profile(TfLiteInterpreter* interpreter,
                                    void (*profile)(void* user_data, int subgraph, int node,
                                                    uint64_t begin_ns, uint64_t end_ns),
                                    void* user_data) {
    if (interpreter) lite_interpreter_set_profile(as_interpreter(interpreter), profile, user_data);
}

TfLiteStatus oclite_invoke_async(TfLiteInterpreter* interpreter,
                                 void (*callback)(void* user_data, TfLiteStatus status), void* user_data) {
    return interpreter ? lite_interpreter_invoke_async(as_interpreter(interpreter), callback, user_data)
                       : kTfLiteError;
}

TfLiteStatus oclite_invoke_wait(TfLiteInterpreter* interpreter) {
    return interpreter ? lite_interpreter_wait(as_interpreter(interpreter)) : kTfLiteError;
}

void oclite_interpreter_set_num_threads(TfLiteInterpreter* interpreter, int num_threads) {
    if (interpreter) lite_interpreter_set_num_threads(as_interpreter(interpreter), num_threads);
}
