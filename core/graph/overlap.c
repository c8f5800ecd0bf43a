// SPDX-License-Identifier: Apache-2.0
#include "core/graph/overlap.h"

#include "core/graph/graph.h"
#include "core/graph/plan_graph.h"
#include "core/graph/subgraph.h"
#include "partitioner/timeline.h"

static LiteSubgraph* subgraph_of(TfLiteContext* context) {
    return context->impl_;
}

static LiteNode* node_of(const LiteSubgraph* subgraph, int step) {
    return subgraph->nodes[subgraph->plan->data[step]];
}

// ---- What delegates call ----

static void want_order(TfLiteContext* context) {
    LiteSubgraph* subgraph = subgraph_of(context);
    if (subgraph->replaceable) subgraph->overlaps = true;
}

static void offer(TfLiteContext* context, TfLiteNode* node, LiteOverlapEnd end) {
    (void)context;
    LiteDelegateKernel* kernel = ((LiteNode*)node)->kernel;
    if (kernel != NULL) kernel->end = end;
}

const LiteOverlapService* lite_overlap_offered(void) {
    static const LiteOverlapService service = {.order = want_order, .offer = offer};
    return &service;
}

// ---- The order of the plan ----

// The edges: each tensor has one writer, as lite_subsets_create has checked.
static bool link_steps(const LitePartitionGraph* graph, LiteArena* arena, LiteLists* after) {
    int* counts = lite_arena_alloc(arena, (size_t)graph->node_count, sizeof *counts);
    int* writer = lite_arena_alloc(arena, (size_t)graph->tensor_count, sizeof *writer); // 1 + step
    if (counts == NULL || writer == NULL) return false;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !lite_lists_init(after, arena, counts, graph->node_count)) return false;
        for (int n = 0; n < graph->node_count; n++) {
            for (int i = graph->input_start[n]; i < graph->input_start[n + 1]; i++) {
                const int from = graph->inputs[i] < 0 ? -1 : writer[graph->inputs[i]] - 1;
                if (from < 0 || from >= n) continue;
                if (pass == 0)
                    counts[from]++;
                else
                    lite_lists_add(after, from, n);
            }
            for (int i = graph->output_start[n]; i < graph->output_start[n + 1]; i++) {
                if (graph->outputs[i] >= 0) writer[graph->outputs[i]] = n + 1;
            }
        }
        for (int c = 0; c < graph->control_count; c++) {
            if (pass == 0)
                counts[graph->control_from[c]]++;
            else
                lite_lists_add(after, graph->control_from[c], graph->control_to[c]);
        }
    }
    return true;
}

static bool find_order(const LiteSubgraph* subgraph, LiteArena* arena, int* order) {
    LitePartitionGraph graph;
    LiteItems items = {.count = subgraph->plan->size};
    bool* is_kernel = lite_arena_alloc(arena, (size_t)items.count, sizeof *is_kernel);
    if (is_kernel == NULL || !lite_plan_graph(subgraph, arena, &graph) ||
        !link_steps(&graph, arena, &items.after))
        return false;
    for (int step = 0; step < items.count; step++) is_kernel[step] = node_of(subgraph, step)->source == NULL;
    items.is_partition = is_kernel;
    return lite_timeline_order(&items, arena, order);
}

TfLiteStatus lite_overlap_order(LiteSubgraph* subgraph) {
    const LiteApplied* last = &subgraph->delegates[subgraph->applied_count - 1];
    if (!subgraph->overlaps || last->nodes_before == subgraph->node_count) return kTfLiteOk; // no kernels
    LiteArena arena = {0};
    const int steps = subgraph->plan->size;
    int* order = lite_arena_alloc(&arena, (size_t)steps, sizeof *order);
    const bool ok = order != NULL && find_order(subgraph, &arena, order);
    for (int i = 0; i < steps && ok; i++) order[i] = subgraph->plan->data[order[i]];
    for (int i = 0; i < steps && ok; i++) subgraph->plan->data[i] = order[i];
    lite_arena_free(&arena);
    subgraph->ready = false;
    return ok ? kTfLiteOk : lite_subgraph_fail(subgraph, "out of memory");
}

