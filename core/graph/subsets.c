// SPDX-License-Identifier: Apache-2.0
// What the partitioner says of the plan, as lists of nodes and tensors.
#include "core/graph/subsets.h"

#include <stdlib.h>
#include <string.h>

#include "core/graph/graph.h"
#include "core/graph/memory_plan.h"
#include "core/graph/plan_graph.h"
#include "core/graph/subgraph.h"

// Everything in the terms of plan steps. All memory is in the arena.
typedef struct Split {
    LiteArena arena;
    int step_count;
    bool* supported;
    LitePartitionGraph graph;
    int* subset_of;
    int subset_count;
} Split;

typedef struct Use { // the subset reads, or writes, the tensor
    int subset;
    int tensor;
} Use;

static bool mark_supported(LiteSubgraph* subgraph, Split* split, const TfLiteIntArray* nodes) {
    bool* wanted = lite_arena_alloc(&split->arena, (size_t)subgraph->node_count, sizeof *wanted);
    split->supported = lite_arena_alloc(&split->arena, (size_t)split->step_count, sizeof *split->supported);
    if (wanted == NULL || split->supported == NULL) return false;
    for (int i = 0; i < nodes->size; i++) wanted[nodes->data[i]] = true;
    // A kernel of a delegate applied earlier is not replaced again.
    for (int step = 0; step < split->step_count; step++) {
        const int index = subgraph->plan->data[step];
        split->supported[step] = wanted[index] && subgraph->nodes[index]->source != NULL;
    }
    return true;
}

static int compare_uses(const void* a, const void* b) {
    const Use* x = a;
    const Use* y = b;
    if (x->subset != y->subset) return x->subset < y->subset ? -1 : 1;
    return x->tensor < y->tensor ? -1 : x->tensor > y->tensor;
}

static int sort_unique(Use* uses, int count) {
    qsort(uses, (size_t)count, sizeof *uses, compare_uses);
    int unique = 0;
    for (int i = 0; i < count; i++) {
        if (unique == 0 || compare_uses(&uses[unique - 1], &uses[i]) != 0) uses[unique++] = uses[i];
    }
    return unique;
}

// Which tensors cross the border of which subset. A tensor that is written in one subset and read in another
// is an output of the first and an input of the second. Tensors that nobody wrote (constants, graph inputs,
// variables) are inputs; graph outputs are outputs.
static bool find_crossings(const LiteSubgraph* subgraph, Split* split, Use** inputs, int* input_count,
                           Use** outputs, int* output_count) {
    const LitePartitionGraph* graph = &split->graph;
    const LiteModelInts graph_outputs = subgraph->source->outputs;
    const size_t reads = (size_t)graph->input_start[split->step_count];
    *inputs = lite_arena_alloc(&split->arena, reads, sizeof **inputs);
    *outputs = lite_arena_alloc(&split->arena, reads + (size_t)graph_outputs.count, sizeof **outputs);
    int* writer =
        lite_arena_alloc(&split->arena, subgraph->context.tensors_size, sizeof *writer); // 0: nobody
    if (*inputs == NULL || *outputs == NULL || writer == NULL) return false;
    int in = 0, out = 0;
    for (int step = 0; step < split->step_count; step++) {
        const int subset = split->subset_of[step];
        for (int i = graph->input_start[step]; i < graph->input_start[step + 1]; i++) {
            const int t = graph->inputs[i];
            if (t < 0 || writer[t] == subset + 1) continue;
            (*inputs)[in++] = (Use){subset, t};
            if (writer[t] > 0) (*outputs)[out++] = (Use){writer[t] - 1, t};
        }
        for (int i = graph->output_start[step]; i < graph->output_start[step + 1]; i++) {
            if (graph->outputs[i] >= 0) writer[graph->outputs[i]] = subset + 1;
        }
    }
    for (int i = 0; i < graph_outputs.count; i++) {
        const int t = graph_outputs.data[i];
        if (t >= 0 && writer[t] > 0) (*outputs)[out++] = (Use){writer[t] - 1, t};
    }
    *input_count = sort_unique(*inputs, in);
    *output_count = sort_unique(*outputs, out);
    return true;
}

// The tensors of `subset` in sorted uses, from *position on.
static TfLiteIntArray* take_tensors(const Use* uses, int count, int* position, int subset) {
    const int begin = *position;
    while (*position < count && uses[*position].subset == subset) ++*position;
    TfLiteIntArray* tensors = TfLiteIntArrayCreate(*position - begin);
    for (int i = begin; tensors != NULL && i < *position; i++) tensors->data[i - begin] = uses[i].tensor;
    return tensors;
}

