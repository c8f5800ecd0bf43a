// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/cut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/edit.h"
#include "tools/common/file.h"
#include "tools/common/ints.h"

static ToolStatus fail(ToolMessage* message) {
    return tool_fail(message, kToolFile, "%s", oclite_edit_last_error());
}

static OcliteEdit* open_edit(const DiffGraph* graph) {
    size_t size = 0;
    const void* data = oclite_model_data(graph->session.model, &size);
    return oclite_edit_create(data, size);
}

static ToolStatus write_model(const OcliteEdit* edit, const char* path, ToolMessage* message) {
    size_t size = 0;
    const void* data = oclite_edit_data(edit, &size);
    return tool_file_write(path, data, size, NULL, 0, message);
}

ToolStatus diff_cut_expose(const DiffGraph* graph, const int* outputs, int count, const char* path,
                           ToolMessage* message) {
    OcliteEdit* edit = open_edit(graph);
    ToolStatus status = kToolOk;
    if (edit == NULL || oclite_edit_set_outputs(edit, 0, outputs, count) != kTfLiteOk) {
        status = fail(message);
    } else {
        status = write_model(edit, path, message);
    }
    oclite_edit_delete(edit);
    return status;
}

// Lists the tensors that the nodes read and other nodes make, in the order in which they are read.
static ToolStatus list_inputs(const DiffGraph* graph, const int* nodes, int count, DiffCut* cut,
                              ToolMessage* message) {
    const int* given = NULL;
    int given_count = 0;
    cut->inputs = calloc((size_t)graph->tensor_count + 1, sizeof(*cut->inputs));
    if (cut->inputs == NULL) return tool_out_of_memory(message);
    (void)oclite_interpreter_inputs(graph->session.interpreter, 0, &given, &given_count);
    for (int n = 0; n < count; n++) {
        const OcliteNode node = diff_graph_node(graph, nodes[n]);
        for (int i = 0; i < node.input_count; i++) {
            const int tensor = node.inputs[i];
            if (tensor < 0 || tool_ints_contain(cut->inputs, cut->input_count, tensor)) continue;
            const int writer = graph->writer[tensor];
            if (writer < 0 ? !tool_ints_contain(given, given_count, tensor)
                           : tool_ints_contain(nodes, count, writer))
                continue;
            cut->inputs[cut->input_count++] = tensor;
        }
    }
    return kToolOk;
}

// Nodes of a subgraph, and the model that was made of them: its k-th node is nodes[k].
typedef struct Part {
    OcliteEdit* whole;
    int subgraph;
    const int* nodes;
    int count;
    OcliteEdit* edit;
} Part;

// Returns the index of the tensor in the new model; -1 when none of the nodes writes it.
static int new_tensor(const Part* part, int tensor) {
    for (int n = 0; n < part->count; n++) {
        OcliteEditNode before;
        OcliteEditNode after;
        if (oclite_edit_node(part->whole, part->subgraph, part->nodes[n], &before) != kTfLiteOk ||
            oclite_edit_node(part->edit, 0, n, &after) != kTfLiteOk) {
            return -1;
        }
        for (int o = 0; o < before.output_count && o < after.output_count; o++) {
            if (before.outputs[o] == tensor) return after.outputs[o];
        }
    }
    return -1;
}

static ToolStatus set_outputs(const Part* part, const int* outputs, int count, ToolMessage* message) {
    int* tensors = calloc((size_t)count + 1, sizeof(*tensors));
    if (tensors == NULL) return tool_out_of_memory(message);
    for (int o = 0; o < count; o++) tensors[o] = new_tensor(part, outputs[o]);
    const TfLiteStatus set = oclite_edit_set_outputs(part->edit, 0, tensors, count);
    free(tensors);
    return set == kTfLiteOk ? kToolOk : fail(message);
}

// Makes the model and sets its outputs. Close it whatever the result.
static ToolStatus open_part(Part* part, const int* outputs, int count, ToolMessage* message) {
    if (part->whole != NULL)
        part->edit = oclite_edit_extract(part->whole, part->subgraph, part->nodes, part->count);
    return part->edit != NULL ? set_outputs(part, outputs, count, message) : fail(message);
}

static void close_part(Part* part) {
    oclite_edit_delete(part->edit);
    oclite_edit_delete(part->whole);
}

ToolStatus diff_cut_nodes(const DiffGraph* graph, const int* nodes, int count, const int* outputs,
                          int output_count, const char* path, DiffCut* cut, ToolMessage* message) {
    OcliteEditSubgraph main_graph;
    Part part = {.whole = open_edit(graph), .nodes = nodes, .count = count};
    ToolStatus status = open_part(&part, outputs, output_count, message);
    if (status == kToolOk) status = list_inputs(graph, nodes, count, cut, message);
    if (status == kToolOk && (oclite_edit_subgraph(part.edit, 0, &main_graph) != kTfLiteOk ||
                              main_graph.input_count != cut->input_count)) {
        status = tool_fail(message, kToolFile, "its inputs cannot be told");
    }
    if (status == kToolOk) status = write_model(part.edit, path, message);
    close_part(&part);
    return status;
}

void diff_cut_free(DiffCut* cut) {
    free(cut->inputs);
    *cut = (DiffCut){0};
}

// Returns the subgraph that the signature runs; -1, with a message, when there is no such signature.
static ToolStatus find_signature(const char* model, const char* signature, int* subgraph,
                                 ToolMessage* message) {
    DiffGraph graph = {0};
    char known[256] = "";
    ToolMessage said = {{0}};
    ToolStatus status = diff_graph_open(model, &graph, &said);
    *subgraph = -1;
    for (int i = 0; status == kToolOk && i < TfLiteInterpreterGetSignatureCount(graph.session.interpreter);
         i++) {
        const char* key = TfLiteInterpreterGetSignatureKey(graph.session.interpreter, i);
        const size_t length = strlen(known);
        snprintf(known + length, sizeof(known) - length, "%s%s", i ? ", " : "", key);
        if (strcmp(key, signature) != 0) continue;
        *subgraph = oclite_interpreter_signature_subgraph(graph.session.interpreter, i);
    }
    diff_graph_close(&graph);
    if (status != kToolOk) return tool_fail(message, status, "%s", said.text);
    if (*subgraph >= 0) return kToolOk;
    return tool_fail(message, kToolUsage, "--signature: %s has no '%s', but: %s", model, signature, known);
}

ToolStatus diff_cut_signature(const char* model, const char* signature, const char* path, bool* is_written,
                              ToolMessage* message) {
    OcliteEditSubgraph about;
    Part part = {0};
    *is_written = false;
    ToolStatus status = find_signature(model, signature, &part.subgraph, message);
    if (status != kToolOk || part.subgraph == 0) return status;
    part.whole = oclite_edit_create_from_file(model);
    if (part.whole == NULL || oclite_edit_subgraph(part.whole, part.subgraph, &about) != kTfLiteOk) {
        oclite_edit_delete(part.whole);
        return fail(message);
    }
    int* nodes = calloc((size_t)about.node_count + 1, sizeof(*nodes));
    for (int n = 0; nodes != NULL && n < about.node_count; n++) nodes[n] = n;
    part.nodes = nodes;
    part.count = about.node_count;
    status = nodes != NULL ? open_part(&part, about.outputs, about.output_count, message)
                           : tool_out_of_memory(message);
    if (status == kToolOk) status = write_model(part.edit, path, message);
    *is_written = status == kToolOk;
    close_part(&part);
    free(nodes);
    return status;
}
