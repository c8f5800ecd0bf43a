// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/json.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "tools/common/facts.h"

// JSON has no infinities.
static void add_number(cJSON* object, const char* name, double value) {
    if (isfinite(value)) {
        cJSON_AddNumberToObject(object, name, value);
    } else {
        cJSON_AddStringToObject(object, name, value > 0 ? "inf" : "-inf");
    }
}

static void add_error(cJSON* object, const DiffError* error) {
    tool_facts_add_text(object, "verdict", diff_verdict_text(error->verdict));
    cJSON_AddNumberToObject(object, "elements", (double)error->count);
    cJSON_AddNumberToObject(object, "beyond", (double)error->beyond);
    add_number(object, "max_error", error->max);
    add_number(object, "mean_error", error->mean);
    add_number(object, "range", error->range);
    add_number(object, "snr_db", error->signal);
    cJSON_AddNumberToObject(object, "worst_index", (double)error->worst);
    tool_facts_add_text(object, "worst_a", error->values[0]);
    tool_facts_add_text(object, "worst_b", error->values[1]);
}

static void add_place(const DiffWork* work, cJSON* object, int tensor) {
    const TfLiteTensor* about = diff_graph_tensor(&work->graph, tensor);
    cJSON_AddNumberToObject(object, "tensor", tensor);
    tool_facts_add_text(object, "name", TfLiteTensorName(about));
    tool_facts_add_text(object, "type", TfLiteTypeGetName(TfLiteTensorType(about)));
}

static void add_row(const DiffWork* work, cJSON* rows, int index) {
    const DiffRow* row = &work->rows[index];
    const ToolInput* value = &work->values[0][index];
    const ToolShape* shape = value->is_strings ? &value->strings.shape : &value->array.shape;
    const int writer = work->graph.writer[row->tensor];
    cJSON* object = cJSON_CreateObject();
    cJSON_AddItemToArray(rows, object);
    cJSON_AddNumberToObject(object, "node", writer);
    tool_facts_add_text(object, "op", writer < 0 ? "" : diff_graph_node(&work->graph, writer).op);
    add_place(work, object, row->tensor);
    cJSON_AddItemToObject(object, "shape", cJSON_CreateIntArray(shape->dims, shape->rank));
    add_error(object, &row->error);
    if (row->has_own) add_error(cJSON_AddObjectToObject(object, "own"), &row->own);
    if (row->note.text[0]) tool_facts_add_text(object, "note", row->note.text);
}

static void add_finding(const DiffWork* work, cJSON* root) {
    static const char* const causes[] = {
        [kDiffNone] = "none", [kDiffNode] = "node",     [kDiffFused] = "fused",      [kDiffStored] = "stored",
        [kDiffSum] = "sum",   [kDiffRandom] = "random", [kDiffUnproven] = "unproven"};
    const DiffFinding* finding = &work->finding;
    cJSON* object = cJSON_AddObjectToObject(root, "finding");
    tool_facts_add_text(object, "cause", causes[finding->cause]);
    if (finding->cause == kDiffNone || finding->cause == kDiffRandom) return;
    cJSON* nodes = cJSON_AddArrayToObject(object, "nodes");
    for (int n = 0; n < finding->node_count; n++) {
        cJSON* node = cJSON_CreateObject();
        cJSON_AddItemToArray(nodes, node);
        cJSON_AddNumberToObject(node, "node", finding->nodes[n]);
        tool_facts_add_text(node, "op", diff_graph_node(&work->graph, finding->nodes[n]).op);
    }
    if (finding->tensor >= 0) add_place(work, object, finding->tensor);
    add_error(cJSON_AddObjectToObject(object, "in_model"), &finding->error);
    if (finding->is_alone) {
        cJSON* own = cJSON_AddObjectToObject(object, "own");
        add_place(work, own, finding->own_tensor);
        add_error(own, &finding->own);
    }
    if (finding->note.text[0]) tool_facts_add_text(object, "note", finding->note.text);
    if (finding->command[0]) tool_facts_add_text(object, "command", finding->command);
}

static void add_all(const DiffWork* work, cJSON* root) {
    tool_facts_add_text(root, "model", work->model);
    tool_facts_add_text(root, "a", work->about[0]);
    tool_facts_add_text(root, "b", work->about[1]);
    cJSON_AddNumberToObject(root, "run", work->run);
    cJSON* rows = cJSON_AddArrayToObject(root, "tensors");
    for (int r = 0; r < work->row_count; r++) add_row(work, rows, r);
    cJSON* outputs = cJSON_AddArrayToObject(root, "outputs"); // while nothing else is looked at
    for (int o = 0; o < work->output_count; o++) {
        cJSON* output = cJSON_CreateObject();
        cJSON_AddItemToArray(outputs, output);
        add_place(work, output, work->tensors[o]);
        add_error(output, &work->outputs[o]);
    }
    add_finding(work, root);
}

ToolStatus diff_write_json(const DiffWork* work, const char* path, ToolMessage* message) {
    cJSON* root = cJSON_CreateObject();
    add_all(work, root);
    const ToolStatus status = tool_facts_write(root, path, message);
    cJSON_Delete(root);
    return status;
}
