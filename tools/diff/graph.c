// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/graph.h"

#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tools/common/ints.h"

OcliteNode diff_graph_node(const DiffGraph* graph, int node) {
    OcliteNode result = {.op = ""};
    (void)oclite_interpreter_node(graph->session.interpreter, 0, node, &result);
    return result;
}

const TfLiteTensor* diff_graph_tensor(const DiffGraph* graph, int tensor) {
    return oclite_interpreter_tensor(graph->session.interpreter, 0, tensor);
}

static void find_ends(DiffGraph* graph) {
    const int* outputs = NULL;
    int count = 0;
    for (int t = 0; t < graph->tensor_count; t++) graph->writer[t] = -1;
    for (int n = 0; n < graph->node_count; n++) {
        const OcliteNode node = diff_graph_node(graph, n);
        graph->group[n] = n;
        for (int o = 0; o < node.output_count; o++) {
            const int tensor = node.outputs[o];
            if (tensor >= 0 && tensor < graph->tensor_count) graph->writer[tensor] = n;
        }
    }
    if (oclite_interpreter_outputs(graph->session.interpreter, 0, &outputs, &count) != kTfLiteOk) return;
    for (int o = 0; o < count; o++) {
        if (outputs[o] >= 0 && outputs[o] < graph->tensor_count) graph->is_output[outputs[o]] = true;
    }
}

ToolStatus diff_graph_open(const char* model, DiffGraph* graph, ToolMessage* messages) {
    const ToolSetup setup = {.cpu = "auto"};
    const ToolStatus status = tool_session_open(model, &setup, &graph->session, messages);
    if (status != kToolOk) return status;
    graph->node_count = oclite_interpreter_node_count(graph->session.interpreter, 0);
    graph->tensor_count = oclite_interpreter_tensor_count(graph->session.interpreter, 0);
    graph->group = calloc((size_t)graph->node_count + 1, sizeof(*graph->group));
    graph->writer = calloc((size_t)graph->tensor_count + 1, sizeof(*graph->writer));
    graph->is_output = calloc((size_t)graph->tensor_count + 1, sizeof(*graph->is_output));
    if (graph->group == NULL || graph->writer == NULL || graph->is_output == NULL) {
        return tool_out_of_memory(messages);
    }
    find_ends(graph);
    // Operators give tensors their types. Where that fails there is nothing to compare, which the sides tell.
    (void)TfLiteInterpreterAllocateTensors(graph->session.interpreter);
    return kToolOk;
}

void diff_graph_close(DiffGraph* graph) {
    tool_session_close(&graph->session);
    free(graph->group);
    free(graph->writer);
    free(graph->is_output);
    *graph = (DiffGraph){0};
}

// Joins two groups.
static void join(DiffGraph* graph, int a, int b) {
    if (a < 0 || b < 0 || a >= graph->node_count || b >= graph->node_count) return;
    const int low = graph->group[a] < graph->group[b] ? graph->group[a] : graph->group[b];
    const int high = graph->group[a] < graph->group[b] ? graph->group[b] : graph->group[a];
    for (int n = high; n < graph->node_count; n++) {
        if (graph->group[n] == high) graph->group[n] = low;
    }
}

static void note_node(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    const DiffModel* model = user_data;
    (void)begin_ns, (void)end_ns;
    if (subgraph == 0 && node >= 0 && node < model->watched) model->ran[node] = true;
}

void diff_graph_watch(DiffModel* model, bool* ran, int count) {
    if (model->session.interpreter == NULL) return;
    model->ran = ran;
    model->watched = count;
    memset(ran, 0, (size_t)count * sizeof(*ran));
    oclite_interpreter_set_profile(model->session.interpreter, note_node, model);
}

static void join_launch(void* user_data, const OcliteOpenclKernel* kernel) {
    if (kernel->graph != 0) return;
    for (int i = 1; i < kernel->node_count; i++) join(user_data, kernel->nodes[i - 1], kernel->nodes[i]);
}

// A node of the plan that did not run by itself is computed by the next one.
void diff_graph_learn(DiffGraph* graph, DiffModel* model) {
    const TfLiteInterpreter* interpreter = model->session.interpreter;
    const int* plan = NULL;
    int count = 0;
    if (interpreter == NULL) return;
    oclite_interpreter_set_profile(model->session.interpreter, NULL, NULL);
    if (oclite_interpreter_plan(interpreter, 0, &plan, &count) != kTfLiteOk) return;
    for (int i = 0; i + 1 < count; i++) {
        if (plan[i] < model->watched && !model->ran[plan[i]]) join(graph, plan[i], plan[i + 1]);
    }
    if (model->session.delegate != NULL)
        oclite_opencl_delegate_profile(model->session.delegate, join_launch, graph);
}

// Marks the nodes that are in the set or depend on it.
static void mark_dependent(const DiffGraph* graph, const bool* set, bool* marks) {
    for (int n = 0; n < graph->node_count; n++) {
        const OcliteNode node = diff_graph_node(graph, n);
        marks[n] = set[n];
        for (int i = 0; i < node.input_count && !marks[n]; i++) {
            const int writer = node.inputs[i] >= 0 ? graph->writer[node.inputs[i]] : -1;
            marks[n] = writer >= 0 && writer < n && marks[writer];
        }
    }
}

