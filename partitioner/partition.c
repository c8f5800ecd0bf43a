// SPDX-License-Identifier: Apache-2.0
// Epochs: the earliest for each node, and subsets as their numbers.
#include "partitioner/partition.h"

#include <string.h>

#include "core/base/memory.h"

// Epochs seen so far, and the control pairs as one list per node that must run after.
typedef struct Progress {
    int* written;      // per tensor: epoch of its last writer
    int* touched;      // per tensor: latest epoch of its last writer and that writer's readers
    int* control_head; // per node: first pair that ends in it, -1 at the end of the list
    int* control_next; // per pair
} Progress;

static bool ranges_are_valid(const int* start, int node_count, const int* items, int item_limit) {
    if (start[0] < 0) return false;
    for (int n = 0; n < node_count; n++) {
        if (start[n + 1] < start[n]) return false;
    }
    for (int i = start[0]; i < start[node_count]; i++) {
        if (items[i] >= item_limit) return false;
    }
    return true;
}

static bool graph_is_valid(const LitePartitionGraph* graph) {
    if (graph->node_count < 0 || graph->tensor_count < 0 || graph->control_count < 0) return false;
    for (int c = 0; c < graph->control_count; c++) {
        const int from = graph->control_from[c];
        const int to = graph->control_to[c];
        if (from < 0 || to >= graph->node_count || from >= to) return false;
    }
    return ranges_are_valid(graph->input_start, graph->node_count, graph->inputs, graph->tensor_count) &&
           ranges_are_valid(graph->output_start, graph->node_count, graph->outputs, graph->tensor_count);
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

// The latest epoch among the node's predecessors, which all come before it in execution order.
static int predecessor_epoch(const LitePartitionGraph* graph, const Progress* progress, const int* epoch_of,
                             int node) {
    int epoch = 0;
    for (int i = graph->input_start[node]; i < graph->input_start[node + 1]; i++) {
        if (graph->inputs[i] >= 0) epoch = max_int(epoch, progress->written[graph->inputs[i]]);
    }
    for (int i = graph->output_start[node]; i < graph->output_start[node + 1]; i++) {
        if (graph->outputs[i] >= 0) epoch = max_int(epoch, progress->touched[graph->outputs[i]]);
    }
    for (int c = progress->control_head[node]; c >= 0; c = progress->control_next[c]) {
        epoch = max_int(epoch, epoch_of[graph->control_from[c]]);
    }
    return epoch;
}

static void record_node(const LitePartitionGraph* graph, const Progress* progress, int node, int epoch) {
    for (int i = graph->input_start[node]; i < graph->input_start[node + 1]; i++) {
        const int tensor = graph->inputs[i];
        if (tensor >= 0) progress->touched[tensor] = max_int(progress->touched[tensor], epoch);
    }
    for (int i = graph->output_start[node]; i < graph->output_start[node + 1]; i++) {
        const int tensor = graph->outputs[i];
        if (tensor < 0) continue;
        progress->written[tensor] = epoch;
        progress->touched[tensor] = epoch;
    }
}

static void assign_epochs(const LitePartitionGraph* graph, const bool* supported, const Progress* progress,
                          int* epoch_of) {
    for (int n = 0; n < graph->node_count; n++) progress->control_head[n] = -1;
    for (int c = 0; c < graph->control_count; c++) {
        progress->control_next[c] = progress->control_head[graph->control_to[c]];
        progress->control_head[graph->control_to[c]] = c;
    }
    for (int n = 0; n < graph->node_count; n++) {
        const int epoch = predecessor_epoch(graph, progress, epoch_of, n);
        const bool is_odd = epoch % 2 != 0;
        epoch_of[n] = epoch + (is_odd != supported[n] ? 1 : 0);
        record_node(graph, progress, n, epoch_of[n]);
    }
}

// Replaces epochs by subset numbers without gaps; returns how many there are. An epoch is at most node_count.
static int number_subsets(int* subset_of, int node_count, int* number_of_epoch) {
    memset(number_of_epoch, 0, ((size_t)node_count + 1) * sizeof(int));
    for (int n = 0; n < node_count; n++) number_of_epoch[subset_of[n]] = 1;
    int count = 0;
    for (int epoch = 0; epoch <= node_count; epoch++) {
        if (number_of_epoch[epoch]) number_of_epoch[epoch] = count++;
    }
    for (int n = 0; n < node_count; n++) subset_of[n] = number_of_epoch[subset_of[n]];
    return count;
}

LitePartitionStatus lite_partition(const LitePartitionGraph* graph, const bool* supported, int* subset_of,
                                   int* subset_count) {
    *subset_count = 0;
    if (!graph_is_valid(graph)) return kLitePartitionBadGraph;
    LiteArena arena = {0};
    const size_t nodes = (size_t)graph->node_count;
    const size_t tensors = (size_t)graph->tensor_count;
    const Progress progress = {
        .written = lite_arena_alloc(&arena, tensors, sizeof(int)),
        .touched = lite_arena_alloc(&arena, tensors, sizeof(int)),
        .control_head = lite_arena_alloc(&arena, nodes, sizeof(int)),
        .control_next = lite_arena_alloc(&arena, (size_t)graph->control_count, sizeof(int)),
    };
    int* number_of_epoch = lite_arena_alloc(&arena, nodes + 1, sizeof(int));
    LitePartitionStatus status = kLitePartitionNoMemory;
    if (progress.written != NULL && progress.touched != NULL && progress.control_head != NULL &&
        progress.control_next != NULL && number_of_epoch != NULL) {
        assign_epochs(graph, supported, &progress, subset_of);
        *subset_count = number_subsets(subset_of, graph->node_count, number_of_epoch);
        status = kLitePartitionOk;
    }
    lite_arena_free(&arena);
    return status;
}
