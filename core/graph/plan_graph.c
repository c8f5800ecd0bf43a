// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan_graph.h"

#include <string.h>

#include "core/graph/graph.h"
#include "core/graph/subgraph.h"

static const TfLiteNode* node_at(const LiteSubgraph* subgraph, int step) {
    return &subgraph->nodes[subgraph->plan->data[step]]->node;
}

static int variable_among(const LiteSubgraph* subgraph, const TfLiteIntArray* tensors, int i) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensors->data[i]);
    return tensor != NULL && tensor->is_variable ? tensors->data[i] : -1;
}

// Copies one list per step, one after the other. start[step] is where the list of a step begins.
static bool flatten(const LiteSubgraph* subgraph, LiteArena* arena, bool outputs, const int** starts,
                    const int** values) {
    const int step_count = subgraph->plan->size;
    int64_t total = 0;
    for (int step = 0; step < step_count; step++) {
        const TfLiteNode* node = node_at(subgraph, step);
        total += (outputs ? node->outputs : node->inputs)->size;
    }
    int* start = lite_arena_alloc(arena, (size_t)step_count + 1, sizeof *start);
    int* flat = lite_arena_alloc(arena, (size_t)total, sizeof *flat);
    if (total > INT32_MAX || start == NULL || flat == NULL) return false;
    for (int step = 0; step < step_count; step++) {
        const TfLiteNode* node = node_at(subgraph, step);
        const TfLiteIntArray* list = outputs ? node->outputs : node->inputs;
        memcpy(flat + start[step], list->data, (size_t)list->size * sizeof *flat);
        start[step + 1] = start[step] + list->size;
    }
    *starts = start;
    *values = flat;
    return true;
}

// Orders nodes with side effects, and those that touch the same variable, as the plan has them.
static bool add_control(const LiteSubgraph* subgraph, LiteArena* arena, LitePartitionGraph* graph) {
    const int step_count = graph->node_count;
    const int* const start = graph->input_start;
    const size_t most = (size_t)start[step_count] + (size_t)step_count;
    int* from = lite_arena_alloc(arena, most, sizeof *from);
    int* to = lite_arena_alloc(arena, most, sizeof *to);
    int* last_touch = lite_arena_alloc(arena, subgraph->context.tensors_size, sizeof *last_touch);
    if (from == NULL || to == NULL || last_touch == NULL) return false;
    int count = 0;
    int last_effect = -1;
    for (int step = 0; step < step_count; step++) {
        if (node_at(subgraph, step)->might_have_side_effect) {
            if (last_effect >= 0) from[count] = last_effect, to[count++] = step;
            last_effect = step;
        }
        const TfLiteIntArray* inputs =
            node_at(subgraph, step)->inputs; // variables are inputs that are written
        for (int i = 0; i < inputs->size; i++) {
            const int variable = variable_among(subgraph, inputs, i);
            if (variable < 0) continue;
            const int before = last_touch[variable] - 1; // kept one higher: 0 means none
            if (before >= 0 && before != step) from[count] = before, to[count++] = step;
            last_touch[variable] = step + 1;
        }
    }
    graph->control_count = count;
    graph->control_from = from;
    graph->control_to = to;
    return true;
}

bool lite_plan_graph(const LiteSubgraph* subgraph, LiteArena* arena, LitePartitionGraph* graph) {
    *graph = (LitePartitionGraph){.node_count = subgraph->plan->size,
                                  .tensor_count = (int)subgraph->context.tensors_size};
    return flatten(subgraph, arena, false, &graph->input_start, &graph->inputs) &&
           flatten(subgraph, arena, true, &graph->output_start, &graph->outputs) &&
           add_control(subgraph, arena, graph);
}
