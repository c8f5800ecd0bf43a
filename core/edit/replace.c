// SPDX-License-Identifier: Apache-2.0
// Changes of a model: further outputs, and a custom operator in the place of nodes.
#include "core/edit/border.h"
#include "core/edit/edit.h"
#include "core/edit/error.h"
#include "core/edit/order.h"

static TfLiteStatus plan_outputs(LiteEditPlan* plan, const OcliteEdit* edit, int subgraph, const int* tensors,
                                 int count) {
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    if (from == NULL) return kTfLiteError;
    LITE_TRY(lite_edit_need_array(tensors, count, "tensors"));
    for (int i = 0; i < count; i++) {
        if (tensors[i] >= 0 && tensors[i] < from->tensor_count) continue;
        return lite_edit_fail("there is no tensor %d: the subgraph has %d", tensors[i], from->tensor_count);
    }
    LITE_TRY(lite_edit_plan(edit, plan));
    plan->subgraphs[subgraph].outputs = (LiteModelInts){count, tensors};
    return kTfLiteOk;
}

TfLiteStatus oclite_edit_set_outputs(OcliteEdit* edit, int subgraph, const int* tensors, int count) {
    LiteEditPlan plan = {.arena = {NULL}};
    lite_edit_begin();
    TfLiteStatus status = plan_outputs(&plan, edit, subgraph, tensors, count);
    if (status == kTfLiteOk) status = lite_edit_apply(edit, &plan);
    lite_edit_plan_free(&plan);
    return status;
}

static TfLiteStatus check_operator(const OcliteEditOperator* op) {
    if (op->name == NULL || op->name[0] == '\0') return lite_edit_fail("the new operator has no name");
    if (op->version < 1) return lite_edit_fail("the new operator's version is %d", op->version);
    if (op->custom_options != NULL || op->custom_options_size == 0) return kTfLiteOk;
    return lite_edit_fail("the new operator's options are %zu bytes at NULL", op->custom_options_size);
}

static TfLiteStatus plan_replace(LiteEditPlan* plan, const OcliteEdit* edit, int subgraph, const int* nodes,
                                 int group_size, int groups, const OcliteEditOperator* op) {
    const LiteModelSubgraph* from = lite_edit_subgraph(edit, subgraph);
    if (from == NULL) return kTfLiteError;
    if (group_size < 1 || groups < 1 || groups > from->operator_count / group_size) {
        return lite_edit_fail("%d groups of %d nodes are given, but the subgraph has %d nodes", groups,
                              group_size, from->operator_count);
    }
    LITE_TRY(lite_edit_need(nodes, "nodes"));
    LITE_TRY(lite_edit_need(op, "op"));
    LITE_TRY(check_operator(op));
    LITE_TRY(lite_edit_plan(edit, plan));
    int* group_of = lite_edit_plan_alloc(plan, (size_t)from->operator_count, sizeof(*group_of));
    plan->nodes = lite_edit_plan_alloc(plan, (size_t)groups, sizeof(*plan->nodes));
    if (group_of == NULL || plan->nodes == NULL) return kTfLiteError;
    plan->op = op;
    LITE_TRY(lite_edit_check_nodes(from, nodes, group_size, group_size * groups, group_of));
    for (int group = 0; group < groups; group++) {
        LiteEditBorder border;
        LITE_TRY(lite_edit_border(plan, subgraph, group_of, group + 1, &border));
        plan->nodes[plan->node_count++] = (LiteEditNode){border.inputs, border.outputs};
    }
    return lite_edit_order(plan, subgraph, group_of, groups, &plan->subgraphs[subgraph]);
}

TfLiteStatus oclite_edit_replace(OcliteEdit* edit, int subgraph, const int* nodes, int group_size, int groups,
                                 const OcliteEditOperator* op) {
    LiteEditPlan plan = {.arena = {NULL}};
    lite_edit_begin();
    TfLiteStatus status = plan_replace(&plan, edit, subgraph, nodes, group_size, groups, op);
    if (status == kTfLiteOk) status = lite_edit_apply(edit, &plan);
    lite_edit_plan_free(&plan);
    return status;
}
