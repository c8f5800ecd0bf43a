// SPDX-License-Identifier: Apache-2.0
// Pairs of steps that run as one. The second computes what the first would write, some lines at a time
// (core/base/lines.h). The first is then left out when the plan runs, and its output has no memory.
#include "core/graph/join.h"

#include "core/graph/fuse.h"
#include "core/graph/graph.h"
#include "core/graph/node.h"
#include "core/graph/subgraph.h"

// The one input of `reader` that is the tensor; -1 when there is none, or more.
static int find_input(const LiteNode* reader, int tensor_index) {
    const TfLiteIntArray* inputs = reader->node.inputs;
    int found = -1;
    for (int i = 0; i < inputs->size; i++) {
        if (inputs->data[i] != tensor_index) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

// Whether the step before `step` writes the tensor and only the node of `step` reads it. Lifetimes are known;
// outputs of the graph, and tensors that are to be kept, live longer.
static bool is_between(const LiteSubgraph* subgraph, int tensor_index, int step) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensor_index);
    if (tensor == NULL || tensor->allocation_type != kTfLiteArenaRw || tensor->is_variable) return false;
    const LiteSlot* slot = &subgraph->slots[tensor_index];
    if (slot->is_input || slot->read_first || tensor->delegate != NULL) return false;
    return slot->first_write == step - 1 && slot->last_use == step;
}

static TfLiteStatus join_step(LiteSubgraph* subgraph, int step) {
    LiteNode* writer = subgraph->nodes[subgraph->plan->data[step - 1]];
    LiteNode* reader = subgraph->nodes[subgraph->plan->data[step]];
    if (writer->node.outputs->size != 1) return kTfLiteOk;
    const int between = writer->node.outputs->data[0], input = find_input(reader, between);
    if (input < 0 || !is_between(subgraph, between, step)) return kTfLiteOk;
    bool joined;
    LITE_TRY(lite_node_join(subgraph, reader, input, writer, &joined));
    writer->left_to = joined ? 1 : 0;
    reader->joined_input = joined ? input + 1 : 0;
    return kTfLiteOk;
}

static bool is_fused(const LiteNode* node) {
    return node->left_to > 0 || node->epilogue != NULL;
}

TfLiteStatus lite_join_steps(LiteSubgraph* subgraph, int first, int end) {
    for (int step = first + 1; step < end; step++) {
        const LiteNode* writer = subgraph->nodes[subgraph->plan->data[step - 1]];
        const LiteNode* reader = subgraph->nodes[subgraph->plan->data[step]];
        if (is_fused(writer) || is_fused(reader)) continue;
        const TfLiteStatus status = join_step(subgraph, step);
        if (status == kTfLiteOk) continue;
        subgraph->failed_step = step;
        const int index = subgraph->plan->data[step];
        lite_subgraph_fail(subgraph, "Node number %d (%s) failed to prepare.", index,
                           lite_node_name(subgraph->nodes[index]));
        return status;
    }
    return kTfLiteOk;
}

void lite_join_forget(LiteSubgraph* subgraph, int first) {
    for (int step = first; step < subgraph->plan->size; step++) {
        LiteNode* node = subgraph->nodes[subgraph->plan->data[step]];
        node->left_to = 0;
        node->is_kept = false;
        node->joined_input = 0;
        lite_fuse_forget(node);
    }
}
