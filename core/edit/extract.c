// SPDX-License-Identifier: Apache-2.0
// Some nodes become a model of their own.
#include "core/edit/border.h"
#include "core/edit/edit.h"
#include "core/edit/error.h"
#include "core/edit/node.h"

// A subgraph that a node runs comes along, as a whole, once.
static TfLiteStatus take_along(void* argument, LiteEditCall call) {
    LiteEditPlan* plan = argument;
    LiteEditSubgraph* added;
    if (call.subgraph < 0 || call.subgraph >= lite_model_subgraph_count(plan->source)) return kTfLiteOk;
    if (plan->subgraph_numbers[call.subgraph] >= 0) return kTfLiteOk;
    plan->subgraph_numbers[call.subgraph] = plan->subgraph_count;
    return lite_edit_plan_add(plan, call.subgraph, &added);
}

// The inputs of the new model: inputs of the subgraph, and what other nodes make. A tensor that nobody makes
// is a constant, or empty.
static TfLiteStatus choose_inputs(LiteEditPlan* plan, const LiteModelSubgraph* from, LiteModelInts read,
                                  LiteModelInts* inputs) {
    bool* fed = lite_edit_plan_alloc(plan, (size_t)from->tensor_count, sizeof(*fed));
    int* list = lite_edit_plan_alloc(plan, (size_t)read.count, sizeof(*list));
    int count = 0;
    if (fed == NULL || list == NULL) return kTfLiteError;
    for (int i = 0; i < from->inputs.count; i++) {
        if (from->inputs.data[i] >= 0) fed[from->inputs.data[i]] = true;
    }
    for (int i = 0; i < from->operator_count; i++) {
        const LiteModelInts outputs = from->operators[i].outputs;
        for (int j = 0; j < outputs.count; j++) fed[outputs.data[j]] = true;
    }
    for (int i = 0; i < read.count; i++) {
        const int tensor = read.data[i];
        if (fed[tensor] && !from->tensors[tensor].is_variable) list[count++] = tensor;
    }
    *inputs = (LiteModelInts){count, list};
    return kTfLiteOk;
}

static TfLiteStatus plan_extract(LiteEditPlan* plan, const OcliteEdit* edit, int subgraph, const int* nodes,
                                 int count) {
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    if (from == NULL) return kTfLiteError;
    if (count < 1 || count > from->operator_count) {
        return lite_edit_fail("%d nodes are given, but the subgraph has %d", count, from->operator_count);
    }
    LITE_TRY(lite_edit_need(nodes, "nodes"));
    LITE_TRY(lite_edit_plan_begin(plan, edit->model, false, &lite_edit_reporter));
    int* groups = lite_edit_plan_alloc(plan, (size_t)from->operator_count, sizeof(*groups));
    int* order = lite_edit_plan_alloc(plan, (size_t)count, sizeof(*order));
    LiteEditSubgraph* added;
    LiteEditBorder border;
    int taken = 0;
    if (groups == NULL || order == NULL) return kTfLiteError;
    LITE_TRY(lite_edit_check_nodes(from, nodes, count, count, groups));
    for (int i = 0; i < from->operator_count; i++) {
        if (groups[i] != 0) order[taken++] = i;
    }
    LITE_TRY(lite_edit_border(plan, subgraph, groups, 1, &border));
    LITE_TRY(lite_edit_plan_add(plan, subgraph, &added));
    added->nodes = order;
    added->node_count = taken;
    added->outputs = border.outputs;
    LITE_TRY(choose_inputs(plan, from, border.inputs, &added->inputs));
    for (int s = 0; s < plan->subgraph_count; s++) { // more are added on the way
        const LiteEditSubgraph* calling = &plan->subgraphs[s];
        for (int i = 0; i < calling->node_count; i++) {
            const LiteFlatTable node = lite_edit_plan_node_table(plan, calling->source, calling->nodes[i]);
            LITE_TRY(lite_edit_visit_calls(node, take_along, plan));
        }
    }
    return kTfLiteOk;
}

OcliteEdit* oclite_edit_extract(const OcliteEdit* edit, int subgraph, const int* nodes, int count) {
    LiteEditPlan plan = {.arena = {NULL}};
    lite_edit_begin();
    OcliteEdit* extracted = NULL;
    if (plan_extract(&plan, edit, subgraph, nodes, count) == kTfLiteOk) {
        extracted = lite_edit_create_planned(&plan);
    }
    lite_edit_plan_free(&plan);
    return extracted;
}
