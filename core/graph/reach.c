// SPDX-License-Identifier: Apache-2.0
// Which subgraphs of a model run others. Models come from anywhere: each operator is looked at once, and
// nothing here calls itself, however deep graphs are nested.
#include "core/graph/reach.h"

#include "core/base/memory.h"
#include "core/model/options.h"

bool lite_reach_from(const LiteModel* model, int graph, bool* reached) {
    const int count = lite_model_subgraph_count(model);
    int* waiting = lite_malloc((size_t)count * sizeof *waiting);
    if (waiting == NULL) return false;
    for (int i = 0; i < count; i++) reached[i] = i == graph;
    int waiting_count = 0;
    waiting[waiting_count++] = graph;
    while (waiting_count > 0) {
        const LiteModelSubgraph* next = lite_model_subgraph(model, waiting[--waiting_count]);
        for (int i = 0; i < next->operator_count; i++) {
            for (int k = 0, callee; (callee = lite_options_callee(&next->operators[i], k)) >= 0; k++) {
                if (reached[callee]) continue;
                reached[callee] = true;
                waiting[waiting_count++] = callee;
            }
        }
    }
    lite_free(waiting);
    return true;
}

// A caller of each graph, or -1.
static void find_callers(const LiteModel* model, int* callers) {
    const int count = lite_model_subgraph_count(model);
    for (int i = 0; i < count; i++) callers[i] = -1;
    for (int graph = 0; graph < count; graph++) {
        const LiteModelSubgraph* source = lite_model_subgraph(model, graph);
        for (int i = 0; i < source->operator_count; i++) {
            for (int k = 0, callee; (callee = lite_options_callee(&source->operators[i], k)) >= 0; k++) {
                if (callers[callee] < 0) callers[callee] = graph;
            }
        }
    }
}

int lite_reach_root(const LiteModel* model, int graph) {
    const size_t count = (size_t)lite_model_subgraph_count(model);
    int* callers = lite_malloc(count * sizeof *callers);
    bool* reached = lite_malloc(count * sizeof *reached);
    int root = -1;
    if (callers != NULL && reached != NULL && lite_reach_from(model, 0, reached)) {
        root = reached[graph] ? 0 : graph;
        find_callers(model, callers);
        // Graphs that call each other in a circle have no outermost one. They fail wherever one begins.
        for (size_t step = 0; step < count && root != 0 && callers[root] >= 0; step++) root = callers[root];
    }
    lite_free(callers);
    lite_free(reached);
    return root;
}
