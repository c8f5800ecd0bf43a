// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/stored.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/diff/alone.h"
#include "tools/diff/cut.h"

// Computes the model with only the first `count` rows exposed; the first are the model's outputs.
static ToolStatus probe(DiffWork* work, int count, bool* is_beyond, ToolMessage* message) {
    char path[DIFF_MAX_PATH];
    DiffAlone whole = {.cut = {.input_count = work->input_count},
                       .inputs = work->inputs,
                       .outputs = work->tensors,
                       .output_count = count,
                       .worst = -1};
    snprintf(path, sizeof(path), "%s/probe.tflite", work->folder);
    ToolStatus status = diff_cut_expose(&work->graph, work->tensors, count, path, message);
    if (status == kToolOk) status = diff_alone_compare(work, path, &whole, message);
    *is_beyond = false;
    for (int o = 0; o < work->output_count && status == kToolOk; o++) {
        *is_beyond = *is_beyond || diff_is_beyond(&whole.errors[o]);
    }
    free(whole.errors);
    return status;
}

// Marks the group that writes the tensor, and those that read it.
static void mark_neighbours(const DiffGraph* graph, int tensor, bool* set) {
    for (int n = graph->writer[tensor]; n < graph->node_count; n++) {
        const OcliteNode node = diff_graph_node(graph, n);
        bool is_near = n == graph->writer[tensor];
        for (int i = 0; i < node.input_count; i++) is_near = is_near || node.inputs[i] == tensor;
        for (int g = 0; is_near && g < graph->node_count; g++) {
            set[g] = set[g] || graph->group[g] == graph->group[n];
        }
    }
}

static ToolStatus take_neighbours(DiffWork* work, int tensor, ToolMessage* message) {
    const DiffGraph* graph = &work->graph;
    DiffFinding* finding = &work->finding;
    bool changed = false;
    finding->nodes = calloc((size_t)graph->node_count + 1, sizeof(*finding->nodes));
    bool* set = calloc((size_t)graph->node_count + 1, sizeof(*set));
    if (finding->nodes == NULL || set == NULL) {
        free(set);
        return tool_out_of_memory(message);
    }
    mark_neighbours(graph, tensor, set);
    const ToolStatus status = diff_graph_close_set(graph, set, &changed, message);
    for (int n = 0; n < graph->node_count; n++) {
        if (set[n]) finding->nodes[finding->node_count++] = n;
    }
    free(set);
    return status;
}

ToolStatus diff_search_stored(DiffWork* work, ToolMessage* message) {
    int differs = work->output_count; // so many rows exposed: outputs differ;
    int agrees = work->row_count;     // so many: they agree
    const DiffError* worst = &work->outputs[0];
    for (int o = 1; o < work->output_count; o++) {
        if (diff_is_worse(&work->outputs[o], worst)) worst = &work->outputs[o];
    }
    work->finding = (DiffFinding){.cause = kDiffStored, .tensor = -1, .error = *worst};
    ToolStatus status = kToolOk;
    while (agrees - differs > 1 && status == kToolOk) {
        const int middle = differs + (agrees - differs) / 2;
        bool is_beyond = false;
        status = probe(work, middle, &is_beyond, message);
        if (is_beyond) {
            differs = middle;
        } else {
            agrees = middle;
        }
    }
    if (status != kToolOk) return status;
    if (agrees == differs) {
        tool_fail(&work->finding.note, kToolOk,
                  "there is no tensor between: the same nodes gave another result");
        return kToolOk;
    }
    work->finding.tensor = work->tensors[agrees - 1];
    status = take_neighbours(work, work->finding.tensor, message);
    if (status == kToolOk) (void)diff_alone_check(work, &work->finding);
    return status;
}
