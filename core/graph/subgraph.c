// SPDX-License-Identifier: Apache-2.0
// Tensors and nodes of one graph: finding and adding them.
#include "core/graph/subgraph.h"

#include <limits.h>
#include <string.h>

#include "core/graph/graph.h"

LiteSubgraph* lite_subgraph_of(const TfLiteOpaqueContext* context) {
    return ((const TfLiteContext*)context)->impl_;
}

TfLiteOpaqueContext* lite_subgraph_context(LiteSubgraph* subgraph) {
    return (TfLiteOpaqueContext*)&subgraph->context;
}

const LiteModel* lite_subgraph_model(const LiteSubgraph* subgraph) {
    return subgraph->interpreter->model;
}

const char* lite_subgraph_name(const LiteSubgraph* subgraph) {
    return subgraph->source->name;
}

LiteModelInts lite_subgraph_inputs(const LiteSubgraph* subgraph) {
    return subgraph->source->inputs;
}

LiteModelInts lite_subgraph_outputs(const LiteSubgraph* subgraph) {
    return subgraph->source->outputs;
}

LiteModelInts lite_subgraph_variables(const LiteSubgraph* subgraph) {
    return subgraph->variables;
}

LiteModelInts lite_subgraph_plan(const LiteSubgraph* subgraph) {
    return (LiteModelInts){subgraph->plan->size, subgraph->plan->data};
}

int lite_subgraph_tensor_count(const LiteSubgraph* subgraph) {
    return (int)subgraph->context.tensors_size;
}

TfLiteTensor* lite_subgraph_tensor(const LiteSubgraph* subgraph, int index) {
    if (index < 0 || (size_t)index >= subgraph->context.tensors_size) return NULL;
    return &subgraph->context.tensors[index];
}

int lite_subgraph_tensor_index(const LiteSubgraph* subgraph, const TfLiteTensor* tensor) {
    const uintptr_t base = (uintptr_t)subgraph->context.tensors;
    const uintptr_t offset = (uintptr_t)tensor - base;
    if ((uintptr_t)tensor < base || offset % sizeof *tensor != 0) return -1;
    const size_t index = offset / sizeof *tensor;
    return index < subgraph->context.tensors_size ? (int)index : -1;
}

int lite_subgraph_operator_count(const LiteSubgraph* subgraph) {
    return subgraph->operator_count;
}

int lite_subgraph_node_count(const LiteSubgraph* subgraph) {
    return subgraph->node_count;
}

static void reset_tensor(TfLiteTensor* tensor, LiteSlot* slot) {
    *tensor = (TfLiteTensor){.buffer_handle = kTfLiteNullBufferHandle};
    *slot = (LiteSlot){.first_write = -1, .last_use = -1};
}

void lite_subgraph_free_tensors(LiteSubgraph* subgraph) {
    const size_t capacity = (size_t)subgraph->tensor_capacity;
    lite_release_reserved(subgraph->context.tensors, capacity * sizeof *subgraph->context.tensors);
    lite_release_reserved(subgraph->slots, capacity * sizeof *subgraph->slots);
}

TfLiteStatus lite_subgraph_grow_tensors(LiteSubgraph* subgraph, size_t capacity) {
    const size_t most = SIZE_MAX / (sizeof(TfLiteTensor) + sizeof(LiteSlot));
    if (capacity > INT_MAX || capacity > most) return lite_subgraph_fail(subgraph, "too many tensors");
    TfLiteTensor* tensors = lite_reserve(capacity * sizeof *tensors);
    LiteSlot* slots = lite_reserve(capacity * sizeof *slots);
    if (tensors == NULL || slots == NULL) {
        lite_release_reserved(tensors, capacity * sizeof *tensors);
        lite_release_reserved(slots, capacity * sizeof *slots);
        return lite_subgraph_fail(subgraph, "out of memory for %zu tensors", capacity);
    }
    const size_t count = subgraph->context.tensors_size;
    if (count > 0) {
        memcpy(tensors, subgraph->context.tensors, count * sizeof *tensors);
        memcpy(slots, subgraph->slots, count * sizeof *slots);
    }
    lite_subgraph_free_tensors(subgraph);
    subgraph->context.tensors = tensors;
    subgraph->slots = slots;
    subgraph->tensor_capacity = (int)capacity;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_add_tensors(LiteSubgraph* subgraph, int count, int* first) {
    if (count < 0) return lite_subgraph_fail(subgraph, "cannot add %d tensors", count);
    const size_t base = subgraph->context.tensors_size;
    const size_t needed = base + (size_t)count;
    if (needed > (size_t)subgraph->tensor_capacity)
        LITE_TRY(lite_subgraph_grow_tensors(subgraph, needed + needed / 2));
    for (size_t i = base; i < needed; i++) reset_tensor(&subgraph->context.tensors[i], &subgraph->slots[i]);
    subgraph->context.tensors_size = needed;
    if (first != NULL) *first = (int)base;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_grow_nodes(LiteSubgraph* subgraph, int capacity) {
    LiteNode** nodes = lite_realloc(subgraph->nodes, (size_t)capacity * sizeof *nodes);
    if (nodes == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->nodes = nodes;
    subgraph->node_capacity = capacity;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_add_node(LiteSubgraph* subgraph, LiteNode* node) {
    if (subgraph->node_count == subgraph->node_capacity) {
        if (subgraph->node_capacity > INT_MAX / 4) return lite_subgraph_fail(subgraph, "too many nodes");
        LITE_TRY(lite_subgraph_grow_nodes(subgraph, subgraph->node_capacity * 2 + 4));
    }
    subgraph->nodes[subgraph->node_count++] = node;
    if (node->source != NULL) subgraph->operator_count++;
    return kTfLiteOk;
}
