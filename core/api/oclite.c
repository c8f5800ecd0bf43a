// SPDX-License-Identifier: Apache-2.0
// oclite.h: what an interpreter consists of.
#include "oclite/oclite.h"

#include "core/api/handles.h"

const char* oclite_version(void) {
    return OCLITE_VERSION_STRING;
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
    };
    return kTfLiteOk;
}

TfLiteStatus oclite_interpreter_plan(const TfLiteInterpreter* interpreter, int subgraph, const int** nodes,
                                     int* count) {
    const LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    if (graph == NULL || nodes == NULL || count == NULL) return kTfLiteError;
    const LiteModelInts plan = lite_subgraph_plan(graph);
    *nodes = plan.data;
    *count = plan.count;
    return kTfLiteOk;
}

size_t oclite_interpreter_memory(const TfLiteInterpreter* interpreter) {
    size_t bytes = 0;
    for (int i = 0; i < oclite_interpreter_subgraph_count(interpreter); i++) {
        bytes += lite_subgraph_memory(subgraph_of(interpreter, i));
    }
    return bytes;
}

void oclite_interpreter_set_profile(TfLiteInterpreter* interpreter,
                                    void (*profile)(void* user_data, int subgraph, int node,
                                                    uint64_t begin_ns, uint64_t end_ns),
                                    void* user_data) {
    if (interpreter) lite_interpreter_set_profile(as_interpreter(interpreter), profile, user_data);
}

void oclite_interpreter_set_num_threads(TfLiteInterpreter* interpreter, int num_threads) {
    if (interpreter) lite_interpreter_set_num_threads(as_interpreter(interpreter), num_threads);
}
