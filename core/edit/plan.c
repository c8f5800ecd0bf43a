// SPDX-License-Identifier: Apache-2.0
// Plans are made, and get their subgraphs.
#include "core/edit/plan.h"

TfLiteStatus lite_edit_plan_begin(LiteEditPlan* plan, const LiteModel* source, bool whole,
                                  const LiteReporter* reporter) {
    const void* base;
    size_t size;
    lite_model_file(source, &base, &size);
    *plan =
        (LiteEditPlan){.reporter = reporter, .source = source, .whole = whole, .root = lite_flat_root(base)};
    const size_t subgraphs = (size_t)lite_model_subgraph_count(source);
    const size_t buffers = lite_flat_vector(plan->root, kModelBuffers).count;
    const size_t codes = lite_flat_vector(plan->root, kModelOperatorCodes).count;
    // One more: a subgraph taken in part may also be called as a whole.
    plan->subgraphs = lite_edit_plan_alloc(plan, subgraphs + 1, sizeof(*plan->subgraphs));
    plan->subgraph_numbers = lite_edit_plan_alloc(plan, subgraphs, sizeof(int));
    plan->buffers = lite_edit_plan_alloc(plan, buffers, sizeof(int));
    plan->codes = lite_edit_plan_alloc(plan, codes + 1, sizeof(int));
    if (plan->subgraphs == NULL || plan->subgraph_numbers == NULL || plan->buffers == NULL ||
        plan->codes == NULL) {
        return kTfLiteError;
    }
    for (size_t i = 0; i < subgraphs; i++) plan->subgraph_numbers[i] = -1;
    return kTfLiteOk;
}

void lite_edit_plan_free(LiteEditPlan* plan) {
    lite_arena_free(&plan->arena);
}

void* lite_edit_plan_alloc(LiteEditPlan* plan, size_t count, size_t size) {
    void* memory = lite_arena_alloc(&plan->arena, count, size);
    if (memory == NULL) lite_report(plan->reporter, "out of memory");
    return memory;
}

LiteFlatTable lite_edit_plan_subgraph_table(const LiteEditPlan* plan, int subgraph) {
    return lite_flat_element(lite_flat_vector(plan->root, kModelSubgraphs), (uint32_t)subgraph);
}

LiteFlatTable lite_edit_plan_node_table(const LiteEditPlan* plan, int subgraph, int node) {
    const LiteFlatTable table = lite_edit_plan_subgraph_table(plan, subgraph);
    return lite_flat_element(lite_flat_vector(table, kSubGraphOperators), (uint32_t)node);
}

TfLiteStatus lite_edit_plan_add(LiteEditPlan* plan, int source, LiteEditSubgraph** added) {
    const LiteModelSubgraph* from = lite_model_subgraph(plan->source, source);
    int* nodes = lite_edit_plan_alloc(plan, (size_t)from->operator_count, sizeof(int));
    if (nodes == NULL) return kTfLiteError;
    for (int i = 0; i < from->operator_count; i++) nodes[i] = i;
    *added = &plan->subgraphs[plan->subgraph_count++];
    **added = (LiteEditSubgraph){.source = source,
                                 .node_count = from->operator_count,
                                 .nodes = nodes,
                                 .inputs = from->inputs,
                                 .outputs = from->outputs};
    return kTfLiteOk;
}
