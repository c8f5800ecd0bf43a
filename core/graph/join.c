// SPDX-License-Identifier: Apache-2.0
// Steps that run as one. The second of two computes what the first would write, some lines at a time
// (core/base/lines.h), or reads what the first would only surround with zeros. The first is then left out
// when the plan runs, and its output has no memory; it may itself have one before it.
#include "core/graph/join.h"

#include "core/base/epilogue.h"
#include "core/base/lines.h"
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

static LiteNode* node_of(const LiteSubgraph* subgraph, int step) {
    return subgraph->nodes[subgraph->plan->data[step]];
}

// Whether the step before `step` writes the tensor and only the node of `step` reads it. Lifetimes are known,
// as they are without steps that run as one; outputs of the graph, and tensors that are to be kept, live
// longer.
static bool is_between(const LiteSubgraph* subgraph, int tensor_index, int step) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensor_index);
    if (tensor == NULL || tensor->allocation_type != kTfLiteArenaRw || tensor->is_variable) return false;
    const LiteSlot* slot = &subgraph->slots[tensor_index];
    if (slot->is_input || slot->read_first || tensor->delegate != NULL) return false;
    return slot->first_write == step - 1 && slot->last_use == step;
}

static bool is_border(const LiteNode* node) {
    return node->methods->op.lines != NULL && node->methods->op.lines->find_border != NULL;
}

static bool is_fused(const LiteNode* node) {
    return node->left_to > 0 || node->epilogue != NULL;
}

// Whether the node of the step computes itself, with the steps that are fused with it.
static bool is_head(const LiteSubgraph* subgraph, int step) {
    const LiteNode* node = node_of(subgraph, step);
    if (node->left_to == 0) return false;
    const LiteNode* runner = node_of(subgraph, step + node->left_to);
    return runner->epilogue != NULL && runner->epilogue->has_head && runner->fused == node->left_to;
}

// The step whose node computes what step `step` gives: this one, or the head that it is fused with, where
// what they do to it can be done to each part, wherever that is. -1: there is none.
static int find_source(const LiteSubgraph* subgraph, int step) {
    const LiteNode* node = node_of(subgraph, step);
    if (!is_fused(node)) return step;
    const bool is_source =
        node->left_to == 0 && node->epilogue->has_head && lite_epilogue_is_anywhere(node->epilogue);
    return is_source ? step - node->fused : -1;
}

// Lets `reader` take what the step before `next` gives. The former runs at step `at`.
static TfLiteStatus join(LiteSubgraph* subgraph, LiteNode* reader, int next, int at) {
    const int source = find_source(subgraph, next - 1);
    const TfLiteIntArray* outputs = node_of(subgraph, next - 1)->node.outputs;
    if (source < 0 || outputs->size != 1) return kTfLiteOk;
    LiteNode *reads = node_of(subgraph, next), *writer = node_of(subgraph, source);
    const int between = outputs->data[0], input = find_input(reads, between);
    if (input < 0 || !is_between(subgraph, between, next)) return kTfLiteOk;
    bool joined;
    LITE_TRY(lite_node_join(subgraph, reader, input, writer, &joined));
    if (!joined) return kTfLiteOk;
    reads->joined_input = input + 1;
    reads->joined = writer;
    const int later = at - (next - 1);
    for (int step = source; step < next; step++) node_of(subgraph, step)->left_to += later;
    for (LiteNode* left = writer->joined; left != NULL; left = left->joined) left->left_to += later;
    return kTfLiteOk;
}

// What a border surrounds may be computed on the way, too.
static TfLiteStatus join_step(LiteSubgraph* subgraph, int first, int step) {
    LiteNode *reader = node_of(subgraph, step), *writer = node_of(subgraph, step - 1);
    if (is_fused(reader) && !is_head(subgraph, step)) return kTfLiteOk;
    LITE_TRY(join(subgraph, reader, step, step + reader->left_to));
    if (reader->joined != writer || !is_border(writer) || step - 2 < first) return kTfLiteOk;
    return join(subgraph, reader, step - 1, step + reader->left_to);
}

TfLiteStatus lite_join_steps(LiteSubgraph* subgraph, int first, int end) {
    for (int step = first + 1; step < end; step++) {
        const TfLiteStatus status = join_step(subgraph, first, step);
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
        node->joined = NULL;
        lite_fuse_forget(node);
    }
}
