// SPDX-License-Identifier: Apache-2.0
// graph.h: graphs that a program builds by itself.
#include "oclite/graph.h"
#include "core/graph/allocate.h"
#include "core/graph/build.h"
#include "core/graph/build_node.h"
#include "core/graph/build_tensor.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"

#include "core/api/handles.h"
#include "core/api/options.h"
#include "core/model/open.h"

TfLiteInterpreter* oclite_interpreter_create_empty(const TfLiteInterpreterOptions* options) {
    LiteModel* model = lite_model_create_empty(options ? &options->reporter : NULL);
    if (model == NULL) return NULL;
    // A delegate would find nothing yet, and keep the graph from being built.
    TfLiteInterpreterOptions without_delegates = {.num_threads = -1};
    if (options != NULL) without_delegates = *options;
    without_delegates.delegate_count = 0;
    TfLiteInterpreter* interpreter =
        lite_options_create_interpreter((TfLiteModel*)model, &without_delegates, false);
    lite_model_release(model); // the interpreter has a reference of its own
    return interpreter;
}

TfLiteStatus oclite_interpreter_add_subgraphs(TfLiteInterpreter* interpreter, int count, int* first) {
    return interpreter ? lite_build_subgraphs(as_interpreter(interpreter), count, first) : kTfLiteError;
}

// NULL, after a message if there is somebody to tell, where there is no such subgraph.
static LiteSubgraph* subgraph_of(const TfLiteInterpreter* interpreter, int index) {
    if (interpreter == NULL) return NULL;
    LiteSubgraph* subgraph = lite_interpreter_subgraph(as_interpreter(interpreter), index);
    if (subgraph == NULL) {
        lite_report(lite_interpreter_reporter(as_interpreter(interpreter)),
                    "there is no subgraph %d: there are %d", index,
                    lite_interpreter_subgraph_count(as_interpreter(interpreter)));
    }
    return subgraph;
}

TfLiteStatus oclite_graph_set_name(TfLiteInterpreter* interpreter, int subgraph, const char* name) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_build_set_name(graph, name) : kTfLiteError;
}

TfLiteStatus oclite_graph_add_tensors(TfLiteInterpreter* interpreter, int subgraph, int count, int* first) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_build_tensors(graph, count, first) : kTfLiteError;
}

static TfLiteStatus set_list(TfLiteInterpreter* interpreter, int subgraph, LiteBuildList list,
                             const int* tensors, int count) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_build_set_list(graph, list, tensors, count) : kTfLiteError;
}

TfLiteStatus oclite_graph_set_inputs(TfLiteInterpreter* interpreter, int subgraph, const int* tensors,
                                     int count) {
    return set_list(interpreter, subgraph, kLiteBuildInputs, tensors, count);
}

TfLiteStatus oclite_graph_set_outputs(TfLiteInterpreter* interpreter, int subgraph, const int* tensors,
                                      int count) {
    return set_list(interpreter, subgraph, kLiteBuildOutputs, tensors, count);
}

TfLiteStatus oclite_graph_set_variables(TfLiteInterpreter* interpreter, int subgraph, const int* tensors,
                                        int count) {
    return set_list(interpreter, subgraph, kLiteBuildVariables, tensors, count);
}

// The functions own a description's quantization, and a node's parameters, whatever else is wrong.
static TfLiteStatus drop_quantization(const OcliteNewTensor* description) {
    TfLiteQuantization quantization = {kTfLiteNoQuantization, NULL};
    if (description != NULL) quantization = description->quantization;
    TfLiteQuantizationFree(&quantization);
    return kTfLiteError;
}

TfLiteStatus oclite_graph_set_tensor(TfLiteInterpreter* interpreter, int subgraph, int tensor,
                                     const OcliteNewTensor* description) {
    LiteSubgraph* graph = description ? subgraph_of(interpreter, subgraph) : NULL;
    return graph ? lite_build_tensor(graph, tensor, description) : drop_quantization(description);
}

TfLiteStatus oclite_graph_set_constant(TfLiteInterpreter* interpreter, int subgraph, int tensor,
                                       const OcliteNewTensor* description, const void* data, size_t bytes) {
    LiteSubgraph* graph = description ? subgraph_of(interpreter, subgraph) : NULL;
    return graph ? lite_build_constant(graph, tensor, description, data, bytes)
                 : drop_quantization(description);
}

TfLiteStatus oclite_graph_add_node(TfLiteInterpreter* interpreter, int subgraph, const OcliteNewNode* node,
                                   int* index) {
    LiteSubgraph* graph = node ? subgraph_of(interpreter, subgraph) : NULL;
    if (graph != NULL) return lite_build_node(graph, node, index);
    if (node != NULL) lite_free(node->builtin_data);
    return kTfLiteError;
}

TfLiteStatus oclite_graph_set_plan(TfLiteInterpreter* interpreter, int subgraph, const int* nodes,
                                   int count) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_build_set_plan(graph, nodes, count) : kTfLiteError;
}

TfLiteStatus oclite_graph_allocate(TfLiteInterpreter* interpreter, int subgraph) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_allocate(graph) : kTfLiteError;
}

TfLiteStatus oclite_graph_invoke(TfLiteInterpreter* interpreter, int subgraph) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_invoke(graph) : kTfLiteError;
}

TfLiteStatus oclite_graph_release_memory(TfLiteInterpreter* interpreter, int subgraph) {
    LiteSubgraph* graph = subgraph_of(interpreter, subgraph);
    return graph ? lite_subgraph_release_memory(graph) : kTfLiteError;
}

TfLiteStatus oclite_interpreter_set_release_dynamic_tensors(TfLiteInterpreter* interpreter, bool release) {
    return interpreter ? lite_build_release_dynamic_tensors(as_interpreter(interpreter), release)
                       : kTfLiteError;
}

TfLiteStatus oclite_interpreter_set_preserve_all_tensors(TfLiteInterpreter* interpreter, bool preserve) {
    return interpreter ? lite_build_preserve_all_tensors(as_interpreter(interpreter), preserve)
                       : kTfLiteError;
}