static bool fill_nodes(const LiteSubgraph* subgraph, const Split* split, LiteSubset* subsets) {
    int* sizes = lite_calloc((size_t)split->subset_count, sizeof *sizes);
    bool ok = sizes != NULL;
    for (int step = 0; step < split->step_count && ok; step++) sizes[split->subset_of[step]]++;
    for (int s = 0; s < split->subset_count && ok; s++) {
        subsets[s].nodes = TfLiteIntArrayCreate(sizes[s]);
        ok = subsets[s].nodes != NULL;
        sizes[s] = 0;
    }
    for (int step = 0; step < split->step_count && ok; step++) {
        const int s = split->subset_of[step];
        subsets[s].delegated = split->supported[step];
        subsets[s].nodes->data[sizes[s]++] = subgraph->plan->data[step];
    }
    lite_free(sizes);
    return ok;
}

static bool fill_subsets(const LiteSubgraph* subgraph, Split* split, LiteSubset* subsets) {
    Use *inputs, *outputs;
    int input_count, output_count, input = 0, output = 0;
    if (!find_crossings(subgraph, split, &inputs, &input_count, &outputs, &output_count)) return false;
    for (int s = 0; s < split->subset_count; s++) {
        subsets[s].inputs = take_tensors(inputs, input_count, &input, s);
        subsets[s].outputs = take_tensors(outputs, output_count, &output, s);
        if (subsets[s].inputs == NULL || subsets[s].outputs == NULL) return false;
    }
    return fill_nodes(subgraph, split, subsets);
}

// Makes each node a subset. Where all tensors are to be kept, none may vanish inside a subset.
static bool separate(Split* split) {
    int* next = lite_arena_alloc(&split->arena, (size_t)split->subset_count + 1, sizeof *next);
    if (next == NULL) return false;
    for (int step = 0; step < split->step_count; step++) next[split->subset_of[step] + 1]++;
    for (int s = 0; s < split->subset_count; s++) next[s + 1] += next[s];
    for (int step = 0; step < split->step_count; step++) {
        split->subset_of[step] = next[split->subset_of[step]]++;
    }
    split->subset_count = split->step_count;
    return true;
}

static LitePartitionStatus partition(LiteSubgraph* subgraph, Split* split, const TfLiteIntArray* nodes) {
    split->subset_of = lite_arena_alloc(&split->arena, (size_t)split->step_count, sizeof *split->subset_of);
    if (split->subset_of == NULL || !mark_supported(subgraph, split, nodes) ||
        !lite_plan_graph(subgraph, &split->arena, &split->graph)) {
        return kLitePartitionNoMemory;
    }
    LitePartitionStatus status =
        lite_partition(&split->graph, split->supported, split->subset_of, &split->subset_count);
    if (status == kLitePartitionOk && subgraph->interpreter->preserve_all_tensors && !separate(split)) {
        status = kLitePartitionNoMemory;
    }
    return status;
}

// What the partitioner knows of order follows from each tensor's only writer.
static TfLiteStatus check_writers(LiteSubgraph* subgraph) {
    lite_memory_lifetimes(subgraph);
    for (int i = 0; i < lite_subgraph_tensor_count(subgraph); i++) {
        if (!subgraph->slots[i].rewritten) continue;
        return lite_subgraph_fail(subgraph,
                                  "tensor %d is written by several nodes: no delegate can take them", i);
    }
    return kTfLiteOk;
}

static TfLiteStatus check_indices(LiteSubgraph* subgraph, const TfLiteIntArray* nodes) {
    for (int i = 0; i < nodes->size; i++) {
        if (nodes->data[i] >= 0 && nodes->data[i] < subgraph->node_count) continue;
        return lite_subgraph_fail(subgraph, "nodes to replace: there is no node %d", nodes->data[i]);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_subsets_create(LiteSubgraph* subgraph, const TfLiteIntArray* nodes, LiteSubset** subsets,
                                 int* count) {
    LITE_TRY(check_indices(subgraph, nodes));
    LITE_TRY(check_writers(subgraph));
    Split split = {.step_count = subgraph->plan->size};
    LiteSubset* made = NULL;
    TfLiteStatus status = kTfLiteError;
    const LitePartitionStatus partitioned = partition(subgraph, &split, nodes);
    if (partitioned == kLitePartitionBadGraph) {
        lite_subgraph_fail(subgraph, "the nodes of subgraph %d cannot be put in an order", subgraph->index);
        goto done;
    }
    if (partitioned == kLitePartitionOk) made = lite_calloc((size_t)split.subset_count, sizeof *made);
    if (made == NULL || !fill_subsets(subgraph, &split, made)) {
        lite_subsets_destroy(made, made ? split.subset_count : 0);
        lite_subgraph_fail(subgraph, "out of memory");
        goto done;
    }
    *subsets = made;
    *count = split.subset_count;
    status = kTfLiteOk;
done:
    lite_arena_free(&split.arena);
    return status;
}

void lite_subsets_destroy(LiteSubset* subsets, int count) {
    for (int i = 0; i < count; i++) {
        TfLiteIntArrayFree(subsets[i].nodes);
        TfLiteIntArrayFree(subsets[i].inputs);
        TfLiteIntArrayFree(subsets[i].outputs);
    }
    lite_free(subsets);
}
