// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/compare_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tools/diff/cut.h"
#include "tools/diff/inputs.h"

// The model as it is, and with all tensors exposed, on both sides.
typedef struct Models {
    DiffModel plain[2];
    DiffModel exposed[2];
    TfLiteInterpreter* filler; // in which inputs receive their contents
    bool* ran;                 // room for two sides
} Models;

static ToolStatus no_memory(ToolMessage* message) {
    return tool_out_of_memory(message);
}

// Inputs take their shapes in the first side that is oclite. That side also knows its own operators as long
// as its CPU path is selected.
static ToolStatus open_plain(DiffWork* work, const DiffRuns* runs, Models* models, ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        status = diff_model_open(&work->sides[s], work->path, true, &models->plain[s], message);
        if (status != kToolOk || models->filler != NULL || models->plain[s].session.interpreter == NULL)
            continue;
        models->filler = models->plain[s].session.interpreter;
        status = diff_inputs_prepare(models->filler, runs->files, runs->shapes, work->inputs,
                                     &models->plain[s].messages, message);
    }
    if (status != kToolOk || models->filler != NULL) return status;
    models->filler = work->graph.session.interpreter;
    const ToolMessage nothing = {{0}}; // the graph's interpreter reports to `message`
    return diff_inputs_prepare(models->filler, runs->files, runs->shapes, work->inputs, &nothing, message);
}

static ToolStatus invoke_plain(DiffWork* work, Models* models, ToolMessage* message) {
    const int count = work->output_count;
    ToolInput* values[2] = {calloc((size_t)count + 1, sizeof(ToolInput)),
                            calloc((size_t)count + 1, sizeof(ToolInput))};
    ToolStatus status = values[0] != NULL && values[1] != NULL ? kToolOk : no_memory(message);
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        status =
            diff_model_invoke(&models->plain[s], work->inputs, work->input_count, values[s], count, message);
    }
    for (int o = 0; o < count && status == kToolOk; o++) {
        work->outputs[o] =
            diff_compare(&values[0][o], &values[1][o], diff_kind(work, work->tensors[o]), &work->tolerance);
    }
    for (int s = 0; s < 2; s++) {
        if (values[s] != NULL) diff_values_free(values[s], count);
        free(values[s]);
    }
    return status;
}

static ToolStatus invoke_exposed(DiffWork* work, Models* models, ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        diff_values_free(work->values[s], work->row_count);
        status = diff_model_invoke(&models->exposed[s], work->inputs, work->input_count, work->values[s],
                                   work->row_count, message);
    }
    for (int r = 0; r < work->row_count && status == kToolOk; r++) {
        DiffRow* row = &work->rows[r];
        row->error = diff_compare(&work->values[0][r], &work->values[1][r], diff_kind(work, row->tensor),
                                  &work->tolerance);
    }
    return status;
}

static bool any_beyond(const DiffWork* work) {
    for (int r = 0; r < work->row_count; r++) {
        if (diff_is_beyond(&work->rows[r].error)) return true;
    }
    for (int o = 0; o < work->output_count; o++) {
        if (diff_is_beyond(&work->outputs[o])) return true;
    }
    return false;
}

// Lists the model's outputs, then the tensors that leave a group of nodes, in the order of the graph.
static ToolStatus list_tensors(DiffWork* work, ToolMessage* message) {
    DiffGraph* graph = &work->graph;
    int* nodes = calloc((size_t)graph->node_count + 1, sizeof(*nodes));
    if (nodes == NULL) return no_memory(message);
    work->row_count = work->output_count;
    for (int n = 0; n < graph->node_count; n++) {
        const OcliteNode node = diff_graph_node(graph, n);
        const int count = diff_graph_group(graph, graph->group[n], nodes);
        for (int o = 0; o < node.output_count; o++) {
            const int tensor = node.outputs[o];
            if (tensor < 0 || graph->is_output[tensor] || !diff_graph_has_contents(graph, tensor)) continue;
            if (diff_graph_leaves(graph, tensor, nodes, count)) work->tensors[work->row_count++] = tensor;
        }
    }
    free(nodes);
    const size_t room = (size_t)work->row_count + 1;
    work->rows = calloc(room, sizeof(*work->rows));
    for (int s = 0; s < 2; s++) work->values[s] = calloc(room, sizeof(ToolInput));
    if (work->rows == NULL || work->values[0] == NULL || work->values[1] == NULL) return no_memory(message);
    for (int r = 0; r < work->row_count; r++) work->rows[r].tensor = work->tensors[r];
    return kToolOk;
}

static ToolStatus open_exposed(DiffWork* work, Models* models, ToolMessage* message) {
    char path[DIFF_MAX_PATH];
    ToolStatus status = list_tensors(work, message);
    snprintf(path, sizeof(path), "%s/exposed.tflite", work->folder);
    if (status == kToolOk) {
        status = diff_cut_expose(&work->graph, work->tensors, work->row_count, path, message);
    }
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        status = diff_model_open(&work->sides[s], path, false, &models->exposed[s], message);
    }
    return status;
}

static void count_taken(void* user_data, const OcliteOpenclNode* node) {
    int* counts = user_data;
    counts[0]++;
    counts[1] += node->taken;
}