// ---- Who waits ----

void lite_overlap_forget(LiteSubgraph* subgraph, int first) {
    for (int step = first; step < subgraph->plan->size; step++) {
        LiteDelegateKernel* kernel = node_of(subgraph, step)->kernel;
        if (kernel != NULL) kernel->end = NULL;
    }
}

// What a node does with a tensor.
enum { READS = 1, WRITES = 2 };

static void mark(const LiteSubgraph* subgraph, const TfLiteNode* node, unsigned char* uses, bool clear) {
    for (int i = 0; i < node->inputs->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, node->inputs->data[i]);
        if (tensor == NULL) continue;
        const int use = tensor->is_variable ? READS | WRITES : READS;
        uses[node->inputs->data[i]] = clear ? 0 : uses[node->inputs->data[i]] | use;
    }
    for (int i = 0; i < node->outputs->size; i++) {
        if (lite_subgraph_tensor(subgraph, node->outputs->data[i]) == NULL) continue;
        uses[node->outputs->data[i]] = clear ? 0 : uses[node->outputs->data[i]] | WRITES;
    }
}

static bool touches(const LiteSubgraph* subgraph, const TfLiteIntArray* tensors, const unsigned char* uses,
                    bool write) {
    for (int i = 0; i < tensors->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensors->data[i]);
        if (tensor == NULL) continue;
        const unsigned use = uses[tensors->data[i]];
        if (write || tensor->is_variable ? use != 0 : (use & WRITES) != 0) return true;
    }
    return false;
}

static int find_end(const LiteSubgraph* subgraph, int step, int end, unsigned char* uses) {
    const TfLiteNode* kernel = &node_of(subgraph, step)->node;
    mark(subgraph, kernel, uses, false);
    int at = step + 1;
    for (; at < end; at++) {
        const TfLiteNode* node = &node_of(subgraph, at)->node;
        if (node->delegate != NULL) break; // one at a time
        if (touches(subgraph, node->inputs, uses, false) || touches(subgraph, node->outputs, uses, true) ||
            (node->might_have_side_effect && kernel->might_have_side_effect))
            break;
    }
    mark(subgraph, kernel, uses, true);
    return at;
}

TfLiteStatus lite_overlap_find(LiteSubgraph* subgraph, int first, int end) {
    unsigned char* uses = NULL; // per tensor
    for (int step = first; step < end; step++) {
        LiteDelegateKernel* kernel = node_of(subgraph, step)->kernel;
        if (kernel == NULL || kernel->end == NULL) continue;
        if (uses == NULL) uses = lite_calloc(subgraph->context.tensors_size, sizeof *uses);
        if (uses == NULL) return lite_subgraph_fail(subgraph, "out of memory");
        kernel->ends_before = find_end(subgraph, step, end, uses);
    }
    lite_free(uses);
    return kTfLiteOk;
}

// ---- Running ----

TfLiteStatus lite_overlap_began(LiteSubgraph* subgraph, int step) {
    LiteDelegateKernel* kernel = node_of(subgraph, step)->kernel;
    const LiteInterpreter* interpreter = subgraph->interpreter;
    if (kernel == NULL || kernel->end == NULL) return kTfLiteOk;
    if (kernel->ends_before == step + 1 || interpreter->profile != NULL || interpreter->telemetry != NULL)
        return kernel->end(&subgraph->context, &kernel->node.node);
    subgraph->going = kernel;
    subgraph->going_step = step;
    return kTfLiteOk;
}

TfLiteStatus lite_overlap_end(LiteSubgraph* subgraph) {
    LiteDelegateKernel* kernel = subgraph->going;
    subgraph->going = NULL;
    return kernel != NULL ? kernel->end(&subgraph->context, &kernel->node.node) : kTfLiteOk;
}
