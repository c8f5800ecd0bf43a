// SPDX-License-Identifier: Apache-2.0
// Pairs of steps that run as one: what the first writes is computed by the second, some lines at a time
// (core/base/lines.h). The first is then left out when the plan runs, and its output has no memory.
#include "core/graph/graph.h"

// Does no one but `reader`, the step after the one that writes it, see the tensor, and that only as its
// first input? Lifetimes are known; outputs of the graph, and all tensors that are to be kept, live longer.
static bool is_between(const LiteSubgraph* subgraph, const LiteNode* reader, int tensor_index, int step) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensor_index);
    if (tensor == NULL || tensor->allocation_type != kTfLiteArenaRw || tensor->is_variable) return false;
    const LiteSlot* slot = &subgraph->slots[tensor_index];
    if (slot->is_input || slot->read_first || tensor->delegate != NULL) return false;
    if (slot->first_write != step - 1 || slot->last_use != step) return false;
    for (int i = 1; i < reader->node.inputs->size; i++) {
        if (reader->node.inputs->data[i] == tensor_index) return false;
    }
    return true;
}

static TfLiteStatus join_step(LiteSubgraph* subgraph, int step) {
    LiteNode* writer = subgraph->nodes[subgraph->plan->data[step - 1]];
    LiteNode* reader = subgraph->nodes[subgraph->plan->data[step]];
    if (writer->node.outputs->size != 1 || reader->node.inputs->size < 1) return kTfLiteOk;
    const int between = writer->node.outputs->data[0];
    if (between != reader->node.inputs->data[0]) return kTfLiteOk;
    if (!is_between(subgraph, reader, between, step)) return kTfLiteOk;
    return lite_node_join(subgraph, reader, writer, &writer->joins_next);
}

TfLiteStatus lite_join_steps(LiteSubgraph* subgraph, int first, int end) {
    for (int step = first + 1; step < end; step++) {
        if (subgraph->nodes[subgraph->plan->data[step - 1]]->joins_next) continue;
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
        subgraph->nodes[subgraph->plan->data[step]]->joins_next = false;
    }
}

bool lite_join_feeds(const LiteSubgraph* subgraph, int step) {
    return step > 0 && subgraph->nodes[subgraph->plan->data[step - 1]]->joins_next;
}
