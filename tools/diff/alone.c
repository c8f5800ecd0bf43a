// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/alone.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/diff/part.h"

// Lists all visible tensors that the nodes write, or only those that other nodes or the caller see.
static ToolStatus list_outputs(const DiffWork* work, const int* nodes, int count, bool all, DiffAlone* alone,
                               ToolMessage* message) {
    const DiffGraph* graph = &work->graph;
    alone->outputs = calloc((size_t)graph->tensor_count + 1, sizeof(*alone->outputs));
    if (alone->outputs == NULL) return tool_out_of_memory(message);
    for (int n = 0; n < count; n++) {
        const OcliteNode node = diff_graph_node(graph, nodes[n]);
        for (int o = 0; o < node.output_count; o++) {
            const int tensor = node.outputs[o];
            if (tensor < 0 || !diff_graph_has_contents(graph, tensor)) continue;
            if (!all && !diff_graph_leaves(graph, tensor, nodes, count)) continue;
            if (alone->output_count < graph->tensor_count) alone->outputs[alone->output_count++] = tensor;
        }
    }
    if (alone->output_count > 0) return kToolOk;
    return tool_fail(message, kToolFile, "its results cannot be looked at");
}

static ToolStatus find_inputs(const DiffWork* work, DiffAlone* alone, ToolMessage* message) {
    alone->inputs = calloc((size_t)alone->cut.input_count + 1, sizeof(*alone->inputs));
    if (alone->inputs == NULL) return tool_out_of_memory(message);
    for (int i = 0; i < alone->cut.input_count; i++) {
        const int tensor = alone->cut.inputs[i];
        const ToolInput* value = tensor >= 0 ? work->value_of[tensor] : NULL;
        if (value == NULL || (!value->is_strings && value->array.type == kTfLiteNoType)) {
            return tool_fail(message, kToolFile, "the contents of tensor %d are not to be had", tensor);
        }
        alone->inputs[i] = *value;
    }
    return kToolOk;
}

static ToolStatus make(const DiffWork* work, const int* nodes, int count, bool all, const char* path,
                       DiffAlone* alone, ToolMessage* message) {
    DiffCut cut = {0};
    *alone = (DiffAlone){.worst = -1};
    ToolStatus status = list_outputs(work, nodes, count, all, alone, message);
    if (status == kToolOk) {
        status = diff_cut_nodes(&work->graph, nodes, count, alone->outputs, alone->output_count, path, &cut,
                                message);
    }
    alone->cut = cut;
    if (status == kToolOk) status = find_inputs(work, alone, message);
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        alone->texts[s] = diff_part_text(&work->sides[s], nodes, count);
        if (alone->texts[s] == NULL) status = tool_out_of_memory(message);
    }
    return status;
}

ToolStatus diff_alone_make(const DiffWork* work, const int* nodes, int count, const char* path,
                           DiffAlone* alone, ToolMessage* message) {
    return make(work, nodes, count, false, path, alone, message);
}

static ToolStatus run_one(const DiffWork* work, int index, const char* path, const DiffAlone* alone,
                          ToolInput* values, ToolMessage* message) {
    DiffModel* model = calloc(1, sizeof(*model));
    if (model == NULL) return tool_out_of_memory(message);
    DiffSide side = work->sides[index];
    if (alone->texts[index] != NULL) side.text = alone->texts[index];
    if (side.setup.delegate != NULL) side.setup.delegate = side.text;
    ToolStatus status = diff_model_open(&side, path, false, model, message);
    if (status == kToolOk) {
        status = diff_model_invoke(model, alone->inputs, alone->cut.input_count, values, alone->output_count,
                                   message);
    }
    diff_model_close(model);
    free(model);
    return status;
}

static void compare_outputs(const DiffWork* work, ToolInput* const values[2], DiffAlone* alone) {
    for (int o = 0; o < alone->output_count; o++) {
        alone->errors[o] =
            diff_compare(&values[0][o], &values[1][o], diff_kind(work, alone->outputs[o]), &work->tolerance);
        if (alone->worst < 0 || diff_is_worse(&alone->errors[o], &alone->errors[alone->worst])) {
            alone->worst = o;
        }
    }
}

ToolStatus diff_alone_compare(const DiffWork* work, const char* path, DiffAlone* alone,
                              ToolMessage* message) {
    const size_t room = (size_t)alone->output_count + 1;
    ToolInput* values[2] = {calloc(room, sizeof(ToolInput)), calloc(room, sizeof(ToolInput))};
    alone->errors = calloc(room, sizeof(*alone->errors));
    ToolStatus status = kToolOk;
    if (values[0] == NULL || values[1] == NULL || alone->errors == NULL) {
        status = tool_out_of_memory(message);
    }
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        status = run_one(work, s, path, alone, values[s], message);
    }
    if (status == kToolOk) compare_outputs(work, values, alone);
    for (int s = 0; s < 2; s++) {
        diff_values_free(values[s], alone->output_count);
        free(values[s]);
    }
    return status;
}

void diff_alone_free(DiffAlone* alone) {
    for (int s = 0; s < 2; s++) free(alone->texts[s]);
    diff_cut_free(&alone->cut);
    free(alone->inputs);
    free(alone->outputs);
    free(alone->errors);
    *alone = (DiffAlone){.worst = -1};
}

// The result is also stored in the rows.
bool diff_alone_check(DiffWork* work, DiffFinding* finding) {
    char path[DIFF_MAX_PATH];
    ToolMessage why = {{0}};
    DiffAlone alone;
    snprintf(path, sizeof(path), "%s/alone.tflite", work->folder);
    ToolStatus status = diff_alone_make(work, finding->nodes, finding->node_count, path, &alone, &why);
    if (status == kToolOk) status = diff_alone_compare(work, path, &alone, &why);
    for (int o = 0; o < alone.output_count && status == kToolOk; o++) {
        DiffRow* row = diff_find_row(work, alone.outputs[o]);
        if (row == NULL) continue;
        row->has_own = true;
        row->own = alone.errors[o];
    }
    finding->is_alone = status == kToolOk && alone.worst >= 0;
    if (finding->is_alone) {
        finding->own = alone.errors[alone.worst];
        finding->own_tensor = alone.outputs[alone.worst];
    }
    if (status != kToolOk) finding->note = why;
    diff_alone_free(&alone);
    return status == kToolOk;
}

ToolStatus diff_alone_learn(DiffWork* work, const int* nodes, int count, ToolMessage* message) {
    char path[DIFF_MAX_PATH];
    DiffAlone alone;
    snprintf(path, sizeof(path), "%s/alone.tflite", work->folder);
    ToolStatus status = make(work, nodes, count, true, path, &alone, message);
    ToolInput* values = calloc((size_t)alone.output_count + 1, sizeof(*values));
    if (values == NULL) status = tool_out_of_memory(message);
    if (status == kToolOk) status = run_one(work, 0, path, &alone, values, message);
    if (status == kToolOk && work->inner == NULL) {
        work->inner = values;
        work->inner_count = alone.output_count;
        for (int o = 0; o < alone.output_count; o++) {
            if (work->value_of[alone.outputs[o]] == NULL) work->value_of[alone.outputs[o]] = &values[o];
        }
    } else {
        if (values != NULL) diff_values_free(values, alone.output_count);
        free(values);
    }
    diff_alone_free(&alone);
    return status;
}