static void describe(DiffWork* work, const Models* models) {
    for (int s = 0; s < 2; s++) {
        const DiffSide* side = &work->sides[s];
        const TfLiteDelegate* delegate = models->plain[s].session.delegate;
        char* about = work->about[s];
        const size_t room = sizeof(work->about[s]);
        if (side->litert != NULL) snprintf(about, room, "%s: %s", side->text, diff_litert_name(side->litert));
        if (side->litert != NULL) continue;
        snprintf(about, room, "%s", side->text);
        if (delegate == NULL) continue;
        int counts[2] = {0};
        oclite_opencl_delegate_explain(delegate, count_taken, counts);
        const char* failure = oclite_opencl_delegate_failure(delegate);
        snprintf(about, room, "%s: %s, %d of %d nodes%s%s", side->text,
                 oclite_opencl_delegate_device(delegate), counts[1], counts[0],
                 failure[0] ? "; the CPU computed in its place: " : "", failure);
    }
}

// The first inference also shows which nodes are computed at once.
static ToolStatus run_first(DiffWork* work, Models* models, ToolMessage* message) {
    const int count = work->graph.node_count;
    models->ran = calloc((size_t)count * 2 + 1, sizeof(*models->ran));
    if (models->ran == NULL) return no_memory(message);
    for (int s = 0; s < 2; s++) {
        diff_graph_watch(&models->plain[s], models->ran + (size_t)s * (size_t)count, count);
    }
    ToolStatus status = invoke_plain(work, models, message);
    for (int s = 0; s < 2 && status == kToolOk; s++) {
        diff_graph_learn(&work->graph, &models->plain[s]);
        status = diff_side_learn(&work->sides[s], &models->plain[s], count, message);
    }
    if (status != kToolOk) return status;
    describe(work, models);
    return diff_graph_finish(&work->graph, message);
}

static ToolStatus run_all(DiffWork* work, const DiffRuns* runs, Models* models, ToolMessage* message) {
    uint64_t state = (uint64_t)runs->seed;
    ToolStatus status = open_plain(work, runs, models, message);
    for (int run = 0; run < runs->count && status == kToolOk; run++) {
        work->run = run;
        status = diff_inputs_fill(models->filler, runs->files->count, &state, work->inputs, message);
        if (status != kToolOk) break;
        status = run ? invoke_plain(work, models, message) : run_first(work, models, message);
        if (status == kToolOk && run == 0) status = open_exposed(work, models, message);
        if (status == kToolOk) status = invoke_exposed(work, models, message);
        if (status == kToolOk && any_beyond(work)) break;
    }
    return status;
}

// Stores where A's values are, for the search.
static ToolStatus index_values(DiffWork* work, ToolMessage* message) {
    const int* inputs = NULL;
    int count = 0;
    work->value_of = calloc((size_t)work->graph.tensor_count + 1, sizeof(const ToolInput*));
    if (work->value_of == NULL) return no_memory(message);
    for (int r = 0; r < work->row_count; r++) work->value_of[work->tensors[r]] = &work->values[0][r];
    (void)oclite_interpreter_inputs(work->graph.session.interpreter, 0, &inputs, &count);
    for (int i = 0; i < count && i < work->input_count; i++) {
        if (inputs[i] >= 0) work->value_of[inputs[i]] = &work->inputs[i];
    }
    return kToolOk;
}

static ToolStatus prepare(DiffWork* work, ToolMessage* message) {
    const int* outputs = NULL;
    const ToolStatus status = diff_graph_open(work->path, &work->graph, message);
    if (status != kToolOk) return status;
    const TfLiteInterpreter* interpreter = work->graph.session.interpreter;
    work->input_count = TfLiteInterpreterGetInputTensorCount(interpreter);
    (void)oclite_interpreter_outputs(interpreter, 0, &outputs, &work->output_count);
    work->inputs = calloc((size_t)work->input_count + 1, sizeof(*work->inputs));
    work->outputs = calloc((size_t)work->output_count + 1, sizeof(*work->outputs));
    work->tensors =
        calloc((size_t)work->output_count + (size_t)work->graph.tensor_count + 1, sizeof(*work->tensors));
    if (work->inputs == NULL || work->outputs == NULL || work->tensors == NULL) return no_memory(message);
    for (int o = 0; o < work->output_count; o++) {
        work->tensors[o] = outputs[o];
        if (outputs[o] < 0) return tool_fail(message, kToolLoad, "%s: output %d is absent", work->model, o);
    }
    return kToolOk;
}

ToolStatus diff_compare_runs(DiffWork* work, const DiffRuns* runs, ToolMessage* message) {
    Models* models = calloc(1, sizeof(*models));
    if (models == NULL) return no_memory(message);
    ToolStatus status = prepare(work, message);
    if (status == kToolOk) status = run_all(work, runs, models, message);
    if (status == kToolOk) status = index_values(work, message);
    for (int s = 0; s < 2; s++) {
        diff_model_close(&models->plain[s]);
        diff_model_close(&models->exposed[s]);
    }
    free(models->ran);
    free(models);
    return status;
}