// Marks the nodes that the set depends on.
static void mark_needed(const DiffGraph* graph, const bool* set, bool* marks) {
    for (int n = 0; n < graph->node_count; n++) marks[n] = false;
    for (int n = graph->node_count - 1; n >= 0; n--) {
        const OcliteNode node = diff_graph_node(graph, n);
        if (!marks[n] && !set[n]) continue;
        for (int i = 0; i < node.input_count; i++) {
            const int writer = node.inputs[i] >= 0 ? graph->writer[node.inputs[i]] : -1;
            if (writer >= 0) marks[writer] = true;
        }
    }
}

ToolStatus diff_graph_close_set(const DiffGraph* graph, bool* set, bool* changed, ToolMessage* message) {
    const size_t count = (size_t)graph->node_count;
    bool* marks = calloc(count * 2 + 1, sizeof(*marks));
    *changed = false;
    if (marks == NULL) return tool_out_of_memory(message);
    mark_dependent(graph, set, marks);
    mark_needed(graph, set, marks + count);
    for (size_t n = 0; n < count; n++) {
        if (set[n] || !marks[n] || !marks[count + n]) continue;
        set[n] = *changed = true;
    }
    free(marks);
    return kToolOk;
}

static ToolStatus close_group(DiffGraph* graph, int first, bool* set, bool* changed, ToolMessage* message) {
    for (int n = 0; n < graph->node_count; n++) set[n] = graph->group[n] == first;
    const ToolStatus status = diff_graph_close_set(graph, set, changed, message);
    for (int n = first; *changed && n < graph->node_count; n++) {
        if (set[n]) join(graph, first, n);
    }
    return status;
}

static bool has_company(const DiffGraph* graph, int node) {
    for (int n = node + 1; n < graph->node_count; n++) {
        if (graph->group[n] == node) return true;
    }
    return false;
}

// A group that has grown may have joined another one, which then has to be checked again.
ToolStatus diff_graph_finish(DiffGraph* graph, ToolMessage* message) {
    bool* set = calloc((size_t)graph->node_count + 1, sizeof(*set));
    if (set == NULL) return tool_out_of_memory(message);
    ToolStatus status = kToolOk;
    for (bool again = true; again && status == kToolOk;) {
        again = false;
        for (int n = 0; n < graph->node_count && status == kToolOk; n++) {
            bool changed = false;
            if (has_company(graph, n)) status = close_group(graph, n, set, &changed, message);
            again = again || changed;
        }
    }
    free(set);
    return status;
}

int diff_graph_group(const DiffGraph* graph, int first, int* nodes) {
    int count = 0;
    for (int n = first; n < graph->node_count; n++) {
        if (graph->group[n] == first) nodes[count++] = n;
    }
    return count;
}

bool diff_graph_leaves(const DiffGraph* graph, int tensor, const int* nodes, int count) {
    bool is_read = false;
    if (graph->is_output[tensor] || count == 1) return true;
    for (int n = graph->writer[tensor] + 1; n < graph->node_count; n++) {
        const OcliteNode node = diff_graph_node(graph, n);
        if (!tool_ints_contain(node.inputs, node.input_count, tensor)) continue;
        is_read = true;
        if (!tool_ints_contain(nodes, count, n)) return true;
    }
    return !is_read;
}

static bool is_handle(const TfLiteTensor* tensor) {
    const TfLiteType type = TfLiteTensorType(tensor);
    return type == kTfLiteResource || type == kTfLiteVariant || type == kTfLiteNoType;
}

bool diff_graph_has_contents(const DiffGraph* graph, int tensor) {
    const TfLiteTensor* about = diff_graph_tensor(graph, tensor);
    return about != NULL && !about->is_variable && !is_handle(about);
}

static bool is_any_of(const DiffGraph* graph, int node, const char* const* names) {
    const OcliteNode about = diff_graph_node(graph, node);
    for (; *names != NULL; names++) {
        if (strcmp(about.op, *names) == 0) return true;
    }
    return false;
}

bool diff_graph_is_random(const DiffGraph* graph, int node) {
    static const char* const names[] = {"RANDOM_UNIFORM",
                                        "RANDOM_STANDARD_NORMAL",
                                        "MULTINOMIAL",
                                        "RandomUniform",
                                        "RandomStandardNormal",
                                        "Multinomial",
                                        NULL};
    return is_any_of(graph, node, names);
}

bool diff_graph_is_stateful(const DiffGraph* graph, int node) {
    const OcliteNode about = diff_graph_node(graph, node);
    for (int i = 0; i < about.input_count + about.output_count; i++) {
        const int index = i < about.input_count ? about.inputs[i] : about.outputs[i - about.input_count];
        const TfLiteTensor* tensor = diff_graph_tensor(graph, index);
        if (tensor != NULL && (tensor->is_variable || is_handle(tensor))) return true;
    }
    return false;
}

bool diff_graph_is_control(const DiffGraph* graph, int node) {
    static const char* const names[] = {"WHILE", "IF", "CALL", "CALL_ONCE", "STABLEHLO_COMPOSITE", NULL};
    return is_any_of(graph, node, names);
}
